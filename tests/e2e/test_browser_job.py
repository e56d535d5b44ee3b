"""The main job in a real browser against the fake Gemini server."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from plans.models import Action, Completion, How
from tests import factories
from tests.e2e.browser import log_in
from tests.fakes import replies
from tests.fakes.brain import answer

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def action(student):
    rows = [("Name two risks for riders", "written"), ("Show the count by status", "shown")]
    plan = factories.make_plan(student, title="A map of bikes")
    return factories.make_action(plan, "Know the risks", requirements=rows)


def say(page: Page, text: str) -> None:
    before = page.locator("#turns .turn.copilot").count()
    page.get_by_label("Your message").fill(text)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#turns .turn.copilot")).to_have_count(before + 1)


def check(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Check")).click()
    expect(page.get_by_role("heading", name="Completion check")).to_be_visible()


def test_the_whole_job_on_a_phone(gemini_site, gemini, phone: BrowserContext, student, action):
    page = phone.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    log_in(page, gemini_site, student.email, factories.PASSWORD)
    page.get_by_role("link", name="A map of bikes").first.click()
    page.get_by_role("button", name=re.compile("^Start")).first.click()
    page.wait_for_url(re.compile("/sessions/"))
    expect(page.get_by_text("Name two risks for riders")).to_be_visible()

    check(page)
    expect(page.get_by_role("button", name="Mark complete")).to_be_disabled()
    say(page, "Two risks for riders: rain, and <b>no</b> bikes.")
    expect(page.locator("#turns")).to_contain_text("<b>no</b>")
    say(page, "The count by status:\nOpen   | 51\nClosed | 13")
    say(page, "I am done.")
    expect(page.get_by_text("Not marked")).to_be_visible()
    action.refresh_from_db()
    assert action.status == "not_started"

    page.get_by_role("button", name="Check again").click()
    complete = page.get_by_role("button", name="Mark complete")
    expect(complete).to_be_enabled()
    complete.click()
    expect(page.get_by_role("heading", name="Task complete")).to_be_visible()
    assert Action.objects.get(pk=action.pk).current_completion.how == How.CHECKED
    page.get_by_role("link", name="Back to the plan").first.click()
    expect(page.get_by_text("Checked", exact=True).first).to_be_visible()
    assert errors == []


def test_a_green_card_is_no_promise(gemini_site, gemini, phone: BrowserContext, student, action):
    """The tap is judged anew; what came back is shown, and the button is never dead."""
    page = phone.new_page()
    log_in(page, gemini_site, student.email, factories.PASSWORD)
    page.goto(f"{gemini_site}/plans/{action.week.plan_id}/")
    page.get_by_role("button", name=re.compile("^Start")).first.click()
    say(page, "own words")
    gemini.enqueue(
        replies.json(answer("met", "met", text="own words", all_met=False)),
        replies.json(answer("met", "not_met", text="own words", all_met=True)),
    )
    check(page)
    page.get_by_role("button", name="Mark complete").click()
    expect(page.get_by_text("A note on row 2.")).to_be_visible()
    expect(page.get_by_role("button", name="Mark complete")).to_be_disabled()
    expect(page.get_by_role("button", name="Check again")).to_be_enabled()
    assert not Completion.objects.exists()
