"""A conversation in a real browser while the replies are made, under the fake server's control."""

import re
import threading
import urllib.request
from contextlib import ExitStack

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from plans.models import Action, Completion, FollowUp
from sessions.lifecycle import open_session
from sessions.models import Turn
from tests import factories
from tests.e2e import faults
from tests.e2e.site import Client, run_site
from tests.e2e.wire import run_wire
from tests.fakes import replies
from tests.screens.visits import log_in

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
TEXT = "Two risks: rain, and no bikes."
CALL = {"functionCall": {"name": "mark_task_in_progress", "args": {}, "id": "call-1"}}


@pytest.fixture
def action(student):
    plan = factories.make_plan(student, title="A map of bikes")
    return factories.make_action(plan, "Know the risks")


@pytest.fixture
def gate():
    """Holds a reply until a test lets it go on; in the end it holds nobody."""
    gate = threading.Event()
    yield gate
    gate.set()


@pytest.fixture
def login(student, action):
    """Made before the browser starts, beside which Django would refuse the database."""
    return log_in(student), open_session(action, student).pk


@pytest.fixture
def page(login, gemini_site, gemini, phone: BrowserContext):
    cookie, session_id = login
    page = phone.new_page()
    heard = faults.watch(page)
    phone.add_cookies([{"name": "sessionid", "value": cookie, "url": gemini_site}])
    page.goto(f"{gemini_site}/sessions/{session_id}/")
    yield page
    assert heard == []


def send(page: Page, text: str = TEXT) -> None:
    page.get_by_label("Your message").fill(text)
    page.get_by_role("button", name="Send").click()


def words(page: Page):
    return page.locator("[data-live-words]")


def stored(page: Page):
    """Copilot's turns that the server has."""
    return page.locator("#turns .turn.copilot")


def student_turns(page: Page):
    return page.locator("#turns .turn.student")


def expect_stored(page: Page, text: str) -> None:
    expect(stored(page)).to_have_text(re.compile(text))
    expect(page.locator(".answering")).to_have_count(0)
    expect(student_turns(page)).to_have_count(1)
    assert Turn.objects.filter(role="student").count() == 1


def test_words_are_there_before_the_reply_is(page, gemini, gate):
    gemini.enqueue(replies.streamed("**What** have", gate, " you tried <b>so</b> far?"))
    send(page)
    expect(words(page)).to_have_text("**What** have")
    expect(student_turns(page)).to_have_text(re.compile(TEXT))
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.locator("[aria-live]")).not_to_contain_text("What")
    assert faults.find_layout_faults(page) == [] and faults.find_small_targets(page) == []
    assert not Turn.objects.filter(role="copilot").exists()
    gate.set()
    expect_stored(page, r"What have you tried <b>so</b> far\?")
    expect(stored(page).locator("strong")).to_have_text("What")
    expect(page.locator("[aria-live]")).to_contain_text("you tried <b>so</b> far?")
    expect(page.get_by_label("Your message")).to_be_focused()
    expect(page.get_by_label("Your message")).to_have_value("")
    assert gemini.calls == 1


def test_stop_keeps_what_has_come(page, gemini, gate):
    gemini.enqueue(replies.streamed("Count them first. ", gate, "Then write."))
    send(page)
    expect(words(page)).to_have_text("Count them first. ")
    page.get_by_role("button", name="Stop").press("Enter")
    expect_stored(page, "Count them first.")
    expect(page.get_by_text("You stopped this answer here.")).to_be_visible()
    expect(page.get_by_role("button", name="Ask again")).to_have_count(0)
    assert gemini.requests[0].closed.wait(5)
    reply = Turn.objects.get(role="copilot")
    assert (reply.text, reply.is_stopped) == ("Count them first.", True)


def test_stop_before_the_first_word(page, gemini, gate):
    gemini.enqueue(replies.streamed(gate, "Then write."))
    send(page)
    assert gemini.wait_for(1, 10)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("You stopped this answer before it began.").first).to_be_visible()
    gemini.enqueue(replies.text("Here I am."))
    page.get_by_role("button", name="Ask again").click()
    expect_stored(page, "Here I am.")


def test_a_tool_in_the_middle(page, gemini, gate, action):
    gemini.enqueue(
        replies.streamed("I note that you begin.", CALL),
        replies.streamed("What did you", gate, " find?"),
    )
    send(page)
    expect(words(page)).to_have_text("I note that you begin.\n\nWhat did you")
    action.refresh_from_db()
    assert action.status == "in_progress"
    gate.set()
    expect_stored(page, "I note that you begin.\\s*What did you find?")


def test_an_error_in_the_middle(page, gemini, gate):
    """The words that came are no reply: they go, and asking again asks for the same turn."""
    gemini.enqueue(replies.broken_stream("Half a sentence ", gate))
    send(page)
    expect(words(page)).to_have_text("Half a sentence ")
    gate.set()
    expect(page.get_by_text("The copilot could not answer just now.").first).to_be_visible()
    expect(page.locator("#turns")).not_to_contain_text("Half a sentence")
    assert not Turn.objects.filter(role="copilot").exists()
    assert Turn.objects.get().no_reply_reason == "unreachable"
    second = threading.Event()
    gemini.enqueue(replies.streamed("Here ", second, "I am."))
    page.get_by_role("button", name="Ask again").click()
    expect(words(page)).to_have_text("Here ")
    second.set()
    expect_stored(page, "Here I am.")


