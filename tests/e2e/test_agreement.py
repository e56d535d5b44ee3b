"""Agreeing in a real browser: what is typed survives, what is confirmed stands, nothing else."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from plans.agreed_rows import AgreedRow
from plans.models import Action, Requirement
from tests import factories
from tests.e2e.browser import log_in
from tests.fakes import replies

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def page(gemini_site, phone: BrowserContext, student) -> Page:
    plan = factories.make_plan(student, title="A map of bikes")
    factories.make_action(plan, "Know the risks")
    page = phone.new_page()
    log_in(page, gemini_site, student.email, factories.PASSWORD)
    page.get_by_role("link", name="A map of bikes").first.click()
    page.get_by_role("button", name=re.compile("^Start")).first.click()
    page.wait_for_url(re.compile("/sessions/"))
    return page


def line(page: Page, number: int):
    return page.get_by_label(f"Line {number}", exact=True)


def agreed() -> list[str]:
    rows = Requirement.objects.filter(origin="agreed").order_by("position")
    return list(rows.values_list("title", flat=True))


def test_lines_are_kept_until_they_are_confirmed(page: Page):
    page.get_by_text("A second and third line").click()
    line(page, 1).fill("You draw the harbour")
    line(page, 3).fill("x" * 301)
    page.reload()
    expect(line(page, 1)).to_have_value("You draw the harbour")
    expect(line(page, 3)).to_be_visible()

    page.get_by_role("button", name="Confirm these lines").click()
    expect(page.get_by_text("and a line holds 300").first).to_be_visible()
    page.reload()
    expect(line(page, 2)).to_have_value("x" * 301)  # the empty line between them is left out
    assert agreed() == []

    line(page, 2).fill("You write why")
    page.get_by_label("Your message").fill("A message that is not sent yet.")
    page.get_by_role("button", name="Confirm these lines").click()
    expect(page.get_by_text("Agreed. It stands").first).to_be_visible()
    assert agreed() == ["You draw the harbour", "You write why"]
    expect(page.locator("#check")).to_contain_text("You draw the harbour")
    expect(page.locator("#agreement-title")).to_be_focused()
    expect(page.get_by_label("Your message")).to_have_value("A message that is not sent yet.")


def test_a_kept_line_does_not_hide_a_proposal(page: Page):
    page.get_by_label("Your message").fill("I want to show what I found.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#turns .turn.copilot")).to_have_count(1)
    line(page, 1).fill("You write why")
    page.get_by_role("button", name="Ask for a proposal").click()
    expect(page.get_by_text("A proposal from your conversation.").first).to_be_visible()
    for _ in range(2):
        expect(line(page, 1)).to_have_value("You write why")
        expect(line(page, 2)).to_have_value("You show what you found in one picture")
        page.reload()
    assert agreed() == []


def test_what_is_typed_outlives_an_agreement_in_another_window(page: Page):
    """It is put back, and what stands by then is neither hidden nor replaced unseen."""
    line(page, 1).fill("You draw the harbour")
    other = page.context.new_page()
    other.goto(page.url)
    line(other, 1).fill("You draw the pier")
    other.get_by_role("button", name="Confirm these lines").click()
    expect(other.get_by_text("Agreed. It stands").first).to_be_visible()
    page.get_by_role("button", name="Confirm these lines").click()
    expect(page.get_by_text("Compare what you typed with what stands now").first).to_be_visible()
    expect(page.locator(".agreed-lines")).to_contain_text("You draw the pier")
    page.reload()
    expect(line(page, 1)).to_have_value("You draw the harbour")
    assert agreed() == ["You draw the pier"]
    page.get_by_role("button", name="Confirm the change").click()
    expect(page.get_by_text("Agreed. It stands").first).to_be_visible()
    assert agreed() == ["You draw the harbour"]


def test_taking_back_what_another_window_changed_is_said_once(page: Page):
    line(page, 1).fill("You draw the harbour")
    page.get_by_role("button", name="Confirm these lines").click()
    expect(page.get_by_text("Agreed. It stands").first).to_be_visible()
    action = Action.objects.get()
    action.agree_on([AgreedRow("You draw the pier")], by=action.week.plan.owner)
    page.get_by_text("Change what was agreed").click()
    page.get_by_role("button", name="Take back what we agreed").click()
    expect(page.get_by_text("Compare what you typed with what stands now").first).to_be_visible()
    assert agreed() == ["You draw the pier"]
    page.get_by_role("button", name="Take back what we agreed").click()
    expect(page.get_by_text("Taken back.").first).to_be_visible()
    assert agreed() == []


def test_while_a_proposal_is_made_no_line_can_be_typed_and_lost(page: Page, gemini):
    page.get_by_label("Your message").fill("I want to show what I found.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#turns .turn.copilot")).to_have_count(1)
    proposal = {"lines": [{"title": "You show what you found", "evidence_kind": "shown"}]}
    gemini.enqueue(replies.delay(2, replies.json(proposal)))
    page.get_by_role("button", name="Ask for a proposal").click()
    expect(line(page, 1)).not_to_be_editable()
    expect(page.get_by_text("A proposal from your conversation.").first).to_be_visible()
    expect(line(page, 1)).to_be_editable()
