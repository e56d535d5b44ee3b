"""Any LangChain chat model by its dotted path, and the promise that nothing is traced."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from langchain_core import exceptions
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from elivio.llm.messages import Message, ToolCall, Usage
from tests.elivio.llm.asking import SLACK, ask_copilot, catch
from tests.fakes.scripted_chat import Script, ScriptedChat

ROOT = Path(__file__).parents[3]


def play(settings: Any, *replies: Any) -> Script:
    script = Script(*replies)
    settings.MODELS["copilot"] = {
        "name": "other-model",
        "class": "tests.fakes.scripted_chat.ScriptedChat",
        "args": {"script": script},
    }
    return script


def test_another_model_chats_and_calls_tools(no_key: Any) -> None:
    call = {"id": "7", "name": "mark_done", "args": {"a": 1}}
    usage = {
        "input_tokens": 10,
        "output_tokens": 5,
        "total_tokens": 15,
        "input_token_details": {"cache_read": 4},
        "output_token_details": {"reasoning": 2},
    }
    script = play(no_key, AIMessage("Well.", tool_calls=[call], usage_metadata=usage), "Bye.")
    reply = ask_copilot(Message("user", "Hi"))
    assert (reply.text, reply.kind, reply.model) == ("Well.", "other", "other-model")
    assert reply.tool_calls == (ToolCall("7", "mark_done", {"a": 1}),)
    assert reply.usage == Usage(prompt=10, cached=4, output=3, thoughts=2, total=15)

    answer = ask_copilot(
        Message("user", "Hi"),
        Message("assistant", reply.text, reply.tool_calls),
        Message("tool", "{}", tool_call_id="7", tool_name="mark_done"),
    )
    assert answer.text == "Bye."
    history, tools = script.seen[1]
    assert [type(each) for each in history] == [SystemMessage, HumanMessage, AIMessage, ToolMessage]
    assert history[2].tool_calls[0]["id"] == history[3].tool_call_id == "7"
    assert [tool.name for tool in tools] == ["mark_started", "mark_done"]


def test_blocks_of_another_provider_go_back_as_they_came(no_key: Any) -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "text", "text": "Go."},
    ]
    script = play(no_key, AIMessage(content=blocks, additional_kwargs={"x": 1}), "Bye.")
    reply = ask_copilot()
    assert reply.text == "Go."
    stored = json.loads(json.dumps(reply.provider_data))
    ask_copilot(Message("user", "Hi"), Message("assistant", "Go.", provider_data=stored))
    sent = script.seen[1][0][2]
    assert (sent.content, sent.additional_kwargs) == (blocks, {"x": 1})


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (exceptions.ModelAuthenticationError(), "not_authorised"),
        (exceptions.ModelPermissionDeniedError(), "not_authorised"),
        (exceptions.ModelNotFoundError(), "rejected"),
        (exceptions.ModelInvalidRequestError(), "rejected"),
        (exceptions.ContextOverflowError(), "rejected"),
        (exceptions.ModelRateLimitError(), "rate_limited"),
        (exceptions.ModelAPIError(), "overloaded"),
        (exceptions.ModelConnectionError(), "unreachable"),
        (exceptions.ModelTimeoutError(), "timeout"),
        (exceptions.ModelRefusalError(), "safety"),
        (exceptions.ModelError("?"), "unknown"),
        (ConnectionResetError(), "unreachable"),
        (TimeoutError(), "timeout"),
        (ValueError("a provider's own fault"), "unknown"),
        (AIMessage(""), "empty"),
        (AIMessage("Half", response_metadata={"finish_reason": "length"}), "cut_off"),
        (AIMessage("Half", response_metadata={"stop_reason": "max_tokens"}), "cut_off"),
        (AIMessage("No", response_metadata={"finish_reason": "content_filter"}), "safety"),
        (
            AIMessage(
                "",
                invalid_tool_calls=[
                    {"id": "1", "name": "n", "args": "{", "error": "", "type": "invalid_tool_call"}
                ],
            ),
            "bad_reply",
        ),
    ],
    ids=repr,
)
def test_any_fault_of_another_model_has_a_code(no_key: Any, fault: Any, code: str) -> None:
    play(no_key, fault)
    error, _ = catch(ask_copilot)
    assert error.code == code


@pytest.mark.parametrize("path", ["no.such.Model", "tests.fakes.scripted_chat.Nobody", "nodots"])
def test_model_that_cannot_be_loaded_is_no_model(no_key: Any, path: str) -> None:
    no_key.MODELS["copilot"]["class"] = path
    error, _ = catch(ask_copilot)
    assert error.code == "no_model"


def test_fault_in_our_own_model_is_not_hidden(no_key: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our GeminiChat raises LLMError for every fault of the provider: the rest are bugs."""
    no_key.GEMINI_API_KEY = "k"
    monkeypatch.setattr("elivio.llm.gemini_chat.to_contents", lambda messages: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ask_copilot()


WAKE_UP = threading.Event()


class SleepyChat(ScriptedChat):
    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        WAKE_UP.wait(SLACK)
        return super()._generate(*args, **kwargs)


def test_deadline_holds_for_a_model_that_only_blocks(no_key: Any) -> None:
    play(no_key, "Too late.")
    no_key.MODELS["copilot"]["class"] = f"{__name__}.SleepyChat"
    try:
        error, _ = catch(ask_copilot, deadline=0.3)
    finally:
        WAKE_UP.set()
    assert error.code == "timeout"


TRACING_SCRIPT = """
import sys
from django.conf import settings
from tests.fakes.scripted_chat import Script
settings.configure(
    DEBUG=False, DATABASES={}, GEMINI_API_KEY="",
    MODELS={"copilot": {"name": "m", "class": "tests.fakes.scripted_chat.ScriptedChat",
                        "args": {"script": Script("Bye.")}}},
)
from elivio.llm import langchain_chat
from langsmith import run_trees
if sys.argv[1] == "guard off":
    run_trees.configure(enabled=None)
from tests.elivio.llm.asking import ask_copilot
print(ask_copilot().text)
from langchain_core.tracers.langchain import wait_for_all_tracers
wait_for_all_tracers()
"""


class TraceCollector(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.received.append(self.path)
        self.send_response(202)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def collector() -> Any:
    server = HTTPServer(("127.0.0.1", 0), TraceCollector)
    server.received = []
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("prefix", "guard", "traced"),
    [
        ("LANGSMITH", "guard on", False),
        ("LANGCHAIN", "guard on", False),
        ("LANGSMITH", "guard off", True),
    ],
)
def test_nothing_is_traced_whatever_the_environment_says(
    collector: Any, prefix: str, guard: str, traced: bool
) -> None:
    """With the guard off the very same call is sent to the collector."""
    variables = {
        f"{prefix}_TRACING_V2": "true",
        f"{prefix}_API_KEY": "k",
        f"{prefix}_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
    }
    done = subprocess.run(
        [sys.executable, "-c", TRACING_SCRIPT, guard],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.strip() == "Bye.", done.stderr
    assert bool(collector.received) is traced


def test_old_tracing_variable_is_named_to_staff(
    no_key: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGCHAIN_TRACING", "true")
    play(no_key, "Bye.")
    error, _ = catch(ask_copilot)
    assert error.code == "no_model"
    assert "LANGCHAIN_TRACING" in error.sentence