def test_reloading_in_the_middle(page, gemini, gate):
    gemini.enqueue(replies.streamed("What have ", gate, "you tried?"))
    send(page)
    expect(words(page)).to_have_text("What have ")
    page.reload()
    expect(words(page)).to_have_text("What have ")
    expect(page.get_by_role("button", name="Ask again")).to_have_count(0)
    page.get_by_label("Your message").fill("And one more thing")
    gate.set()
    expect_stored(page, "What have you tried?")
    expect(page.get_by_label("Your message")).to_have_value("And one more thing")
    assert gemini.calls == 1


def test_a_lost_connection_loses_nothing(page, gemini, gate):
    """The request with the message breaks off; the server goes on, and the page follows it."""
    gemini.enqueue(replies.streamed("What have ", gate, "you tried?"))
    send(page)
    expect(words(page)).to_have_text("What have ")
    page.evaluate("lost = true; htmx.trigger('#composer', 'htmx:abort')")
    expect(page.locator("#composer")).not_to_have_class(re.compile("htmx-request"))
    page.get_by_label("Your message").fill("Something typed since")
    gate.set()
    expect_stored(page, "What have you tried?")
    expect(page.get_by_label("Your message")).to_have_value("Something typed since")
    assert gemini.calls == 1


def test_when_all_is_lost_sending_again_sends_nothing_twice(page, gemini, gate):
    gemini.enqueue(replies.streamed("What have ", gate, "you tried?"))
    page.route("**/live/**", lambda route: route.abort())
    page.route("**/turns/", pass_on_and_lose)
    send(page)
    expect(page.get_by_text("The connection was lost.").first).to_be_visible()
    assert gemini.wait_for(1, 10)
    expect(page.get_by_label("Your message")).to_have_value(TEXT)
    expect(page.locator(".answering")).to_be_hidden()
    page.unroute("**/live/**")
    page.unroute("**/turns/")
    page.get_by_role("button", name="Send").click()
    expect(words(page)).to_have_text("What have ")
    gate.set()
    expect_stored(page, "What have you tried?")
    assert gemini.calls == 1


def pass_on_and_lose(route: Route) -> None:
    """The server gets the message, and the page never hears of it."""
    asked = route.request
    cookies = asked.frame.page.context.cookies()
    headers = dict(asked.headers)
    headers["cookie"] = "; ".join(f"{each['name']}={each['value']}" for each in cookies)
    same = urllib.request.Request(asked.url, asked.post_data_buffer, headers)
    threading.Thread(target=lambda: urllib.request.urlopen(same, timeout=30).close()).start()
    route.abort("connectionreset")


def test_a_claim_is_answered_by_what_is_stored(page, gemini, action):
    call = {"functionCall": {"name": "mark_task_completed", "args": {"reason": "x"}, "id": "a"}}
    gemini.enqueue(replies.streamed(call), replies.text("I have marked it complete."))
    send(page, "I am done.")
    expect_stored(page, "I have marked it complete.")
    note = page.locator("#turns .turn.copilot .not-marked")
    expect(note).to_contain_text("Not marked This task is still open.")
    assert Action.objects.get(pk=action.pk).status == "not_started"
    assert not Completion.objects.exists() and not FollowUp.objects.exists()
    gemini.enqueue(replies.text("Let us look at the count."))
    send(page, "Did you save my progress?")
    expect(note).to_have_count(2)
    expect(note.last).to_contain_text("Your messages here are kept.")
    assert "Messages of theirs in this session that are kept: 2" in gemini.requests[-1].system


def test_the_line_is_dead_for_a_while(page, gemini, gate, gemini_site):
    """Message and preview both break off; the preview resumes by itself, and leads to the reply."""
    gemini.enqueue(replies.streamed("What have ", gate, "you tried?"))
    with run_wire(gemini_site) as wire:
        page.goto(page.url.replace(gemini_site, wire.url))
        send(page)
        expect(words(page)).to_have_text("What have ")
        wire.cut()
        expect(page.get_by_text("The connection was lost.").first).to_be_visible()
        expect(words(page)).to_have_text("What have ")
        gate.set()
        wire.mend()
        expect_stored(page, "What have you tried?")
        expect(page.get_by_label("Your message")).to_have_value("")
    assert gemini.calls == 1


def test_code_is_copied(page, gemini, gemini_site):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=gemini_site)
    gemini.enqueue(replies.text("For books:\n\n```sql\nSELECT 1;\nSELECT '<b>';\n```"))
    send(page)
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("[aria-live]")).to_have_text("The code is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "SELECT 1;\nSELECT '<b>';"


def test_followers_starve_no_other_page(transactional_db, gemini, student, action):
    """Three follow replies that never come, where the pool has one connection."""
    session = open_session(action, student)
    with ExitStack() as open_streams:
        url = open_streams.enter_context(run_site(GEMINI_API_KEY="k", DATABASE_POOL_SIZE="1"))
        client = Client(url).log_in(student.email, factories.PASSWORD)
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(client.jar))
        for number in range(3):
            path = f"/sessions/{session.pk}/live/?turn=none&try={number}"
            stream = open_streams.enter_context(opener.open(url + path, timeout=30))
            assert stream.readline() == b"retry: 1000\n"
        assert client.call("GET", "plans")[0] == 200
