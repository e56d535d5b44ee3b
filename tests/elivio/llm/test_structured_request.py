"""What goes to Gemini for a structured answer, and what comes back."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from elivio.llm.messages import StructuredRequest, Usage
from tests.elivio.llm.asking import SCHEMA, ask_judge, structured_request
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini

ROOT = Path(__file__).parents[3]


def test_request_carries_system_parts_schema_and_key(fake: FakeGemini) -> None:
    fake.enqueue(replies.json({"rows": []}))
    ask_judge()
    [request] = fake.requests
    assert request.path == "/v1/models/gemini-test:generateContent"
    assert request.headers["x-goog-api-key"] == "test-key"
    assert request.system == "Be a fair judge."
    [content] = request.body["contents"]
    first, image, last = content["parts"]
    assert content["role"] == "user"
    assert (first["text"], last["text"]) == ("The task.", "The end.")
    assert image["inline_data"]["mime_type"] == "image/jpeg"
    assert base64.urlsafe_b64decode(image["inline_data"]["data"]) == b"\xff\xd8jpeg"
    generation = request.body["generation_config"]
    assert generation["response_json_schema"] == request.schema == SCHEMA
    assert generation["response_mime_type"] == "application/json"
    assert generation["thinking_config"]["thinking_level"] == "LOW"
    assert generation["max_output_tokens"] >= 8192
    assert not {"temperature", "top_p", "top_k", "seed", "response_schema"} & set(generation)


def test_request_never_carries_tools(fake: FakeGemini) -> None:
    assert "tools" not in {field.name for field in fields(StructuredRequest)}
    ask_judge()
    assert "tool" not in json.dumps(fake.requests[0].raw).lower()


@pytest.mark.parametrize("name", ["tools", "tool_config", "automatic_function_calling"])
def test_settings_cannot_slip_tools_in(fake: FakeGemini, settings: Any, name: str) -> None:
    settings.MODELS["judge"]["args"] = {name: []}
    with pytest.raises(ImproperlyConfigured, match=name):
        ask_judge()
    assert fake.calls == 0


def test_settings_may_change_thinking(fake: FakeGemini, settings: Any) -> None:
    settings.MODELS["judge"]["args"] = {"thinking_config": None, "max_output_tokens": 99}
    ask_judge()
    generation = fake.requests[0].body["generation_config"]
    assert generation["max_output_tokens"] == 99
    assert "thinking_config" not in generation


def test_reply_holds_text_kind_model_and_tokens(fake: FakeGemini) -> None:
    fake.enqueue(
        replies.candidates(
            replies.candidate(
                {"text": "Let me see.", "thought": True},
                {"text": '{"rows": '},
                {"text": "[]}", "thoughtSignature": "c2ln"},
            ),
            modelVersion="gemini-test-001",
        )
    )
    reply = ask_judge()
    assert (reply.text, reply.kind) == ('{"rows": []}', "gemini")
    assert reply.model == "gemini-test-001"
    assert reply.usage == Usage(prompt=1000, cached=400, output=50, thoughts=20, total=1070)
    assert 0 < reply.milliseconds < 5000


def test_settings_are_read_at_each_call(fake: FakeGemini, settings: Any) -> None:
    ask_judge()
    settings.GEMINI_API_KEY, settings.GEMINI_API_VERSION = "other-key", "v1beta"
    ask_judge()
    assert [request.version for request in fake.requests] == ["v1", "v1beta"]
    assert [request.headers["x-goog-api-key"] for request in fake.requests] == [
        "test-key",
        "other-key",
    ]


def test_environment_changes_neither_key_nor_backend(
    fake: FakeGemini, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.GEMINI_API_KEY = "third-key"
    monkeypatch.setenv("GOOGLE_API_KEY", "stray-key")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GENAI_USE_ENTERPRISE", "true")
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v1alpha")
    ask_judge()
    assert fake.requests[0].headers["x-goog-api-key"] == "third-key"
    assert fake.requests[0].version == "v1"


AIOHTTP = """
class ClientConnectorError(Exception): pass
class ClientConnectorDNSError(Exception): pass
class ClientOSError(Exception): pass
class ServerDisconnectedError(Exception): pass
class ClientResponse: pass
class TCPConnector:
    def __init__(self, **kwargs):
        raise ServerDisconnectedError("aiohttp was used")
class ClientSession:
    def _request(self, ssl): pass
"""
AIOHTTP_SCRIPT = """
import sys
from django.conf import settings
settings.configure(
    DEBUG=False, DATABASES={}, GEMINI_API_KEY="k", GEMINI_BASE_URL=sys.argv[1],
    GEMINI_API_VERSION="v1", MODELS={"judge": {"name": "m"}},
)
from elivio.llm import gemini_call
if sys.argv[2] == "guard off":
    gemini_call.httpx2.AsyncClient = lambda **arguments: None
from tests.elivio.llm.asking import ask_judge
print(ask_judge().text)
"""


@pytest.mark.parametrize(("guard", "text"), [("guard on", "{}"), ("guard off", "")])
def test_aiohttp_is_not_used_even_when_installed(
    fake: FakeGemini, tmp_path: Path, guard: str, text: str
) -> None:
    """The library prefers it silently, and then retries by itself and raises other errors."""
    (tmp_path / "aiohttp.py").write_text(AIOHTTP)
    done = subprocess.run(
        [sys.executable, "-c", AIOHTTP_SCRIPT, fake.url, guard],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.strip() == text, done.stderr
    assert ("aiohttp was used" in done.stderr) is (guard == "guard off"), done.stderr


def test_record_replaces_images_by_their_digest() -> None:
    record = json.loads(json.dumps(structured_request().as_record()))
    assert record["system"] == "Be a fair judge."
    assert record["schema"] == SCHEMA
    assert record["parts"] == [
        {"text": "The task."},
        {
            "image": {
                "mime": "image/jpeg",
                "bytes": 6,
                "sha256": hashlib.sha256(b"\xff\xd8jpeg").hexdigest(),
            }
        },
        {"text": "The end."},
    ]
