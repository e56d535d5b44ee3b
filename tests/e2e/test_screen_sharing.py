"""Sharing the screen in a real browser: what is sent and when, and what the student is told."""

import io
import re
import zlib
from collections.abc import Iterator

import pytest
from django.db import connections
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect

from elivio.embedded.processes import wait_until
from sessions import frames
from sessions.images import LONGEST_SIDE
from sessions.lifecycle import end_session, open_session
from sessions.models import CopilotSession, Picture, Turn
from sessions.transcript import add_student_turn
from tests import factories
from tests.e2e import faults
from tests.e2e.browser import log_in, run_browser
from tests.sessions.hostile_images import png

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
SCREEN = "A screen full of work"
SHOWING = f"<title>{SCREEN}</title><body style='background: teal'><h1>Open | 51</h1>"
CHOOSE = f"--auto-select-tab-capture-source-by-title={SCREEN}"
REFUSAL = """navigator.mediaDevices.getDisplayMedia = async () => {
  throw new DOMException("Permission denied", "NotAllowedError");
}"""
NEVER = 3600  # seconds: no picture is sent but at the start and before a check
FRESH_LIMIT = re.compile(r"const FRESH_LIMIT = [\d_]+;")
# What the page asked for, in order: the last part of each address.
LISTEN = """() => {
  window.asked = [];
  const { fetch } = window;
  window.fetch = (url, how) => { asked.push("frame"); return fetch(url, how); };
  document.addEventListener("htmx:beforeSend", (event) =>
    asked.push(event.detail.pathInfo.requestPath.split("/").at(-2)));
}"""


@pytest.fixture
def browser(transactional_db, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """A browser that shares the tab of our title, without asking anybody."""
    with run_browser(CHOOSE) as browser:
        monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield browser
        connections.close_all()


@pytest.fixture
def session(student) -> CopilotSession:
    rows = [("Name two risks for riders", "written"), ("Show the count by status", "shown")]
    plan = factories.make_plan(student, title="A map of bikes")
    action = factories.make_action(plan, "Know the risks", requirements=rows)
    session = open_session(action, student)
    add_student_turn(session.pk, "Two risks for riders: rain, and no bikes.", None)
    return session


def visit(browser: Browser, site: str, session: CopilotSession, script: str = "") -> Page:
    """The session's page; what is on the screen is another tab."""
    context = browser.new_context()
    context.new_page().set_content(SHOWING)
    page = context.new_page()
    if script:
        page.add_init_script(script)
    log_in(page, site, session.student.email, factories.PASSWORD)
    page.goto(f"{site}/sessions/{session.pk}/")
    return page


def be_patient(page: Page) -> None:
    """From the next load on a check waits for its picture as long as that takes: on a slow machine
    it would otherwise go on without."""

    def serve(route: Route) -> None:
        answer = route.fetch()
        script, found = FRESH_LIMIT.subn("const FRESH_LIMIT = 60_000;", answer.text())
        assert found == 1, "the limit is no longer where it was"
        route.fulfill(response=answer, body=script)

    page.route("**/share.js", serve)


def share(page: Page, every: float = NEVER) -> None:
    page.evaluate("(every) => { document.getElementById('screen').dataset.every = every }", every)
    page.get_by_role("button", name="Share my screen").click()
    expect(page.get_by_text("Newest picture of your screen:")).to_be_visible()


def stored(session: CopilotSession) -> list[frames.StoredFrame]:
    return frames.read_frames(session.pk)


def test_a_shared_screen_is_sent_again_and_again(gemini_site, gemini, browser, session):
    page = visit(browser, gemini_site, session)
    heard = faults.watch(page)
    expect(page.get_by_text("No picture of it yet.")).to_be_visible()
    share(page, every=0.2)
    expect(page.get_by_text("Sharing", exact=True)).to_be_visible()
    expect(page.locator("#screen time")).to_have_text(re.compile(r"\d+ seconds?"))
    first = stored(session)[-1]
    with Image.open(io.BytesIO(first.jpeg)) as image:
        red, green, blue = image.convert("RGB").getpixel((image.width - 5, image.height - 5))
    assert not first.is_black and red < 60 < green and blue > 60  # teal
    assert wait_until(lambda: stored(session)[-1].received_at > first.received_at, 20)
    assert len(stored(session)) <= frames.KEPT

    page.get_by_role("button", name="Stop sharing").click()
    expect(page.get_by_text("You stopped sharing.").first).to_be_visible()
    expect(page.get_by_text("Sharing", exact=True)).to_be_hidden()
    expect(page.locator("#live")).to_have_text("You stopped sharing.")
    page.reload()
    expect(page.get_by_text("Newest picture of your screen:")).to_be_visible()
    assert heard == []


def test_a_check_and_a_tap_send_the_screen_first(gemini_site, gemini, browser, session):
    """And the panel outlives the swaps of the parts beside it."""
    page = visit(browser, gemini_site, session)
    be_patient(page)
    page.reload()
    page.evaluate(LISTEN)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("button", name="Check again")).to_be_enabled()
    assert page.evaluate("asked") == ["check"]  # nothing is shared yet
    share(page)
    before = stored(session)[-1].received_at
    with page.expect_response(re.compile("/check/$")):
        page.get_by_role("button", name="Check again").click()
    assert page.evaluate("asked") == ["check", "frame", "frame", "check"]
    expect(page.get_by_role("button", name="Check again")).to_be_enabled()
    assert stored(session)[-1].received_at > before
    judged = gemini.requests[-1]
    assert "inline_data" in str(judged.body["contents"])
    page.get_by_label("Your message").fill("The count by status: Open 51, Closed 13")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#turns .turn.copilot")).to_have_count(1)
    expect(page.get_by_role("button", name="Stop sharing")).to_be_visible()
    with page.expect_response(re.compile("/check/$")):
        page.get_by_role("button", name="Check again").click()
    page.get_by_role("button", name="Mark complete").click()
    expect(page.get_by_role("heading", name="Task complete")).to_be_visible()
    assert page.evaluate("asked").count("frame") == 4
    expect(page.get_by_text("no longer shared, as this session is over").first).to_be_visible()
    expect(page.locator("#live")).to_contain_text("no longer shared")


