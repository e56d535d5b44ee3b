"""The web process starts without any model library: they are heavy, and only calls need them."""

import subprocess
import sys

import pytest

START = """
import sys
import elivio.asgi
from django.urls import get_resolver, resolve
get_resolver().reverse_dict
resolve("/api/v1/sessions/00000000-0000-4000-8000-000000000000/check")
resolve("/admin/")
%s
heavy = ("google.genai", "langchain", "langchain_core", "langsmith")
print(sorted(name for name in heavy if name in sys.modules))
"""


def start(more: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", START % more], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def test_no_model_library_is_loaded():
    assert start() == "[]"


@pytest.mark.parametrize(
    ("module", "library"),
    [("elivio.llm.gemini", "google.genai"), ("elivio.llm.langchain_chat", "langchain_core")],
)
def test_loading_one_would_be_seen(module, library):
    """The control."""
    assert library in start(f"import {module}")
