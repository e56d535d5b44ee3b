"""Fixtures with real web processes; their rows are committed, so the tests really commit."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.db import connections
from playwright.sync_api import Browser, BrowserContext, expect

from tests import factories
from tests.e2e.browser import run_browser
from tests.e2e.site import run_site
from tests.fakes.gemini import FakeGemini

# Five seconds, as it is by itself, are not enough on a machine that has other work.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def gemini_process(
    django_db_setup: None, django_db_blocker: Any, gemini_server: FakeGemini
) -> Iterator[str]:
    """One web process for all tests: to start one takes longer than most of them. Between tests
    it holds no lock, only idle connections. The admin, which remembers rows, needs its own."""
    with (
        django_db_blocker.unblock(),
        run_site(GEMINI_API_KEY="test-key", GOOGLE_GEMINI_BASE_URL=gemini_server.url) as url,
    ):
        yield url


@pytest.fixture(scope="session")
def rules_process(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with django_db_blocker.unblock(), run_site(GEMINI_API_KEY="") as url:
        yield url


@pytest.fixture
def gemini_site(transactional_db: None, gemini: FakeGemini, gemini_process: str) -> str:
    """The product, its models answered by the fake Gemini server."""
    return gemini_process


@pytest.fixture
def rules_site(transactional_db: None, rules: None, rules_process: str) -> str:
    """The product without a key: plain rules answer."""
    return rules_process


@pytest.fixture
def student(transactional_db: None) -> User:
    """A student who can log in at a web process, which knows the product's hasher alone."""
    user = factories.make_student()
    user.password = PBKDF2PasswordHasher().encode(factories.PASSWORD, "salt")
    user.save()
    return user


@pytest.fixture
def browser(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """A browser for one test, closed before the database is flushed: Playwright keeps an event
    loop in this thread, beside which Django would refuse the database."""
    with run_browser() as browser:
        monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield browser
        # Beside that loop Django opens a connection of its own, which nobody else would close.
        connections.close_all()


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A student's phone."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    yield context
    context.close()
