"""While a check or a tap is on its way, in a real browser: leave it, and get the button back after
whatever goes wrong."""

import threading
import time
from functools import partial

import pytest
from playwright.sync_api import Page, Route, expect

from judge.models import CheckRun
from plans.models import Action, Completion, Status
from sessions.completion import check_session
from sessions.lifecycle import SessionClosed, end_session, open_session
from sessions.models import CopilotSession
from sessions.transcript import add_student_turn
from tests import factories
from tests.e2e.browser import log_in
from tests.e2e.keyboard import press, words_at_focus
from tests.fakes import replies
from tests.fakes.brain import answer

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
WORDS = "Two risks for riders: rain, and no bikes."
MET = replies.json(answer("met", text=WORDS))
UNMET = replies.json(answer("not_met"))
STOPPED = "Stopped. Nothing was changed."
A_DAY = 86_400  # seconds
PORTAL = "<html><body>Sign in to the hotel network</body></html>"


class Slow:
    """A judge that thinks until it is let go. What is enqueued is answered at once."""

    def __init__(self, gemini, reply):
        self.release, self.reply = threading.Event(), reply
        gemini.respond = self.think

    def think(self, request):
        self.release.wait(60)
        return self.reply


@pytest.fixture
def slow(gemini):
    """Let go at the end, whatever happens."""
    made = []

    def start(reply):
        made.append(Slow(gemini, reply))
        return made[-1]

    yield start
    for each in made:
        each.release.set()


@pytest.fixture
def session(student):
    plan = factories.make_plan(student, title="A map of bikes")
    action = factories.make_action(plan, "Know the risks", requirements=[("Name two", "written")])
    session = open_session(action, student)
    add_student_turn(session.pk, WORDS, None)
    return session


@pytest.fixture
def passed(session, gemini):
    gemini.enqueue(MET)
    assert check_session(session).all_met
    return session


@pytest.fixture
def visit(gemini_site, browser, student):
    def go(session) -> Page:
        page = browser.new_page()
        log_in(page, gemini_site, student.email, factories.PASSWORD)
        page.goto(f"{gemini_site}/sessions/{session.pk}/")
        return page

    return go


def button(page: Page, name: str):
    return page.get_by_role("button", name=name)


def tab_to_cancel(page: Page) -> None:
    """The next stop after the button that was pressed, which is off by now."""
    for _ in range(3):
        page.keyboard.press("Tab")
        if words_at_focus(page) == "Cancel":
            return
    raise AssertionError("The Cancel button is not near.")


def wait_for_runs(number: int) -> None:
    ends_at = time.monotonic() + 20
    while CheckRun.objects.count() < number:
        assert time.monotonic() < ends_at, "the check was not recorded"
        time.sleep(0.05)


def test_a_check_can_be_left_and_the_newest_wins(visit, session, gemini, slow):
    judge = slow(UNMET)
    page = visit(session)
    press(page, "Check")
    expect(page.get_by_text("Your work is being checked").first).to_be_visible()
    assert gemini.wait_for(1)
    tab_to_cancel(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text(STOPPED).first).to_be_visible()
    expect(page.get_by_text("Your work is being checked").first).to_be_hidden()
    expect(button(page, "Check")).to_be_focused()

    gemini.enqueue(MET)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Everything is there.").first).to_be_visible()
    expect(page.get_by_text(STOPPED)).to_be_hidden()
    judge.release.set()
    wait_for_runs(2)
    expect(page.get_by_text("Everything is there.").first).to_be_visible()
    page.reload()
    expect(page.get_by_text("Everything is there.")).to_be_visible()
    assert CheckRun.objects.latest("created_at").outcome == "failed", "written last, not shown"


def test_a_tap_that_is_cancelled_completes_nothing(visit, passed, gemini, slow):
    judge = slow(MET)
    page = visit(passed)
    button(page, "Mark complete").click()
    assert gemini.wait_for(2)
    button(page, "Cancel").click()
    expect(page.get_by_text(STOPPED).first).to_be_visible()
    expect(button(page, "Check again")).to_be_focused()
    expect(button(page, "Mark complete")).to_be_enabled()
    judge.release.set()
    wait_for_runs(2)
    # By the time this one has answered, the cancelled one is over.
    gemini.enqueue(MET)
    button(page, "Check again").click()
    wait_for_runs(3)
    assert not Completion.objects.exists()
    assert Action.objects.get(pk=passed.action_id).status == Status.NOT_STARTED
    gemini.enqueue(MET)
    expect(page.get_by_text("Everything is there.").first).to_be_visible()
    button(page, "Mark complete").click()
    expect(page.get_by_role("heading", name="Task complete")).to_be_visible()


def test_control_a_cancel_that_never_arrives(visit, passed, gemini, slow):
    """The tap is left by the browser alone, and completes; the page does not claim otherwise."""
    judge = slow(MET)
    page = visit(passed)
    page.route("**/cancel/", lambda route: route.abort())
    button(page, "Mark complete").click()
    assert gemini.wait_for(2)
    button(page, "Cancel").click()
    expect(page.get_by_text("This may not have stopped.").first).to_be_visible()
    expect(button(page, "Check again")).to_be_focused()
    expect(page.get_by_text(STOPPED)).to_be_hidden()
    judge.release.set()
    wait_for_runs(2)
    ends_at = time.monotonic() + 20
    while not Completion.objects.exists():
        assert time.monotonic() < ends_at
        time.sleep(0.05)


