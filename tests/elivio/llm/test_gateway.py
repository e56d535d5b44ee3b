"""Who answers, and what the gateway refuses before it asks anybody."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import SynchronousOnlyOperation

from elivio.llm.gateway import active_kind
from elivio.llm.messages import ChatReply, ToolCall, Usage
from tests.elivio.llm.asking import ask_copilot, ask_judge, catch
from tests.fakes.gemini import FakeGemini

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("key", "debug", "kind"),
    [("k", True, "gemini"), ("k", False, "gemini"), ("", True, "rules"), ("", False, "none")],
)
def test_kind_follows_key_and_debug(no_key: Any, key: str, debug: bool, kind: str) -> None:
    no_key.GEMINI_API_KEY, no_key.DEBUG = key, debug
    assert active_kind() == kind
    assert active_kind("copilot") == kind


def test_chat_model_of_another_provider_needs_no_gemini_key(no_key: Any) -> None:
    no_key.MODELS["copilot"]["class"] = "tests.fakes.scripted_chat.ScriptedChat"
    assert active_kind("copilot") == "other"
    assert active_kind() == "none"


@pytest.mark.parametrize("ask", [ask_judge, ask_copilot])
def test_no_key_and_no_debug_is_an_error_and_never_rules(no_key: Any, ask: Any) -> None:
    def forbid() -> Any:
        raise AssertionError("Rules were asked.")

    error, _ = catch(ask, by_rules=forbid)
    assert (error.code, error.retryable) == ("no_model", False)


def test_rules_answer_under_debug(no_key: Any) -> None:
    no_key.DEBUG = True
    reply = ask_judge()
    assert json.loads(reply.text) == {"rows": ["é"]}
    assert (reply.kind, reply.model, reply.usage) == ("rules", "rules", Usage())
    call = ToolCall("1", "mark_done", {})
    chat = ask_copilot(by_rules=lambda: ChatReply("Try it.", (call,)))
    assert (chat.text, chat.tool_calls) == ("Try it.", (call,))
    assert (chat.kind, chat.model) == ("rules", "rules")


def test_fault_in_rules_is_not_hidden(no_key: Any) -> None:
    no_key.DEBUG = True
    with pytest.raises(ZeroDivisionError):
        ask_judge(by_rules=lambda: 1 / 0)


@pytest.mark.parametrize("ask", [ask_judge, ask_copilot])
def test_asking_on_an_event_loop_is_refused(fake: FakeGemini, ask: Any) -> None:
    """It would stop every other request of the process until the model answers."""

    async def ask_on_the_loop() -> None:
        ask()

    with pytest.raises(SynchronousOnlyOperation):
        asyncio.run(ask_on_the_loop())
    assert fake.calls == 0


VENDORS = ("google.genai", "langchain_core", "langsmith", "httpx2")
LAZY_SCRIPT = """
import sys
from django.conf import settings
settings.configure(DEBUG=True, DATABASES={}, GEMINI_API_KEY="", MODELS={"judge": {}, "copilot": {}})
from elivio.llm import errors, gateway, messages, rules, tools
from tests.elivio.llm.asking import MARK_STARTED, ask_copilot, ask_judge
tools.live_declarations([MARK_STARTED])
ask_judge(), ask_copilot()
if "load" in sys.argv:
    import elivio.llm.gemini, elivio.llm.langchain_chat
print(*[name for name in %r if name in sys.modules])
"""


@pytest.mark.parametrize(("argument", "loaded"), [("", ""), ("load", " ".join(VENDORS))])
def test_gateway_loads_no_vendor_library(argument: str, loaded: str) -> None:
    """The second case is the control: the probe does see them once they are loaded."""
    done = subprocess.run(
        [sys.executable, "-c", LAZY_SCRIPT % (VENDORS,), argument],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout.strip(), done.stderr) == (loaded, "")