def test_what_goes_wrong_is_said(gemini_site, gemini, browser, session):
    page = visit(browser, gemini_site, session)
    share(page, every=0.2)
    frames_url = re.compile("/frames$")
    page.route(frames_url, lambda route: route.abort())
    expect(page.get_by_text("the connection was lost").first).to_be_visible()
    page.unroute(frames_url)
    expect(page.locator("#screen [data-told]")).to_be_hidden()
    refusal = '{"detail": "Your screen could not be received just now.", "code": "x"}'
    page.route(frames_url, lambda route: route.fulfill(status=503, body=refusal))
    expect(page.get_by_text("could not be received just now").first).to_be_visible()
    page.unroute(frames_url)
    page.route(frames_url, lambda route: None)  # never answered, and yet the check goes on
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Taking a picture of your screen").first).to_be_visible()
    # Before the check is sent: from then on they are off anyway.
    for name in ("Check", "Mark complete"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled(timeout=2_000)
    expect(page.get_by_role("button", name="Check again")).to_be_enabled()
    page.unroute(frames_url)
    end_session(session, CopilotSession.EndReason.STUDENT)
    expect(page.get_by_text("no longer shared: this session has ended").first).to_be_visible()
    expect(page.get_by_text("Sharing", exact=True)).to_be_hidden()


def test_the_end_of_sharing_by_the_browser_is_said(gemini_site, gemini, browser, session):
    page = visit(browser, gemini_site, session)
    share(page)
    page.context.pages[0].close()  # the tab that was shown
    expect(page.get_by_text("the browser ended it").first).to_be_visible()
    expect(page.get_by_role("button", name="Share my screen")).to_be_visible()


def test_what_a_browser_refuses_or_cannot_do_is_said(gemini_site, gemini, browser, session):
    page = visit(browser, gemini_site, session, REFUSAL)
    page.get_by_role("button", name="Share my screen").click()
    expect(page.get_by_text("the browser did not allow it").first).to_be_visible()
    expect(page.locator("#live")).to_contain_text("did not allow it")
    expect(page.get_by_role("button", name="Share my screen")).to_be_enabled()
    assert stored(session) == []

    page.add_init_script("delete MediaDevices.prototype.getDisplayMedia")
    page.add_init_script("delete navigator.mediaDevices.getDisplayMedia")
    page.reload()
    expect(page.get_by_text("This browser cannot share a screen.")).to_be_visible()
    expect(page.get_by_role("button", name="Share my screen")).to_be_hidden()
    page.get_by_text("Pictures for a row").click()
    expect(page.get_by_label("Picture, as PNG")).to_be_visible()


def test_pictures_for_a_row(gemini_site, gemini, browser, session):
    """Taken from the shared screen; uploaded, and made small before it is sent; removed."""
    page = visit(browser, gemini_site, session)
    share(page)
    page.get_by_text("Pictures for a row").click()
    page.get_by_role("button", name="Take it from my screen").click()
    expect(page.get_by_text("Pictures for a row (1)")).to_be_visible()
    expect(page.get_by_role("button", name="Take it from my screen")).to_be_visible()

    # Larger than the server would take.
    huge = {"name": "screen.png", "mimeType": "image/png", "buffer": striped(4000, 3000)}
    page.get_by_label("Picture, as PNG").set_input_files([huge])
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Pictures for a row (2)")).to_be_visible()
    taken, uploaded = (size_of(picture) for picture in Picture.objects.all())
    assert uploaded == (LONGEST_SIDE, LONGEST_SIDE * 3 // 4)
    assert max(taken) <= LONGEST_SIDE
    shown = page.locator("#pictures img").last
    shown.scroll_into_view_if_needed()
    expect(shown).to_have_js_property("naturalWidth", LONGEST_SIDE)

    page.get_by_role("button", name="Remove").first.click()
    expect(page.get_by_text("Picture removed.").first).to_be_focused()
    assert [size_of(picture) for picture in Picture.objects.all()] == [uploaded]


def test_without_javascript(gemini_site, gemini, browser, session):
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, gemini_site, session.student.email, factories.PASSWORD)
    page.goto(f"{gemini_site}/sessions/{session.pk}/")
    expect(page.get_by_role("button", name="Share my screen")).to_be_hidden()
    page.get_by_text("Pictures for a row").click()
    file = {"name": "screen.png", "mimeType": "image/png", "buffer": striped(400, 300)}
    page.get_by_label("Picture, as PNG").set_input_files([file])
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Every check sees this picture")).to_be_visible()
    assert size_of(Picture.objects.get()) == (400, 300)
    # The control of the test above: nobody makes it small, so the server refuses it in words.
    page.get_by_text("Pictures for a row (1)").click()
    page.get_by_label("Picture, as PNG").set_input_files([{**file, "buffer": striped(4000, 3000)}])
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("too many pixels")).to_be_visible()

    page.get_by_role("button", name="Mark as my work").click()
    expect(page.get_by_text("Marked as my work")).to_be_visible()
    assert Turn.objects.get().pinned_at
    page.get_by_role("button", name="Unmark").click()
    expect(page.get_by_role("button", name="Mark as my work")).to_be_visible()
    assert Turn.objects.get().pinned_at is None


def test_marking_a_message_keeps_the_place(gemini_site, gemini, browser, session):
    page = visit(browser, gemini_site, session)
    page.get_by_label("Your message").fill("Half a message")
    page.get_by_role("button", name="Mark as my work").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Unmark")).to_be_focused()
    expect(page.locator("#live")).to_contain_text("Every check reads this message")
    assert page.get_by_label("Your message").input_value() == "Half a message"


def striped(width: int, height: int) -> bytes:
    """A grey PNG with stripes: something to see, and small as a file."""
    stripes = b"".join(b"\0" + bytes([255 * (row // 50 % 2)]) * width for row in range(height))
    return png(width, height, packed=zlib.compress(stripes))


def size_of(picture: Picture) -> tuple[int, int]:
    with Image.open(io.BytesIO(bytes(picture.jpeg))) as image:
        return image.size