def test_a_cancel_that_comes_too_late_shows_the_complete_task(visit, passed, gemini):
    gemini.enqueue(MET)
    page = visit(passed)
    # The server has answered; the answer does not arrive.
    page.route("**/complete/", lambda route: route.fetch())
    button(page, "Mark complete").click()
    wait_for_runs(2)
    button(page, "Cancel").click()
    expect(page.get_by_role("heading", name="Task complete")).to_be_focused()
    expect(page.locator("#live")).to_contain_text("had finished before you stopped it")


FAILURES = {
    "403": ({"status": 403, "body": "no"}, "This page is out of date"),
    "404": ({"status": 404, "body": "no"}, "This is no longer here."),
    "413": ({"status": 413, "body": "no"}, "more than can be sent at once"),
    "500": ({"status": 500, "body": "no"}, "Something went wrong on our side."),
    "503": ({"status": 503, "body": "no"}, "Something went wrong on our side."),
    "JSON": ({"status": 200, "json": {"ok": True}}, "did not come from Elivio"),
    "a portal": (
        {"status": 200, "body": PORTAL, "content_type": "text/html"},
        "did not come from Elivio",
    ),
    "a foreign 409": ({"status": 409, "body": "no"}, "Something went wrong on our side."),
    "nothing": ({"status": 200, "body": ""}, "did not come from Elivio"),
}


@pytest.mark.parametrize("name", ["Check again", "Mark complete"])
def test_the_button_comes_back(visit, passed, name):
    page = visit(passed)
    address = "**/check/" if name == "Check again" else "**/complete/"
    for kind, (answer_, sentence) in FAILURES.items():
        page.route(address, partial(fulfil, answer_))
        expect_back(page, name, kind, sentence)
        page.unroute(address)
    page.route(address, lambda route: route.abort())
    expect_back(page, name, "lost", "The connection was lost.")
    page.unroute(address)
    page.route(address, lambda route: None)
    page.evaluate("htmx.config.timeout = 50")
    expect_back(page, name, "late", "This takes longer than it should.")


def fulfil(answer_: dict, route: Route) -> None:
    route.fulfill(**answer_)


def expect_back(page: Page, name: str, kind: str, sentence: str) -> None:
    button(page, name).click()
    trouble = page.locator("#check-wait [data-trouble]")
    expect(trouble, kind).to_contain_text(sentence)
    expect(button(page, name), kind).to_be_enabled()
    expect(button(page, name), kind).to_be_focused()
    expect(page.locator("#check-wait .wait"), kind).to_be_hidden()
    page.evaluate("document.querySelector('#check-wait [data-trouble]').textContent = ''")


def test_control_a_foreign_answer_would_take_the_buttons_away(visit, passed):
    page = visit(passed)
    page.evaluate("document.removeEventListener('htmx:beforeSwap', keepOut)")
    page.route(
        "**/check/",
        lambda route: route.fulfill(status=200, body=PORTAL, content_type="text/html"),
    )
    button(page, "Check again").click()
    expect(button(page, "Mark complete")).to_have_count(0)


def test_a_session_that_ended_elsewhere(visit, passed):
    page = visit(passed)
    end_session(CopilotSession.objects.get(pk=passed.pk), CopilotSession.EndReason.STUDENT)
    button(page, "Mark complete").click()
    expect(page.get_by_text(f"{SessionClosed()}").first).to_be_attached()
    expect(page.get_by_text("This session has ended.").first).to_be_visible()


def test_the_time_is_shown_and_a_long_wait_is_said_once(visit, passed):
    page = visit(passed)
    # Far from the time it is set to, so that it stands whenever the second command comes.
    page.clock.install(time=0)
    page.clock.pause_at(A_DAY)
    page.route("**/check/", lambda route: None)
    button(page, "Check again").click()
    expect(page.get_by_text("Your work is being checked").first).to_be_visible()
    page.clock.run_for(19_000)
    expect(page.locator("#check-wait [data-seconds]")).to_have_text("19 s")
    expect(page.locator("#check-wait [data-slow]")).to_be_hidden()
    page.clock.run_for(1_000)
    expect(page.locator("#check-wait [data-slow]")).to_be_visible()
    expect(page.locator("#live")).to_have_text("This takes longer than usual.")
    page.evaluate("say('quiet')")
    page.clock.run_for(10_000)
    expect(page.locator("#check-wait [data-seconds]")).to_have_text("30 s")
    expect(page.locator("#live")).to_have_text("quiet")
    button(page, "Cancel").click()
    expect(page.get_by_text(STOPPED).first).to_be_visible()
    button(page, "Check again").click()
    expect(page.get_by_text("Your work is being checked").first).to_be_visible()
    expect(page.locator("#check-wait [data-slow]")).to_be_hidden()
