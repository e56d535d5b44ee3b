"""The fake Gemini server, with the settings pointed at it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.test import override_settings

from tests.elivio.llm.asking import ask_judge
from tests.fakes.gemini import FakeGemini

ROLES = ("copilot", "judge", "scorer", "evaluator", "planner")


@pytest.fixture(scope="session", autouse=True)
def vendors_loaded() -> None:
    """Load the vendors first: a deadline of half a second must not be spent on imports."""
    import_module("elivio.llm.gemini")
    import_module("elivio.llm.gemini_chat")
    import_module("elivio.llm.langchain_chat")


def settings_for(key: str, url: str) -> dict[str, Any]:
    models: dict[str, dict[str, Any]] = {role: {"name": "gemini-test"} for role in ROLES}
    models["copilot"] |= {"class": "elivio.llm.gemini_chat.GeminiChat", "args": {}}
    return {
        "GEMINI_API_KEY": key,
        "GEMINI_BASE_URL": url,
        "GEMINI_API_VERSION": "v1",
        "MODELS": models,
        "DEBUG": False,
    }


@pytest.fixture(scope="session")
def fake_server(vendors_loaded: None) -> Iterator[FakeGemini]:
    """One server for all tests, and asked once: the first call to an address makes a client."""
    with FakeGemini() as server:
        with override_settings(**settings_for("test-key", server.url)):
            ask_judge()
        yield server


@pytest.fixture
def no_key(settings: Any) -> Any:
    for name, value in settings_for("", "http://127.0.0.1:9").items():
        setattr(settings, name, value)
    return settings


@pytest.fixture
def fake(no_key: Any, fake_server: FakeGemini) -> FakeGemini:
    fake_server.reset()
    no_key.GEMINI_API_KEY = "test-key"
    no_key.GEMINI_BASE_URL = fake_server.url
    return fake_server
