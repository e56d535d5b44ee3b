"""A headless Chromium, driven by Playwright."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def find_chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def require_chromium() -> None:
    """For commands: without a browser they end with a sentence."""
    if find_chromium() is None:
        sys.exit("No Chromium was found. Install one, then try again.")


@contextmanager
def run_browser(*flags: str) -> Iterator[Browser]:
    path = find_chromium()
    if path is None:
        pytest.skip("No Chromium was found, so the browser tests are left out.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        yield browser
        browser.close()


def log_in(page: Page, url: str, email: str, password: str) -> None:
    page.goto(f"{url}/login/")
    fill_login(page, email, password)
    page.wait_for_url(f"{url}/")


def fill_login(page: Page, email: str, password: str) -> None:
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
