"""`make pictures`: the pictures of the README, from the demo data, each as small as it can be.

python -m tests.screens.pictures FOLDER
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path

from django.core.management import call_command
from PIL import Image
from playwright.sync_api import Browser, Page

from elivio.demo import STUDENT
from tests.e2e.browser import require_chromium, run_browser
from tests.e2e.site import run_site
from tests.screens.product import throwaway_product

PLAN, TASK = "A lending desk for the film club", "Set up the booking calendar"


@dataclass(frozen=True, slots=True)
class Picture:
    """What a browser window of `size` shows of the plan or of the begun task's session, from the
    element `start` on."""

    name: str
    page: str
    size: tuple[int, int]
    theme: str = "light"
    start: str = "body"
    scale: int = 1


PICTURES = (
    Picture("plan", "plan", (1280, 1120)),
    Picture("session", "session", (1280, 980)),
    Picture("session-dark", "session", (1280, 980), "dark"),
    Picture("phone", "session", (390, 844), start="#turns", scale=2),
)


def main(arguments: list[str]) -> None:
    require_chromium()
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    with throwaway_product():
        call_command("seed_demo", verbosity=0)
        login = log_in_student()
        with run_site(GEMINI_API_KEY="", GOOGLE_API_KEY="") as url, run_browser() as browser:
            for picture in PICTURES:
                with open_window(browser, picture, url, login) as page:
                    keep(page.screenshot(), folder / f"{picture.name}.png")
    total = sum(path.stat().st_size for path in folder.glob("*.png"))
    sys.stdout.write(f"{len(PICTURES)} pictures, {total // 1024} KB: {folder}\n")


def log_in_student() -> str:
    """The cookie of the demo student. What needs models can be imported only once Django is up."""
    users = import_module("django.contrib.auth.models").User.objects
    return import_module("tests.screens.visits").log_in(users.get(username=STUDENT))


@contextmanager
def open_window(browser: Browser, picture: Picture, url: str, login: str) -> Iterator[Page]:
    width, height = picture.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=picture.theme,
        device_scale_factor=picture.scale,
    )
    context.add_cookies([{"name": "sessionid", "value": login, "url": url}])
    page = context.new_page()
    page.goto(url)
    page.get_by_role("link", name=PLAN).first.click()
    if picture.page == "session":
        page.locator(".task", has_text=TASK).get_by_role("button").first.click()
        page.wait_for_url("**/sessions/**")
    page.evaluate("(start) => document.querySelector(start).scrollIntoView()", picture.start)
    yield page
    context.close()


def keep(shot: bytes, path: Path) -> None:
    """With 128 colours: no eye sees it on a page of few colours, and it is a third of the size."""
    with Image.open(BytesIO(shot)) as picture:
        few = picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)
        few.save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
