"""States of the card "What will you make?", from the empty form to what was taken back."""

from playwright.sync_api import Page

from plans.agreed_rows import AgreedRow
from sessions.models import CopilotSession
from tests.screens.scene import HALF, Scene
from tests.screens.session_states import never_answer, start
from tests.screens.state import see, table

STATES, state = table()
MINE = "You show the two counts side by side in one picture"
TWO = "You write in one sentence why the two counts add up to `64`"


def write(page: Page, words: str = MINE) -> None:
    page.get_by_label("Line 1", exact=True).fill(words)


def confirm(page: Page) -> None:
    write(page)
    page.get_by_role("button", name="Confirm these lines").click()
    see(page, "Agreed. It stands")


def send_too_long(page: Page) -> None:
    write(page, "and one more thing that I will make " * 9)
    page.get_by_role("button", name="Confirm these lines").click()
    see(page, "characters, and a line holds 300")


def confirm_outdated(page: Page) -> None:
    """Another window agreed on something first: what was seen here is of before."""
    open_form(page)
    write(page, "You show the two counts in a table")
    page.locator("input[name=seen]").evaluate("(input) => { input.value = 'before'; }")
    page.get_by_role("button", name="Confirm the change").click()
    see(page, "Compare what you typed with what stands now")


def ask_for_proposal(page: Page) -> None:
    page.get_by_text("Add lines of your own").click()
    page.get_by_role("button", name="Ask for a proposal").click()
    see(page, "A proposal from your conversation.")


def wait_for_proposal(page: Page) -> None:
    page.get_by_text("Add lines of your own").click()
    never_answer(page)
    page.get_by_role("button", name="Ask for a proposal").click()
    see(page, "is being read for a proposal")


def ask_too_early(page: Page) -> None:
    page.get_by_role("button", name="Ask for a proposal").click()
    see(page, "Say in the conversation what you want")


def open_form(page: Page) -> None:
    page.get_by_text("Change what was agreed").click()
    page.get_by_role("button", name="Take back what we agreed").wait_for()


def take_back(page: Page) -> None:
    open_form(page)
    page.get_by_role("button", name="Take back what we agreed").click()
    see(page, "Taken back.")


def open_own_lines(page: Page) -> None:
    page.get_by_text("Add lines of your own").click()
    page.get_by_role("button", name="Confirm these lines").wait_for()


def start_agreed(scene: Scene) -> CopilotSession:
    session = start(scene)
    rows = [AgreedRow(MINE, "shown"), AgreedRow(TWO, "written")]
    session.action.agree_on(rows, by=scene.student)
    return session


@state("Agreed. It stands", act=confirm)
def agreement_just_confirmed(scene: Scene) -> str:
    return scene.session_url(start(scene))


@state("characters, and a line holds 300", act=send_too_long)
def agreement_refused(scene: Scene) -> str:
    return scene.session_url(start(scene))


@state("Compare what you typed with what stands now", act=confirm_outdated)
def agreement_outdated(scene: Scene) -> str:
    return scene.session_url(start_agreed(scene))


@state("Say in the conversation what you want", act=ask_too_early)
def agreement_nothing_to_propose(scene: Scene) -> str:
    return scene.session_url(start(scene))


@state("A proposal from your conversation.", act=ask_for_proposal)
def agreement_proposed(scene: Scene) -> str:
    return session_for_proposal(scene)


@state("is being read for a proposal", act=wait_for_proposal)
def agreement_waiting_for_proposal(scene: Scene) -> str:
    return session_for_proposal(scene)


def session_for_proposal(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    return scene.session_url(session)


@state("agreed with you")
def agreement_agreed(scene: Scene) -> str:
    return scene.session_url(start_agreed(scene))


@state("Take back what we agreed", act=open_form)
def agreement_changing(scene: Scene) -> str:
    return scene.session_url(start_agreed(scene))


@state("Taken back.", act=take_back)
def agreement_taken_back(scene: Scene) -> str:
    return scene.session_url(start_agreed(scene))


@state("has changed since this check")
def agreement_after_a_check(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    scene.check(session, HALF)
    session.action.agree_on([AgreedRow(MINE, "shown")], by=scene.student)
    return scene.session_url(session)


@state("You have not shown this yet.")
def agreement_checked(scene: Scene) -> str:
    session = start_agreed(scene)
    scene.converse(session)
    missing = ("not_shown", "You have not shown this yet.", None)
    scene.check(session, (*HALF, missing, missing))
    return scene.session_url(session)


@state("Add lines of your own", act=open_own_lines)
def agreement_late(scene: Scene) -> str:
    """A check was run and nothing agreed: the form is folded, and opened here."""
    session = start(scene)
    scene.converse(session)
    scene.check(session, HALF)
    return scene.session_url(session)
