"""States of the student's screen on the session page: shared, refused, kept pictures, marks."""

import io

from PIL import Image, ImageDraw
from playwright.sync_api import Page

from sessions import frames, pins
from sessions.images import clean_image
from sessions.lifecycle import end_session
from sessions.models import CopilotSession, Turn
from tests.screens import bikes
from tests.screens.scene import Scene
from tests.screens.state import see, table

STATES, state = table()
# A canvas in place of a screen, which nobody can choose in a test of many pages.
SHARE_CANVAS = """() => {
  navigator.mediaDevices.getDisplayMedia = async () => {
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillRect(0, 0, 9, 9);
    return canvas.captureStream(5);
  };
}"""
REFUSE = """() => {
  navigator.mediaDevices.getDisplayMedia = async () => {
    throw new DOMException("Permission denied", "NotAllowedError");
  };
}"""


def draw_screen(*lines: str) -> bytes:
    """A picture of a window with these lines, as PNG."""
    image = Image.new("RGB", (640, 400), "#20242c")
    pen = ImageDraw.Draw(image)
    for place, line in enumerate(lines):
        pen.text((24, 24 + 28 * place), line, fill="#e9ebef", font_size=20)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def share(page: Page) -> None:
    page.evaluate(SHARE_CANVAS)
    page.get_by_role("button", name="Share my screen").click()
    see(page, "Newest picture of your screen")


def share_and_stop(page: Page) -> None:
    share(page)
    page.get_by_role("button", name="Stop sharing").click()
    see(page, "You stopped sharing.")


def share_refused(page: Page) -> None:
    page.evaluate(REFUSE)
    page.get_by_role("button", name="Share my screen").click()
    see(page, "the browser did not allow it")


def share_and_end(page: Page) -> None:
    """The session ends in another tab; the next message finds that out, and so does sharing."""
    share(page)
    token = page.locator("[name=csrfmiddlewaretoken]").first.input_value()
    page.request.post(
        page.url + "end/",
        form={"csrfmiddlewaretoken": token},
        headers={"Referer": page.url},
    )
    page.get_by_role("button", name="Check").click()
    see(page, "Your screen is no longer shared")


def show_pictures(page: Page) -> None:
    page.get_by_text("Pictures for a row").click()


def upload_text(page: Page) -> None:
    show_pictures(page)
    file = {"name": "notes.png", "mimeType": "image/png", "buffer": b"These are my notes."}
    page.get_by_label("Picture, as").set_input_files([file])
    page.get_by_role("button", name="Upload").click()
    see(page, "Send the picture as JPEG")


def mark_too_much(page: Page) -> None:
    page.get_by_role("button", name="Mark as my work").last.click()
    see(page, "As much is marked")


def start(scene: Scene) -> CopilotSession:
    session = scene.open(scene.make_status_task())
    scene.converse(session)
    return session


@state("Newest picture of your screen")
def screen_seen(scene: Scene) -> str:
    session = start(scene)
    frames.store_frame(session.pk, clean_image(draw_screen("Open     |    51")))
    return scene.session_url(session)


@state("Newest picture of your screen", act=share)
def screen_shared(scene: Scene) -> str:
    return scene.session_url(start(scene))


@state("You stopped sharing.", act=share_and_stop)
def screen_stopped(scene: Scene) -> str:
    return scene.session_url(start(scene))


@state("the browser did not allow it", act=share_refused)
def screen_refused(scene: Scene) -> str:
    return scene.session_url(start(scene))


@state("Your screen is no longer shared", act=share_and_end)
def screen_shared_to_the_end(scene: Scene) -> str:
    return scene.session_url(start(scene))


@state("Pictures for a row (2)", act=show_pictures)
def pictures_kept(scene: Scene) -> str:
    session = start(scene)
    screens = (("closed   |     1",), ("SELECT status, count(*)", "FROM stations"))
    for row, lines in zip(session.action.requirements.all(), screens, strict=False):
        pins.keep_picture(session, row.pk, clean_image(draw_screen(*lines)))
    return scene.session_url(session)


@state("Send the picture as JPEG", act=upload_text)
def picture_refused(scene: Scene) -> str:
    return pictures_kept(scene)


@state("Marked as my work")
def turn_marked(scene: Scene) -> str:
    session = start(scene)
    pins.pin_turn(session, session.turns.get(text=bikes.WORK).pk)
    return scene.session_url(session)


@state("Marked as my work")
def turn_marked_and_ended(scene: Scene) -> str:
    url = turn_marked(scene)
    session = CopilotSession.objects.get(student=scene.student)
    end_session(session, CopilotSession.EndReason.STUDENT)
    return url


@state("As much is marked", act=mark_too_much)
def turn_not_marked(scene: Scene) -> str:
    session = start(scene)
    Turn.objects.bulk_create(
        Turn(session=session, number=100 + place, role="student", text=f"Step {place} of my work.")
        for place in range(11)
    )
    for turn in session.turns.filter(number__range=(100, 109)):
        pins.pin_turn(session, turn.pk)
    return scene.session_url(session)
