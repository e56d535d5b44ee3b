"""A plan from a description to its page, in a real browser; the test takes the worker's steps."""

import pytest
from django.db import connections
from playwright.sync_api import BrowserContext, expect

from plans.making import steps
from plans.models import Plan, PlanDraft
from tests import factories
from tests.e2e.browser import log_in
from tests.fakes import replies
from tests.plans.making.proposals import answer, make_data, plant_three_faults

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
PROJECT = "A page that lists the beds of our school garden and who waters them."


def test_described_watched_changed_and_accepted(
    gemini_site, gemini, phone: BrowserContext, student
):
    page = phone.new_page()
    log_in(page, gemini_site, student.email, factories.PASSWORD)
    page.get_by_role("link", name="Plan a new project").click()
    page.get_by_label("Your project").fill(PROJECT)
    page.get_by_role("button", name="Propose a plan").click()
    expect(page.get_by_text("Your plan is about to be made.")).to_be_visible()

    draft = PlanDraft.objects.get(owner=student)
    gemini.enqueue(
        replies.json(plant_three_faults()), replies.json(answer()), replies.json(make_data())
    )
    gemini.enqueue(replies.json(answer()))
    while steps.advance(draft.pk):
        connections.close_all()
    expect(page.get_by_text("Your plan is ready.").first).to_be_visible()

    page.get_by_role("link", name="Change week 1").click()
    page.get_by_label("Title of the week").fill("Find every bed")
    page.get_by_role("button", name="Save week 1").click()
    expect(page.get_by_role("heading", name="Week 1 — Find every bed")).to_be_visible()
    page.get_by_role("button", name="Accept this plan").click()
    expect(page.get_by_text("Your plan is made.")).to_be_visible()
    expect(page.get_by_role("heading", name="Week 1 — Find every bed")).to_be_visible()
    assert Plan.objects.get(owner=student).weeks.get(number=1).title == "Find every bed"


def test_a_description_and_a_week_outlive_a_reload(gemini_site, phone: BrowserContext, student):
    page = phone.new_page()
    log_in(page, gemini_site, student.email, factories.PASSWORD)
    page.goto(f"{gemini_site}/plans/new/")
    page.wait_for_load_state()
    page.get_by_label("Your project").fill(PROJECT)
    page.get_by_label("Number of weeks").fill("7")
    page.get_by_label("I am experienced").check()
    page.reload()
    expect(page.get_by_label("Your project")).to_have_value(PROJECT)
    expect(page.get_by_label("Number of weeks")).to_have_value("7")
    expect(page.get_by_label("I am experienced")).to_be_checked()
    page.get_by_role("button", name="Propose a plan").click()
    expect(page.get_by_text("Your plan is about to be made.")).to_be_visible()
    page.goto(f"{gemini_site}/plans/new/")
    expect(page.get_by_label("Your project")).to_have_value("")

    week = f"{gemini_site}/plans/drafts/{factories.make_draft(student).pk}/weeks/1/"
    page.goto(week)
    page.wait_for_load_state()
    new = page.locator("fieldset, section, li, div").get_by_label("Title", exact=True).last
    new.fill("A task of my own")
    page.locator("[name$='.gone']").first.check()
    page.reload()
    expect(new).to_have_value("A task of my own")
    expect(page.locator("[name$='.gone']").first).to_be_checked()
    expect(page.locator("[data-restored]")).to_be_visible()
