"""The one door to every model call; must import no vendor and hold no database connection."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from django.conf import settings
from django.db import connections
from django.utils.asyncio import async_unsafe
from django.utils.module_loading import import_string

from elivio.llm import rules
from elivio.llm.errors import LLMError
from elivio.llm.messages import (
    ChatReply,
    ChatRequest,
    Emit,
    StructuredReply,
    StructuredRequest,
)

Kind = Literal["gemini", "rules", "none", "other"]
# Counts one call, before it is made, or raises LLMError: the ceilings are kept above this package.
Spend = Callable[[], None]
GEMINI_CHAT = "elivio.llm.gemini_chat.GeminiChat"


class ModelCallInTransaction(RuntimeError):
    """A model call was made inside a database transaction: a fault in the calling code."""


def active_kind(chat_role: str = "") -> Kind:
    """Return who answers: rules stand in for a missing key only while DEBUG is on.

    "other" is given only for a chat role whose settings name another provider's chat model.
    """
    if chat_role and settings.MODELS[chat_role].get("class", GEMINI_CHAT) != GEMINI_CHAT:
        return "other"
    if settings.GEMINI_API_KEY:
        return "gemini"
    return "rules" if settings.DEBUG else "none"


@async_unsafe
def chat(
    role: str,
    request: ChatRequest,
    *,
    deadline_seconds: float,
    spend: Spend,
    emit: Emit | None = None,
) -> ChatReply:
    """Return the next reply of a chat within the deadline (in all), or raise LLMError.

    With `emit` the reply is streamed. Its pieces are only a preview: a reply that does not end as
    it should raises LLMError, whatever was emitted before.
    """
    started = time.monotonic()
    kind = open_door(active_kind(role), spend)
    if kind == "rules":
        reply = rules.chat(request)
        if emit and reply.text:
            emit(reply.text)
    else:
        invoke = import_string("elivio.llm.langchain_chat.chat")
        reply = invoke(role, request, deadline=started + deadline_seconds, emit=emit)
    return replace(reply, kind=kind, milliseconds=milliseconds_since(started))


@async_unsafe
def structured(
    role: str, request: StructuredRequest, *, deadline_seconds: float, spend: Spend
) -> StructuredReply:
    """Return a JSON text for the request within the deadline (in all), or raise LLMError."""
    started = time.monotonic()
    kind = open_door(active_kind(), spend)
    if kind == "rules":
        reply = rules.structured(request)
    else:
        generate = import_string("elivio.llm.gemini.structured")
        reply = generate(role, request, deadline=started + deadline_seconds)
    return replace(reply, kind=kind, milliseconds=milliseconds_since(started))


def open_door(kind: Kind, spend: Spend) -> Kind:
    """Let one call through: counted unless plain rules answer, and holding no connection."""
    require_no_transaction()
    if kind == "none":
        raise LLMError("no_model")
    if kind != "rules":
        spend()
    release_connections()
    return kind


def require_no_transaction() -> None:
    for connection in connections.all(initialized_only=True):
        if connection.in_atomic_block:
            raise ModelCallInTransaction(
                f"A model must not be called inside a transaction (connection {connection.alias})."
            )


def release_connections() -> None:
    """Give every database connection of this thread back, as a model may think for a minute."""
    for connection in connections.all(initialized_only=True):
        connection.close()


def milliseconds_since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)
