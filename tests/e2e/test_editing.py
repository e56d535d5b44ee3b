"""Changing a plan in a real browser: stale checks, a week closed by a tap, a drop undone."""

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, Page, expect

from plans.models import Action, Week
from tests import factories
from tests.e2e.browser import fill_login, log_in
from tests.e2e.keyboard import tab_to

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def plan(student):
    plan = factories.make_plan(student, title="A map of bikes", weeks=("Know", "Draw"))
    rows = [("Name two risks for riders", "written")]
    factories.make_action(plan, "Know the risks", requirements=rows)
    factories.make_action(plan.weeks.get(number=2), "Draw the map")
    return plan


def open_plan(page: Page, url: str, student, plan) -> None:
    log_in(page, url, student.email, factories.PASSWORD)
    page.goto(f"{url}/plans/{plan.pk}/")


def open_edit(page: Page, title: str) -> None:
    page.get_by_role("link", name=re.compile(f"^Edit.*{title}")).click()
    expect(page.get_by_role("heading", name="Edit this task")).to_be_visible()
    page.wait_for_load_state()  # a heading is seen before the style is there


def test_an_edited_task_says_that_its_check_is_stale(
    gemini_site, gemini, phone: BrowserContext, student, plan
):
    page = phone.new_page()
    open_plan(page, gemini_site, student, plan)
    page.get_by_role("button", name=re.compile("^Start.*Know the risks")).click()
    page.get_by_label("Your message").fill("Two risks for riders: rain, and no bikes.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#turns .turn.copilot")).to_have_count(1)
    page.get_by_role("button", name=re.compile("^Check")).click()
    expect(page.get_by_role("button", name="Mark complete")).to_be_enabled()
    session_url = page.url

    page.goto(f"{gemini_site}/plans/{plan.pk}/")
    open_edit(page, "Know the risks")
    expect(page.get_by_text("Your last check will no longer count")).to_be_visible()
    page.get_by_role("textbox", name="Requirement 2").fill("Say which of them is worse")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved: requirements.")).to_be_visible()
    expect(page.get_by_role("heading", name="Know the risks")).to_be_focused()
    expect(page.get_by_text("Changed since its check")).to_be_visible()

    page.goto(session_url)
    expect(page.get_by_text("The task has changed since this check.")).to_be_visible()
    expect(page.get_by_role("heading", name="Say which of them is worse")).to_be_visible()
    expect(page.get_by_role("button", name="Mark complete")).to_be_disabled()


def test_without_a_script_the_last_task_asks_before_its_week_closes(
    rules_site, browser, student, plan
):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    open_plan(page, rules_site, student, plan)
    open_edit(page, "Know the risks")
    page.get_by_role("button", name="Drop this task").click()
    expect(page.get_by_role("heading", name="Close week 1 with it?")).to_be_visible()
    assert Action.objects.get(title="Know the risks").archived_at is None
    page.get_by_role("button", name="Drop it and close week 1").click()
    expect(page.get_by_text("“Know the risks” is dropped.")).to_be_visible()
    assert Week.objects.get(number=1).completed_at
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("This task is back in week 1, which is open again.")).to_be_visible()
    assert Week.objects.get(number=1).completed_at is None
    context.close()


def test_on_a_wide_page_the_kind_stands_beside_its_requirement(rules_site, browser, student, plan):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    open_plan(page, rules_site, student, plan)
    open_edit(page, "Know the risks")
    row = page.locator(".row-typed").first
    text, kind = (row.locator(name).bounding_box() for name in ("textarea", "select"))
    assert abs(text["y"] - kind["y"]) <= 2 and kind["x"] > text["x"] + text["width"]
    page.set_viewport_size({"width": 390, "height": 740})
    text, kind = (row.locator(name).bounding_box() for name in ("textarea", "select"))
    assert 0 < kind["y"] - (text["y"] + text["height"]) < 20
    context.close()


