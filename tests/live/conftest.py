"""The real model, for tests that were asked for by name; all others skip these with a reason."""

from typing import Any

import pytest

from elivio import env
from tests.services import LIVE


def say_why_not(chosen: str, key: str) -> str:
    """Why a live test is not run, or "". `chosen` is what pytest's -m says."""
    if "live" not in chosen:
        return "Asks a real model: run it by name, with -m live."
    return "" if key else "Asks a real model, and GEMINI_API_KEY is not set."


@pytest.fixture
def real_model(settings: Any, request: pytest.FixtureRequest) -> None:
    """The model as the environment of this test run names it. It costs money."""
    key = env.text(f"{LIVE}GEMINI_API_KEY") or env.text(f"{LIVE}GOOGLE_API_KEY")
    if reason := say_why_not(request.config.option.markexpr, key):
        pytest.skip(reason)
    settings.GEMINI_API_KEY = key
    settings.GEMINI_BASE_URL = env.text(f"{LIVE}GOOGLE_GEMINI_BASE_URL")
    version = env.text(f"{LIVE}GOOGLE_GENAI_API_VERSION", settings.GEMINI_API_VERSION)
    settings.GEMINI_API_VERSION = version
    model = env.text(f"{LIVE}ELIVIO_MODEL", settings.MODELS["judge"]["name"])
    name = env.text(f"{LIVE}ELIVIO_JUDGE_MODEL", model)
    copilot = env.text(f"{LIVE}ELIVIO_COPILOT_MODEL", model)
    names = {"judge": name, "copilot": copilot}
    changed = {role: {**settings.MODELS[role], "name": name} for role, name in names.items()}
    settings.MODELS = {**settings.MODELS, **changed}
