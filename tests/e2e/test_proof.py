"""Proof of Work with real web processes and a real browser: gone everywhere at once, and worked by
keyboard, by finger, and without JavaScript."""

import re
import urllib.error
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from plans.models import Proof
from plans.proof import find_proof, share_plan
from tests import factories
from tests.e2e import faults
from tests.e2e.browser import log_in
from tests.e2e.keyboard import wait_until_settled
from tests.e2e.site import Client, run_site
from tests.finishing import finish

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 2
NO_CLIPBOARD = "delete Navigator.prototype.clipboard"
GONE = "There is nothing at this address"


@pytest.fixture
def plan(student):
    plan = factories.make_plan(student, title="A map of bikes")
    finish(factories.make_action(plan, "Know the risks"))
    factories.make_action(plan, "Draw the map")
    return plan


def post_form(client: Client, path: str) -> None:
    """What a tap on the plan page sends without JavaScript; follows to the plan page."""
    form = urllib.parse.urlencode({"csrfmiddlewaretoken": client.cookie("csrftoken")})
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(client.jar))
    with opener.open(f"{client.url}{path}", form.encode(), timeout=30) as answer:
        assert answer.status == 200


def visit(url: str, path: str) -> tuple[int, str | None, str]:
    """Status, cookie and words that a stranger gets."""
    try:
        answer = urllib.request.urlopen(f"{url}{path}", timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.headers["Set-Cookie"], answer.read().decode()


def test_withdrawn_in_one_process_is_gone_in_the_other(rules_site, student, plan):
    """Each tap in one process, each look in both; ten times, so that both have seen it before."""
    with run_site(GEMINI_API_KEY="") as other:
        owner = Client(rules_site).log_in(student.email, factories.PASSWORD)
        for _ in range(10):
            post_form(owner, f"/plans/{plan.pk}/share/")
            path = f"/proof/{find_proof(plan).token}/"
            for url in (other, rules_site, other):
                status, cookie, words = visit(url, path)
                assert (status, cookie) == (200, None) and "Know the risks" in words
            post_form(owner, f"/plans/{plan.pk}/withdraw/")
            for url in (other, rules_site, other):
                status, cookie, words = visit(url, path)
                assert (status, cookie) == (404, None) and GONE in words
    assert Proof.objects.count() == 10


def open_plan(page: Page, url: str, student, plan) -> None:
    log_in(page, url, student.email, factories.PASSWORD)
    page.goto(f"{url}/plans/{plan.pk}/")


def address_on(page: Page) -> str:
    return page.locator("#proof-address").inner_text()


@pytest.mark.browser
def test_by_keyboard_alone(rules_site, phone: BrowserContext, student, plan):
    """Share, copy, withdraw: the one live region says what happened, and the focus is kept."""
    phone.grant_permissions(["clipboard-read", "clipboard-write"], origin=rules_site)
    page = phone.new_page()
    open_plan(page, rules_site, student, plan)
    live = page.locator("[aria-live]")
    page.get_by_role("button", name="Share this plan").press("Enter")
    expect(live).to_have_text(re.compile("This plan is shared"))
    expect(page.get_by_role("heading", name=re.compile("Proof of Work"))).to_be_focused()
    wait_until_settled(page)
    page.keyboard.press("Tab")
    copy = page.get_by_role("button", name="Copy the address")
    expect(copy).to_be_focused()
    page.keyboard.press("Enter")
    expect(live).to_have_text("The address is copied.")
    expect(copy).to_be_focused()
    address = f"{rules_site}/proof/{find_proof(plan).token}/"
    assert address_on(page) == page.evaluate("navigator.clipboard.readText()") == address
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Open the page")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(live).to_have_text(re.compile("This plan is not shared"))
    expect(page.get_by_role("button", name="Share this plan")).to_be_visible()
    assert page.goto(address).status == 404


@pytest.mark.browser
def test_where_the_browser_gives_no_clipboard(rules_site, phone: BrowserContext, student, plan):
    """On an address without TLS, for example: the address is copied the old way, or selected."""
    share_plan(plan, by=student)
    phone.add_init_script(NO_CLIPBOARD)
    page = phone.new_page()
    open_plan(page, rules_site, student, plan)
    assert page.evaluate("navigator.clipboard") is None
    page.get_by_role("button", name="Copy the address").click()
    said = page.locator("[data-copied]")
    expect(said).to_have_text("The address is copied.")
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Copy the address").click()
    expect(said).to_have_text(re.compile("The address is selected"))
    assert page.evaluate("getSelection().toString()") == address_on(page)


@pytest.mark.browser
def test_without_javascript(rules_site, browser, student, plan):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    open_plan(page, rules_site, student, plan)
    page.get_by_role("button", name="Share this plan").click()
    expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    expect(page.get_by_role("button", name="Copy the address")).to_be_hidden()
    address = address_on(page)
    page.get_by_role("link", name="Open the page").click()
    expect(page.get_by_text("1 of 2 tasks is finished; work goes on.")).to_be_visible()
    assert page.url == address
    page.goto(f"{rules_site}/plans/{plan.pk}/")
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("button", name="Share this plan")).to_be_visible()
    assert page.goto(address).status == 404
    context.close()


@pytest.mark.browser
def test_words_nobody_should_write_are_held_at_any_width(rules_site, browser, student):
    plan = factories.make_plan(student, weeks=[LONG], title=LONG, goal=f"{LONG} {LONG}")
    kinds = ("checked", "by_rules", "self_reported")
    for kind in kinds:
        finish(factories.make_action(plan, LONG, requirements=[(LONG, "written")]), kind)
    path = f"/proof/{share_plan(plan, by=student).token}/"
    page = browser.new_page()
    page.goto(f"{rules_site}{path}")
    expect(page.locator(".task")).to_have_count(3)
    for width in (320, 360, 768, 1280, 2560):
        page.set_viewport_size({"width": width, "height": 740})
        assert faults.find_layout_faults(page) == [], width
    assert faults.find_axe_faults(page) == []
    assert page.evaluate("document.scripts.length") == 0
