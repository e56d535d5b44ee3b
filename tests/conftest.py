"""Fixtures for all tests. The Celery app is loaded as asgi, wsgi and manage.py load it."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connections

from elivio import celery
from tests.fakes.brain import think
from tests.fakes.gemini import FakeGemini

__all__ = ["celery"]


def pytest_configure() -> None:
    # The product's hasher is slow on purpose; tests make hundreds of users.
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def rules(settings: Any) -> None:
    """Plain rules answer in place of a model."""
    settings.DEBUG = True
    settings.GEMINI_API_KEY = ""


@pytest.fixture(scope="session")
def gemini_server() -> Iterator[FakeGemini]:
    # The vendors are loaded first: a short deadline must not be spent on imports.
    import_module("elivio.llm.gemini")
    import_module("elivio.llm.langchain_chat")
    with FakeGemini(brain=think) as server:
        # What a test answers may read rows; the thread would keep that connection for good.
        server.after = connections.close_all
        yield server


@pytest.fixture
def gemini(settings: Any, gemini_server: FakeGemini) -> FakeGemini:
    """The fake Gemini server, with a key set and everything pointed at it."""
    gemini_server.reset()
    settings.GEMINI_API_KEY = "test-key"
    settings.GEMINI_BASE_URL = gemini_server.url
    return gemini_server
