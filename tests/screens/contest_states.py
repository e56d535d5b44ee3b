"""States of contesting a check, and of what staff decide on it, as the student sees them."""

import uuid

from django.urls import reverse
from playwright.sync_api import Page

from judge.appeals import report_check
from judge.card import Card
from judge.decisions import decide_row
from judge.models import Appeal
from plans.models import Action
from sessions import frames
from sessions.images import clean_image
from sessions.models import CopilotSession
from tests import factories
from tests.api.calling import make_picture
from tests.screens.plan_states import url_of
from tests.screens.proof_states import publish
from tests.screens.scene import HALF, Scene, tasks_of
from tests.screens.session_states import session_check_failed, start
from tests.screens.state import see, table

STATES, state = table()
NOT_SHOWN = ("not_shown", "You have not shared this yet.", None)


def contest(page: Page) -> None:
    page.get_by_role("link", name="Contest it").click()
    page.get_by_role("button", name="Send to a person").wait_for()


def contest_and_send(page: Page) -> None:
    contest(page)
    page.get_by_label("What did it miss?").fill("The query stands in my third message.")
    page.get_by_role("button", name="Send to a person").click()
    see(page, "Thank you.")


def send_contest(page: Page) -> None:
    page.get_by_label("You show the query and its result").check()
    page.get_by_label("What did it miss?").fill("The query stands in my third message.")
    page.get_by_role("button", name="Send to a person").click()
    see(page, "Thank you.")


def send_long_contest(page: Page) -> None:
    page.get_by_label("What did it miss?").fill("It stands there. " * 150)
    page.get_by_role("button", name="Send to a person").click()
    see(page, "and one message holds")


def contest_row(page: Page) -> None:
    page.get_by_role("link", name="Contest this row").first.click()
    page.get_by_role("button", name="Send to a person").wait_for()


def contest_row_in_silence(page: Page) -> None:
    contest_row(page)
    page.get_by_role("button", name="Send to a person").click()
    see(page, "Say in a sentence what the check missed")


def contest_row_and_show(page: Page) -> None:
    contest_row(page)
    page.get_by_label("What did it miss?").fill("The count stands in my picture, at the top.")
    page.get_by_label("Show the picture of this check").check()
    page.get_by_role("button", name="Send to a person").click()
    see(page, "Staff see one picture with it")


def check_with_picture(scene: Scene) -> tuple[CopilotSession, Card]:
    """A check that did not pass, with a picture of the screen."""
    session = start(scene)
    scene.converse(session)
    frames.store_frame(session.pk, clean_image(make_picture(size=(640, 360)).read()))
    return session, scene.check(session, HALF)


def contest_row_of(scene: Scene, card: Card, row_id: str) -> Appeal:
    message = "My picture says it with a capital letter."
    return report_check(
        card.id, by=scene.student, requirement_id=uuid.UUID(row_id), message=message
    )


def decide_row_of(scene: Scene, card: Card, row_id: str, *, is_met: bool) -> None:
    appeal = contest_row_of(scene, card, row_id)
    reason = "The picture shows one spelling in every row, as the task asks."
    staff = factories.make_staff()
    decide_row(appeal, appeal.requirement_id, by=staff, is_met=is_met, reason=reason)


def complete_by_decision(scene: Scene, action: Action) -> CopilotSession:
    """A task of which the judge goes on finding nothing, and a person finds all."""
    session = scene.open(action)
    unmet = [NOT_SHOWN] * action.requirements.count()
    card = scene.check(session, unmet)
    for row in card.requirements:
        decide_row_of(scene, card, row.id, is_met=True)
    scene.tap(session, unmet)
    return session


@state("Which row is wrong?", act=contest)
def contest_inline(scene: Scene) -> str:
    return session_check_failed(scene)


@state("A person will look", act=contest_and_send)
def contest_thanks_inline(scene: Scene) -> str:
    return session_check_failed(scene)


@state("Contest this check")
def contest_page(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    card = scene.check(session, HALF)
    return reverse("judge:report", args=[card.id])


@state("A person will look", act=send_contest)
def contest_thanks(scene: Scene) -> str:
    return contest_page(scene)


@state("one message holds 2,000", act=send_long_contest)
def contest_refused(scene: Scene) -> str:
    return contest_page(scene)


@state("Show the picture of this check", act=contest_row)
def contest_row_with_a_picture(scene: Scene) -> str:
    session, _ = check_with_picture(scene)
    return scene.session_url(session)


@state("Say in a sentence what the check missed", act=contest_row_in_silence)
def contest_row_refused(scene: Scene) -> str:
    return contest_row_with_a_picture(scene)


@state("Staff see one picture with it", act=contest_row_and_show)
def contest_row_sent(scene: Scene) -> str:
    return contest_row_with_a_picture(scene)


@state("Contested. A person will look.")
def session_row_contested(scene: Scene) -> str:
    session, card = check_with_picture(scene)
    contest_row_of(scene, card, card.missing_first[0].id)
    return scene.session_url(session)


@state("this row counts as met.")
def session_row_decided_as_met(scene: Scene) -> str:
    session, card = check_with_picture(scene)
    decide_row_of(scene, card, card.missing_first[0].id, is_met=True)
    return scene.session_url(session)


@state("A person looked and agrees with the check.")
def session_row_decided_as_unmet(scene: Scene) -> str:
    session, card = check_with_picture(scene)
    decide_row_of(scene, card, card.missing_first[0].id, is_met=False)
    return scene.session_url(session)


@state("decided by staff")
def session_complete_by_decision(scene: Scene) -> str:
    return scene.session_url(complete_by_decision(scene, scene.make_small_plan()))


@state("A person decided on a row that you contested.")
def plan_with_a_decision(scene: Scene) -> str:
    session, card = check_with_picture(scene)
    decide_row_of(scene, card, card.missing_first[0].id, is_met=True)
    return url_of(session.action.week.plan)


@state("decided by staff")
def plan_complete_by_decision(scene: Scene) -> str:
    action = scene.make_small_plan()
    complete_by_decision(scene, action)
    return url_of(action.week.plan)


@state("decided by staff")
def progress_by_decision(scene: Scene) -> str:
    action = scene.make_small_plan()
    complete_by_decision(scene, action)
    return reverse("sessions:progress", args=[action.week.plan_id])


@state("decided by a person", is_visitor=True)
def proof_decided_by_a_person(scene: Scene) -> str:
    action = scene.make_small_plan()
    complete_by_decision(scene, action)
    return publish(scene, action.week.plan)


REOPENED = "Your second message names one risk twice. Say a second one, then check again."


def reopen(scene: Scene) -> Action:
    """A task that was complete, until staff took that back."""
    action = tasks_of(scene.make_plan())[0]
    scene.check_off(action)
    action = Action.objects.get(pk=action.pk)
    action.reopen(by=factories.make_staff(), reason=REOPENED)
    return action


@state("Reopened by staff")
def plan_reopened(scene: Scene) -> str:
    return url_of(reopen(scene).week.plan)


@state("Reopened by staff")
def session_reopened(scene: Scene) -> str:
    return scene.session_url(scene.open(reopen(scene)))
