"""Hostile text in every field a student can write, and in what a model says, in a real browser."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from plans.models import Plan
from tests import factories
from tests.e2e import faults
from tests.e2e.hostile import CORPUS, LINE, MARKUP, RUN
from tests.fakes import replies
from tests.screens.scene import make_answer
from tests.screens.visits import log_in, run_sites

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
HIDDEN = """() => [...document.querySelectorAll(".turn, h1, .task")]
  .filter((each) => !each.checkVisibility()).map((each) => `hidden: ${each.textContent}`)"""
ALIVE = r"""() => [...document.querySelectorAll(`
  main script, main iframe, main base, main style, main meta, main [hx-on\\:load], img,
  a[href^=javascript], [onload], [onerror], [onfocus]`
)].map((each) => `alive: ${each.outerHTML.slice(0, 120)}`)"""
# "your message" after a quote must still read from left to right.
TURNED = """() => [...document.querySelectorAll(".cited, .from, .state")].flatMap((each) => {
  const last = each.lastChild.nodeType === Node.TEXT_NODE ? each.lastChild : each.firstChild;
  const at = (place) => {
    const range = document.createRange();
    range.setStart(last, place);
    range.setEnd(last, place + 1);
    return range.getBoundingClientRect();
  };
  const word = last.data?.search(/[a-z]{2}/i) ?? -1;
  if (word < 0) return [];
  const [one, two] = [at(word), at(word + 1)];
  return one.top === two.top && one.left > two.left ? [each.textContent.slice(0, 80)] : [];
})"""


@pytest.fixture
def hostile_plan(transactional_db):
    """A plan in which every text is hostile, as a careless planner may make it."""
    student = factories.make_student(first_name=MARKUP[0][:LINE])
    lines = [text.replace("\x00", "")[:LINE] for text in CORPUS]
    plan = factories.make_plan(
        student, weeks=lines[:2], title=lines[1], goal="\n".join(CORPUS)[:2000]
    )
    for place, line in enumerate(lines):
        action = factories.make_action(
            plan, line, description=CORPUS[place], requirements=[(line, "either")]
        )
        if place % 3 == 2:
            action.update_status("in_progress", by=student)
    return plan


def echo(request):
    """A model that says what the student said."""
    contents = request.body.get("contents", [])
    said = [part.get("text", "") for each in contents for part in each.get("parts", [])]
    if request.schema is None:
        return replies.text(said[-1] or "Nothing.")
    note, quote = MARKUP[0], CORPUS[13]
    return replies.json(make_answer([("not_met", note, (CORPUS.index(quote) * 2 + 1, quote))]))


def find_harm(page: Page) -> list[str]:
    """Whatever came alive, and whatever the text did to the page around it, on a phone."""
    ran = page.evaluate("window.hit") is not None
    return [
        *(["a script ran"] if ran else []),
        *page.evaluate(ALIVE),
        *page.evaluate(TURNED),
        *faults.find_layout_faults(page),
        *page.evaluate(HIDDEN),
    ]


def test_no_text_does_harm(hostile_plan, gemini, browser):
    plan: Plan = hostile_plan
    gemini.respond = echo
    login = log_in(plan.owner)
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    heard = faults.watch(page)
    with run_sites(gemini) as address:
        url = address("model")
        harm = [*log_in_with_hostile_names(page, url)]
        context.add_cookies([{"name": "sessionid", "value": login, "url": url}])
        for path in ("/", f"/plans/{plan.pk}/", f"/plans/{plan.pk}/progress/"):
            page.goto(url + path)
            harm += find_harm(page)
        page.goto(f"{url}/plans/{plan.pk}/")
        page.locator(".task.not_started form button").first.click()
        page.wait_for_url("**/sessions/**")
        harm += say_everything(page)
        harm += check_and_contest(page)
        harm += send_without_token(page)
    assert harm == [] and heard == []
    assert User.objects.exists() and Plan.objects.get().pk == plan.pk


def log_in_with_hostile_names(page: Page, url: str):
    for text in (MARKUP[3], "\u202egro.elpmaxe@arim"):
        page.goto(f"{url}/login/?next=javascript:{RUN}")
        page.locator("#id_username").evaluate("(box, text) => { box.value = text; }", text)
        page.get_by_label("Password").fill(text)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_text("do not belong together")).to_be_visible()
        yield from find_harm(page)


def say_everything(page: Page):
    """Every text as a message, which the copilot repeats; and once more as a page of its own."""
    for place, text in enumerate(CORPUS):
        page.get_by_label("Your message").fill(text)
        page.get_by_role("button", name="Send").click()
        expect(page.locator(f"#turn-{2 * place + 2}.copilot")).to_be_attached()
    yield from find_harm(page)
    page.reload()
    while (earlier := page.get_by_role("link", name="Earlier messages")).count():
        oldest = page.locator("#turns .turn").first.get_attribute("id")
        earlier.click()
        expect(page.locator("#turns .turn").first).not_to_have_id(oldest)
    yield from find_harm(page)
    stored = page.locator("#turns .turn.student .bubble").all_inner_texts()
    assert len(stored) == len(CORPUS)
    assert MARKUP[0] in stored[0]


def check_and_contest(page: Page):
    """The judge quotes and notes hostile text; the student contests with one, and too long."""
    page.get_by_role("button", name="Check").click()
    page.get_by_role("link", name="Contest it").click()
    yield from find_harm(page)
    page.get_by_label("What did it miss?").fill(MARKUP[3] * 60)
    page.get_by_role("button", name="Send to a person").click()
    expect(page.get_by_text("and one message holds").first).to_be_visible()
    yield from find_harm(page)
    page.get_by_label("What did it miss?").fill(MARKUP[3])
    page.get_by_role("button", name="Send to a person").click()
    expect(page.get_by_text("A person will look").first).to_be_visible()
    yield from find_harm(page)


def send_without_token(page: Page):
    page.get_by_label("Your message").fill(MARKUP[3])
    page.context.clear_cookies(name="csrftoken")
    page.evaluate("document.getElementById('composer').submit()")
    expect(page.get_by_role("heading", name="That was not sent yet")).to_be_visible()
    yield from find_harm(page)


def test_control_text_that_is_not_escaped_does_harm(browser, transactional_db):
    page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    heard = faults.watch(page)
    for text in MARKUP[:4]:
        page.set_content(f"<main><h1>A page</h1>{text}</main>")
        page.wait_for_function("window.hit")
        assert find_harm(page) and heard
        heard.clear()
    page.set_content(f"<p class='cited'>“{CORPUS[13]}\u202e” — your message</p>")
    assert find_harm(page) != []
