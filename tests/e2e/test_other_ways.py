"""The main job by the keyboard alone, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from plans.models import Action, How
from tests import factories
from tests.e2e import faults
from tests.e2e.browser import log_in
from tests.e2e.keyboard import Lost, press, tab_to, words_at_focus

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
TASK, OTHER = "Know the risks", "Tell a friend"
RISKS = "Two risks for riders: rain, and no bikes."
COUNT = "The count by status:\nOpen   | 51\nClosed | 13"


@pytest.fixture
def action(student):
    plan = factories.make_plan(student, title="A map of bikes")
    rows = [("Name two risks for riders", "written"), ("Show the count by status", "shown")]
    action = factories.make_action(plan, TASK, requirements=rows)
    factories.make_action(plan, OTHER)
    return action


def how_done(title: str) -> str:
    return Action.objects.get(title=title).current_completion.how


def test_by_the_keyboard_alone(gemini_site, gemini, browser, student, action):
    page = browser.new_page()
    heard = faults.watch(page)
    page.goto(f"{gemini_site}/login/")
    press(page, "Skip to the content")
    tab_to(page, "E-mail")
    page.keyboard.type(student.email)
    tab_to(page, "Password")
    page.keyboard.type(factories.PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{gemini_site}/#main")
    press(page, "A map of bikes")
    page.wait_for_url(re.compile("/plans/"))
    report_done_by_keyboard(page)
    press(page, "Start", "Space")
    page.wait_for_url(re.compile("/sessions/"))
    say_by_keyboard(page, RISKS, 1)
    say_by_keyboard(page, COUNT, 2)
    check_by_keyboard(page)
    press(page, "Mark complete")
    expect(page.get_by_role("heading", name="Task complete")).to_be_focused()
    press(page, "Back to the plan")
    expect(page.get_by_text("Checked", exact=True)).to_be_visible()
    assert (how_done(TASK), how_done(OTHER)) == (How.CHECKED, How.SELF_REPORTED)
    assert heard == []


def report_done_by_keyboard(page: Page) -> None:
    """The second task: leave the question once, then say yes."""
    tab_to(page, "Start")
    press(page, f"Mark done yourself: {OTHER}")
    expect(page.get_by_role("heading", name="Mark this task done")).to_be_focused()
    press(page, "Not now")
    assert words_at_focus(page) == f"Mark done yourself: {OTHER}"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Mark this task done")).to_be_focused()
    press(page, "Mark as self-reported", "Space")
    expect(page.get_by_role("heading", name=OTHER)).to_be_focused()


def say_by_keyboard(page: Page, text: str, replies: int) -> None:
    if words_at_focus(page) != "Your message":
        tab_to(page, "Your message")
    page.keyboard.insert_text(text)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#turns .turn.copilot")).to_have_count(replies)
    # For a moment the fresh form still looks as if it were sending, and nobody is faster.
    expect(page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    expect(page.get_by_label("Your message")).to_be_focused()


def check_by_keyboard(page: Page) -> None:
    press(page, "Check", "Space")
    expect(page.get_by_role("heading", name="Completion check")).to_be_focused()


def test_control_a_focus_that_nobody_sees(browser, transactional_db):
    page = browser.new_page()
    page.set_content("<style>:focus { outline: none }</style><button>Send</button>")
    with pytest.raises(Lost, match="Nobody sees"):
        tab_to(page, "Send")


def test_without_javascript(gemini_site, gemini, browser, student, action):
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, gemini_site, student.email, factories.PASSWORD)
    page.get_by_role("link", name="A map of bikes").first.click()
    page.get_by_role("link", name=re.compile(f"Mark done yourself.*{OTHER}")).click()
    page.get_by_role("button", name="Mark as self-reported").click()
    expect(page.get_by_text("is marked done, self-reported")).to_be_visible()
    page.get_by_role("button", name=re.compile(f"Start.*{TASK}")).click()
    say_without_javascript(page, RISKS)
    say_without_javascript(page, "I am done.")
    expect(page.get_by_text("Not marked")).to_be_visible()
    page.get_by_role("button", name="Check").click()
    page.get_by_role("link", name=re.compile("^Contest this row")).click()
    page.get_by_role("button", name="Send to a person").click()
    expect(page.get_by_text("Say in a sentence what the check missed")).to_be_visible()
    page.get_by_label("What did it miss?").fill("It stands in my first message.")
    page.get_by_role("button", name="Send to a person").click()
    expect(page.get_by_text("A person will look at this check.")).to_be_visible()
    expect(page.locator(".contested", has_text="Contested.")).to_be_visible()
    say_without_javascript(page, COUNT)
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_text("Everything is there.")).to_be_visible()
    page.get_by_role("button", name="Mark complete").click()
    expect(page.get_by_role("heading", name="Task complete")).to_be_visible()
    assert (how_done(TASK), how_done(OTHER)) == (How.CHECKED, How.SELF_REPORTED)


def say_without_javascript(page: Page, text: str) -> None:
    page.get_by_label("Your message").fill(text)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#turns")).to_contain_text(text.splitlines()[0])
