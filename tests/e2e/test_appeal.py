"""An appeal in a real browser: contested with a picture, decided by a person, and then the
student's own tap; the completion says what it rests on."""

import base64
import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from playwright.sync_api import Page, expect

from judge.models import Appeal, AppealFrame, CheckRun, RowDecision
from plans.models import Action, Completion
from plans.proof import share_plan
from sessions import frames
from sessions.images import clean_base64
from sessions.lifecycle import open_session
from sessions.transcript import add_student_turn
from tests import factories
from tests.api.calling import make_picture
from tests.e2e import faults
from tests.e2e.browser import log_in
from tests.e2e.site import run_site
from tests.fakes import replies
from tests.fakes.brain import answer

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
WORDS = "Rain, and too few bikes."
SENTENCE = "The count stands in my picture, at the top left."
REASON = "The picture shows the count by status."
LABEL = re.compile(r"Checked,\s+1 row decided by staff")


@pytest.fixture
def staff(transactional_db):
    user = factories.make_staff(is_superuser=True)
    user.password = PBKDF2PasswordHasher().encode(factories.PASSWORD, "salt")
    user.save()
    return user


@pytest.fixture
def action(student, gemini):
    """A task in which the judge goes on finding the second row not shown."""
    gemini.respond = lambda request: replies.json(answer("met", "not_shown", text=WORDS))
    rows = [("Name two risks for riders", "written"), ("Show the count by status", "shown")]
    plan = factories.make_plan(student, title="A map of bikes")
    return factories.make_action(plan, "Know the risks", requirements=rows)


@pytest.fixture
def session(action, student):
    session = open_session(action, student)
    add_student_turn(session.pk, WORDS, None)
    picture = base64.b64encode(make_picture(size=(640, 360)).read()).decode()
    frames.store_frame(session.pk, clean_base64(picture))
    return session


@pytest.fixture
def gemini_site(transactional_db, gemini) -> Iterator[str]:
    """A process for each test: the admin's log remembers the ids of content types, and the next
    test has others."""
    with run_site(GEMINI_API_KEY="test-key", GOOGLE_GEMINI_BASE_URL=gemini.url) as url:
        yield url


@pytest.fixture
def token(action, student):
    return share_plan(action.week.plan, by=student).token


def check(page: Page, button: str) -> None:
    with page.expect_response(re.compile(r"/(check|complete)/$")):
        page.get_by_role("button", name=button, exact=True).click()


def contest(page: Page) -> None:
    """The row that was not met: first without a sentence, then with one, and with the picture."""
    page.get_by_role("link", name=re.compile("^Contest this row")).click()
    send = page.get_by_role("button", name="Send to a person")
    consent = page.get_by_label("Show the picture of this check to the staff")
    expect(consent).not_to_be_checked()
    consent.check()
    send.click()
    expect(page.get_by_text("Say in a sentence what the check missed").first).to_be_visible()
    expect(consent).to_be_checked()
    page.get_by_label("What did it miss?").fill(SENTENCE)
    send.click()
    expect(page.get_by_text("Staff see one picture").first).to_be_visible()
    expect(page.locator(".contested", has_text="Contested.")).to_be_visible()


def decide(page: Page, url: str, email: str) -> None:
    """From the queue to the decision; the first try forgets the reason."""
    page.goto(f"{url}/admin/login/?next=/admin/judge/appeal/")
    page.get_by_label("Username").fill(email)
    page.get_by_label("Password").fill(factories.PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("1 appeal waits")).to_be_visible()
    page.locator("#result_list tbody th a").first.click()
    expect(page.get_by_text(SENTENCE).first).to_be_visible()
    expect(page.locator(".record-turns").get_by_text(WORDS)).to_be_visible()
    picture = page.locator(".record-pictures img")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.record-pictures img').naturalWidth > 0")
    page.get_by_label("The row is met").check()
    page.get_by_label("I have looked at what the judge saw.").check()
    page.get_by_role("button", name="Decide this row").click()
    expect(page.get_by_text("Nothing is decided yet.")).to_be_visible()
    expect(page.get_by_label("The row is met")).to_be_checked()
    page.get_by_label("Why?").fill(REASON)
    page.get_by_role("button", name="Decide this row").click()
    expect(page.get_by_text("Decided as met")).to_be_visible()


