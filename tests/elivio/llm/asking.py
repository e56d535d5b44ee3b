"""Requests for the gateway's tests; must stay free of any product wording that tests rely on."""

from __future__ import annotations

import time
from typing import Any

from pydantic import BaseModel, Field

from elivio.llm import gateway
from elivio.llm.errors import LLMError
from elivio.llm.messages import (
    ChatReply,
    ChatRequest,
    Emit,
    Image,
    Message,
    StructuredReply,
    StructuredRequest,
    Text,
)
from elivio.llm.tools import Tool

# Seconds: time enough to ask even on a busy machine, and much more than that.
SHORT, SLACK = 0.6, 20.0
SCHEMA = {
    "type": "object",
    "properties": {"clientId": {"type": "string"}, "rows": {"type": "array"}},
    "required": ["rows"],
}


class MarkStarted(BaseModel):
    note: str = Field(description="What the student said", max_length=200)
    minutes: int = 5


class NoArguments(BaseModel):
    pass


MARK_STARTED = Tool("mark_started", "Call when the student starts.", MarkStarted)
MARK_DONE = Tool("mark_done", "Call when the student says done.", NoArguments)


def structured_request(**changes: Any) -> StructuredRequest:
    fields: dict[str, Any] = {
        "system": "Be a fair judge.",
        "parts": (Text("The task."), Image(b"\xff\xd8jpeg", "image/jpeg"), Text("The end.")),
        "schema": SCHEMA,
        "by_rules": lambda: {"rows": ["é"]},
    }
    return StructuredRequest(**{**fields, **changes})


def chat_request(*messages: Message, **changes: Any) -> ChatRequest:
    fields: dict[str, Any] = {
        "system": "Be a kind copilot.",
        "messages": messages or (Message("user", "Hello"),),
        "tools": (MARK_STARTED, MARK_DONE),
        "by_rules": lambda: ChatReply("By rules."),
    }
    return ChatRequest(**{**fields, **changes})


def spend_nothing() -> None:
    """These calls have no student whose ceiling they could count against."""


def ask_judge(deadline: float = 30.0, **changes: Any) -> StructuredReply:
    return gateway.structured(
        "judge", structured_request(**changes), deadline_seconds=deadline, spend=spend_nothing
    )


def ask_copilot(
    *messages: Message, deadline: float = 30.0, emit: Emit | None = None, **changes: Any
) -> ChatReply:
    return gateway.chat(
        "copilot",
        chat_request(*messages, **changes),
        deadline_seconds=deadline,
        spend=spend_nothing,
        emit=emit,
    )


def stream_copilot(*messages: Message, **arguments: Any) -> ChatReply:
    """The same, streamed; who listens hears nothing of it."""
    return ask_copilot(*messages, **{"emit": lambda piece: None, **arguments})


def catch(ask: Any, **arguments: Any) -> tuple[LLMError, float]:
    """Return the LLMError of a call and the seconds it took; anything else is a failed test."""
    started = time.monotonic()
    try:
        reply = ask(**arguments)
    except LLMError as error:
        return error, time.monotonic() - started
    raise AssertionError(f"No LLMError, but {reply!r}.")