def test_by_keyboard_alone_a_task_moves_to_another_week(
    rules_site, phone: BrowserContext, student, plan
):
    page = phone.new_page()
    open_plan(page, rules_site, student, plan)
    tab_to(page, "Edit: Know the risks")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Edit this task")).to_be_visible()
    page.wait_for_load_state()  # a heading is seen before the style is there
    tab_to(page, "Week and place")
    page.get_by_label("Week and place").select_option(label="Week 2: first")
    tab_to(page, "Save")
    page.keyboard.press("Enter")
    expect(page.locator("#form-fault")).to_be_focused()
    expect(page.get_by_text("This is the last open task of week 1")).to_be_visible()
    tab_to(page, "Close week 1 when I save")
    page.keyboard.press("Space")
    tab_to(page, "Save")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Moved to week 2.")).to_be_visible()
    assert Week.objects.get(number=1).completed_at


class TestTypedText:
    """What is typed into the task's form, and what becomes of it."""

    @pytest.fixture
    def page(self, rules_site, phone: BrowserContext, student, plan) -> Page:
        page = phone.new_page()
        open_plan(page, rules_site, student, plan)
        open_edit(page, "Know the risks")
        page.get_by_label("Description").fill("Typed for an hour")
        page.get_by_role("textbox", name="Requirement 2").fill("Say which is worse")
        return page

    def test_it_outlives_a_reload_and_says_so(self, page: Page):
        page.reload()
        expect(page.get_by_label("Description")).to_have_value("Typed for an hour")
        expect(page.get_by_role("textbox", name="Requirement 2")).to_have_value(
            "Say which is worse"
        )
        expect(page.locator("[data-restored]")).to_be_visible()
        page.get_by_role("button", name="Begin without it").click()
        expect(page.get_by_label("Description")).to_have_value("")
        expect(page.locator("[data-restored]")).to_be_hidden()

    def test_saved_it_does_not_come_back(self, page: Page):
        url = page.url
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved: description, requirements.")).to_be_visible()
        Action.objects.filter(title="Know the risks").update(description="Changed elsewhere")
        page.goto(url)
        expect(page.get_by_label("Description")).to_have_value("Changed elsewhere")

    def test_sent_from_one_window_it_is_not_dropped_by_another(self, page: Page):
        """Until it has arrived, it may still be lost."""
        url = page.url
        page.route("**/edit/", lambda route: None)  # it never arrives
        page.get_by_role("button", name="Save").click(no_wait_after=True)
        other = page.context.new_page()
        other.goto(url.partition("/actions/")[0])
        other.goto(url)
        expect(other.get_by_label("Description")).to_have_value("Typed for an hour")

    def test_after_a_lost_connection_it_is_there_by_whatever_way_one_comes(self, page: Page):
        url = page.url
        page.context.set_offline(True)
        page.get_by_role("button", name="Save").click(no_wait_after=True)
        page.wait_for_timeout(500)  # for the browser's own error page
        page.context.set_offline(False)
        page.goto(url.partition("/actions/")[0])
        page.goto(url)
        expect(page.get_by_label("Description")).to_have_value("Typed for an hour")

    def test_cancelled_it_does_not_come_back(self, page: Page):
        url = page.url
        page.get_by_role("link", name="Cancel").click()
        page.wait_for_url(re.compile("/plans/"))
        page.goto(url)
        expect(page.get_by_label("Description")).to_have_value("")

    def test_put_back_it_is_still_typed_against_what_was_there_then(self, page: Page):
        Action.objects.filter(title="Know the risks").update(description="Changed elsewhere")
        page.reload()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("This task was changed after you opened it.")).to_be_visible()
        expect(page.get_by_text("Changed elsewhere")).to_be_visible()
        expect(page.get_by_label("Description")).to_have_value("Typed for an hour")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved: description, requirements.")).to_be_visible()

    def test_refused_it_outlives_leaving_the_page(self, page: Page):
        url = page.url
        page.get_by_label("Title").fill(" ")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Give the task a title.")).to_be_visible()
        page.goto(url)
        expect(page.get_by_label("Description")).to_have_value("Typed for an hour")

    def test_it_outlives_an_expired_login_and_a_reload_after_it(self, page: Page, student):
        Session.objects.all().delete()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="Log in")).to_be_visible()
        fill_login(page, student.email, factories.PASSWORD)
        for _ in range(2):
            expect(page.get_by_label("Description")).to_have_value("Typed for an hour")
            page.reload()

    def test_logging_out_forgets_it(self, page: Page, rules_site, student, plan):
        url = page.url
        page.get_by_role("button", name="Log out").click()
        open_plan(page, rules_site, student, plan)
        page.goto(url)
        expect(page.get_by_label("Description")).to_have_value("")