def test_a_sentence_outlives_a_reload_and_the_row_is_the_one_that_was_pressed(
    gemini_site, gemini, browser, student, action, session
):
    gemini.respond = lambda request: replies.json(answer("not_met", "not_shown"))
    page = browser.new_page()
    log_in(page, gemini_site, student.email, factories.PASSWORD)
    page.goto(f"{gemini_site}/sessions/{session.pk}/")
    check(page, "Check")
    page.get_by_role("link", name=re.compile("Contest this row.*Name two risks for riders")).click()
    page.get_by_label("What did it miss?").fill(SENTENCE)
    page.get_by_label("Show the picture of this check to the staff").check()
    page.reload()
    page.get_by_role("link", name=re.compile("Contest this row.*Show the count by status")).click()
    expect(page.get_by_label("What did it miss?")).to_have_value(SENTENCE)
    expect(page.get_by_label("Show the count by status")).to_be_checked()
    expect(page.get_by_label("Show the picture of this check to the staff")).not_to_be_checked()
    page.get_by_role("button", name="Send to a person").click()
    expect(page.get_by_text("A person will look at this check").first).to_be_visible()
    shown = action.requirements.get(title="Show the count by status")
    assert Appeal.objects.get().requirement_id == shown.pk
    page.reload()
    page.get_by_role("link", name=re.compile("Contest this row.*Name two risks for riders")).click()
    expect(page.get_by_label("What did it miss?")).to_have_value("")


def test_contest_decision_tap_and_the_label(
    gemini_site, gemini, browser, student, staff, action, session, token
):
    page = browser.new_page()
    heard = faults.watch(page)
    log_in(page, gemini_site, student.email, factories.PASSWORD)
    page.goto(f"{gemini_site}/sessions/{session.pk}/")
    check(page, "Check")
    contest(page)
    appeal = Appeal.objects.get()
    judged = CheckRun.objects.get()
    assert (appeal.message, appeal.check_run) == (SENTENCE, judged)
    assert appeal.frames.count() == 1

    desk = browser.new_context()
    decide(desk.new_page(), gemini_site, staff.username)
    desk.close()
    decision = RowDecision.objects.get()
    assert (decision.decided_by, decision.reason, decision.is_met) == (staff, REASON, True)
    assert not AppealFrame.objects.exists()
    assert Action.objects.get(pk=action.pk).status == "not_started"
    assert not Completion.objects.exists()

    page.reload()
    expect(page.get_by_text("A person decided: this row counts as met.")).to_be_visible()
    expect(page.get_by_role("button", name="Mark complete")).to_be_disabled()
    check(page, "Check again")
    expect(page.get_by_text("Everything is there.").first).to_be_visible()
    check(page, "Mark complete")
    expect(page.get_by_role("heading", name="Task complete")).to_be_visible()
    expect(page.locator("#check")).to_contain_text(LABEL)
    expect(page.get_by_text("The check that you contested had said: Not shown yet")).to_be_visible()
    page.goto(f"{gemini_site}/plans/{action.week.plan_id}/")
    expect(page.locator(f"#task-{action.pk} .side")).to_contain_text(LABEL)
    page.goto(f"{gemini_site}/proof/{token}/")
    expect(page.get_by_text("1 of 2 requirements decided by a person")).to_be_visible()
    public = page.content()
    assert REASON not in public and staff.username not in public and SENTENCE not in public
    assert heard == []

    [_, row] = Completion.objects.get().checklist
    assert (row["decision"], row["judged"], row["status"]) == (
        str(decision.pk),
        "not_shown",
        "met",
    )
    judged.refresh_from_db()
    assert [row["status"] for row in judged.checklist] == ["met", "not_shown"]
    assert decision.judged_status == "not_shown"


@pytest.mark.parametrize("change", ["", "the task changes"])
def test_control_without_a_decision_that_holds_the_tap_fails(
    gemini_site, gemini, browser, student, staff, action, session, change
):
    """The same judge, the same words: no decision, or one on the task as it was before."""
    page = browser.new_page()
    log_in(page, gemini_site, student.email, factories.PASSWORD)
    page.goto(f"{gemini_site}/sessions/{session.pk}/")
    check(page, "Check")
    contest(page)
    if change:
        decide(browser.new_context().new_page(), gemini_site, staff.username)
        Action.objects.filter(pk=action.pk).update(description="Now something else.")
        page.reload()
        expect(page.get_by_text("The task has changed since this check.")).to_be_visible()
    check(page, "Check again")
    expect(page.locator(".state.not_shown")).to_be_visible()
    expect(page.get_by_role("button", name="Mark complete")).to_be_disabled()
    status, got = page.evaluate(
        """async (path) => {
          const token = document.cookie.match(/csrftoken=([^;]+)/)[1];
          const headers = {"X-CSRFToken": token, "Content-Type": "application/json"};
          const answer = await fetch(path, {method: "POST", headers, body: "{}"});
          return [answer.status, await answer.json()];
        }""",
        f"/api/v1/sessions/{session.pk}/complete",
    )
    assert (status, got["completed"]) == (200, False)
    assert not Completion.objects.exists()
