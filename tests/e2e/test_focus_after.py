"""Where the focus is after a change that leads back to a long page, with and without a script."""

import re

import pytest
from playwright.sync_api import Page, expect

from plans.status import self_report
from tests import factories
from tests.e2e.browser import log_in

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
NOTHING = "Nothing was different"
PLAIN = {"title": "", "description": "", "tasks": []}


@pytest.fixture
def plan(student):
    weeks = ("Know", "Draw", "Publish")
    plan = factories.make_plan(student, title="A map of bikes", weeks=weeks)
    for week in plan.weeks.all():
        for number in range(1, 5):
            factories.make_action(week, f"{week.title} {number}")
    return plan


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(request, browser):
    context = browser.new_context(
        java_script_enabled=request.param, viewport={"width": 390, "height": 740}
    )
    yield context.new_page()
    context.close()


def open_at(page: Page, url: str, student, path: str) -> None:
    log_in(page, url, student.email, factories.PASSWORD)
    page.goto(url + path)


def see_said(page: Page, words: str, heading: str) -> None:
    """The heading has the focus; what is said stands once, beside it, and can be seen."""
    expect(page.get_by_role("heading", name=heading)).to_be_focused()
    expect(page.get_by_text(words)).to_have_count(1)
    expect(page.get_by_text(words)).to_be_in_viewport()


def test_a_task_saved_as_it_was(rules_site, page, student, plan):
    open_at(page, rules_site, student, f"/plans/{plan.pk}/")
    page.get_by_role("link", name=re.compile("^Edit.*Publish 3")).click()
    page.get_by_role("button", name="Save").click()
    see_said(page, NOTHING, "Publish 3")


def test_a_task_that_is_complete_by_now(rules_site, page, student, plan):
    action = plan.weeks.get(number=3).actions.get(title="Publish 3")
    self_report(action, by=student)
    open_at(page, rules_site, student, f"/actions/{action.pk}/edit/")
    see_said(page, "This task is complete.", "Publish 3")


def test_a_weeks_text(rules_site, page, student, plan):
    open_at(page, rules_site, student, f"/weeks/{plan.weeks.get(number=3).pk}/edit/")
    page.get_by_label("Title").fill("Put it up")
    page.get_by_role("button", name="Save").click()
    see_said(page, "The week’s text is saved.", "Week 3 — Put it up")
    page.reload()
    expect(page.get_by_text("The week’s text is saved.")).to_have_count(0)


def test_a_task_reported_done(rules_site, page, student, plan):
    action = plan.weeks.get(number=3).actions.get(title="Publish 3")
    open_at(page, rules_site, student, f"/actions/{action.pk}/status/")
    page.get_by_role("button", name="Mark as self-reported").click()
    see_said(page, "is marked done, self-reported.", "Publish 3")


def test_a_week_of_a_draft_and_its_title(rules_site, page, student):
    draft = factories.make_draft(student)
    weeks = [draft.proposal["weeks"][0], *({**PLAIN, "title": f"Plain {n}"} for n in (2, 3))]
    draft.proposal["weeks"] = weeks
    draft.save()
    open_at(page, rules_site, student, f"/plans/drafts/{draft.pk}/weeks/3/")
    page.get_by_label("Title of the week").fill("Put it up")
    page.get_by_role("button", name="Save week 3").click()
    expect(page.locator("#week-3 summary")).to_be_focused()
    expect(page.get_by_text("Saved. What code can check was checked again")).to_be_in_viewport()
    page.goto(f"{rules_site}/plans/drafts/{draft.pk}/text/")
    page.get_by_label("Title of the plan").fill("Beds and water")
    page.get_by_role("button", name="Save").click()
    see_said(page, "Saved. What code can check was checked again", "Beds and water")


def test_an_anchor_would_keep_the_focus_away(rules_site, page, student, plan):
    """The control: the same page, gone to by an anchor as it used to be."""
    action = plan.weeks.get(number=3).actions.get(title="Publish 3")
    open_at(page, rules_site, student, f"/plans/{plan.pk}/?at={action.pk}#task-{action.pk}")
    expect(page.get_by_role("heading", name="Publish 3")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Publish 3")).not_to_be_focused()


def test_by_keyboard_cancel_leads_back_to_the_task(rules_site, page, student, plan):
    """An anchor without a change: the next Tab goes on inside the task."""
    open_at(page, rules_site, student, f"/plans/{plan.pk}/")
    page.get_by_role("link", name=re.compile("^Edit.*Publish 3")).click()
    page.get_by_role("link", name="Cancel").click()
    task = page.locator(".task", has_text="Publish 3")
    expect(task).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(task.locator(":focus")).to_have_count(1)
