"""Takes the pictures of all states and lays them out on one sheet."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from django.db import connections
from django.test import override_settings
from django.utils.html import format_html, format_html_join
from playwright.sync_api import Page

from tests.e2e.browser import run_browser
from tests.fakes.brain import think
from tests.fakes.gemini import FakeGemini
from tests.screens.states import STATES
from tests.screens.visits import LOOKS, PHONE, Made, Visits, make, run_sites, show

FAST_HASHER = ["django.contrib.auth.hashers.MD5PasswordHasher"]
SHEET = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Every page and state</title>
<style>
body {{ margin: 16px; font: 14px system-ui, sans-serif; background: #ccc; }}
section {{ display: flex; gap: 12px; align-items: start; overflow-x: auto; margin-bottom: 32px; }}
img {{ display: block; max-height: 640px; width: auto; background: #fff; }}
</style>
{}
</html>
"""


def shoot_all(folder: Path, parts: Sequence[str] = ()) -> int:
    """Picture the states whose name holds one of `parts`, or all. Returns how many pictures."""
    states = [state for state in STATES if not parts or any(part in state.name for part in parts)]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with FakeGemini(brain=think) as gemini, override_settings(PASSWORD_HASHERS=FAST_HASHER):
        made = make(states, gemini)
        connections.close_all()
        with run_sites(gemini) as address, run_browser() as browser:
            visits = Visits(browser, address)
            for each in made:
                shoot(visits.go(each), each, folder)
    (folder / "index.html").write_text(lay_out(made, folder), encoding="utf-8")
    return len(list(folder.glob("*.png")))


def shoot(page: Page, made: Made, folder: Path) -> None:
    """Every look in full height, and what a phone shows at first."""
    for look in LOOKS:
        show(page, look)
        if look.width == PHONE:
            page.screenshot(path=folder / f"{made.state.name}-{look}-first.png")
            # A window as high as the page, so that its bar stands where it ends up.
            height = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": PHONE, "height": height})
        page.screenshot(path=folder / f"{made.state.name}-{look}.png", full_page=True)


def lay_out(made: Sequence[Made], folder: Path) -> str:
    """The sheet: a row of looks for each state."""
    rows = ((each.state.name, lay_out_row(each.state.name, folder)) for each in made)
    return format_html(SHEET, format_html_join("\n", "<h2>{}</h2><section>{}</section>", rows))


def lay_out_row(name: str, folder: Path) -> str:
    names = [f"{name}-{look}{first}" for look in LOOKS for first in ("", "-first")]
    files = ((f"{name}.png", name) for name in names if (folder / f"{name}.png").exists())
    return format_html_join("", '<a href="{0}"><img src="{0}" alt="{1}" loading="lazy"></a>', files)
