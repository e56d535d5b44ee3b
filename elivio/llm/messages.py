"""Neutral values that go to a model and come back; must import no vendor library and no model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from elivio.llm.tools import Tool

Role = Literal["user", "assistant", "tool"]
# Gets a reply's text piece by piece, and "" now and then while none comes. What it raises ends the
# call and reaches the caller.
Emit = Callable[[str], None]


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Image:
    data: bytes
    mime: str = "image/jpeg"


@dataclass(frozen=True)
class ToolCall:
    id: str
    name: str
    args: dict[str, Any]


@dataclass(frozen=True)
class Message:
    """One entry of a chat. provider_data is opaque, JSON-able, and goes back as it came."""

    role: Role
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    tool_name: str = ""
    provider_data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Usage:
    """Tokens of one call; output excludes thoughts, prompt includes cached."""

    prompt: int = 0
    cached: int = 0
    output: int = 0
    thoughts: int = 0
    total: int = 0


@dataclass(frozen=True)
class ChatReply:
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    kind: str = ""
    model: str = ""
    usage: Usage = Usage()
    milliseconds: int = 0
    provider_data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ChatRequest:
    """A chat so far; by_rules answers it when no model is configured (offline demo)."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    by_rules: Callable[[], ChatReply]


@dataclass(frozen=True, kw_only=True)
class StructuredRequest:
    """One question with a JSON answer. There is no tools field, so a judge cannot be given any."""

    system: str
    parts: tuple[Text | Image, ...]
    schema: dict[str, Any]
    by_rules: Callable[[], dict[str, Any]]

    def as_record(self) -> dict[str, Any]:
        """Return a JSON-able copy for audit, with each image replaced by its size and digest."""
        return {
            "system": self.system,
            "parts": [record_part(part) for part in self.parts],
            "schema": self.schema,
        }


@dataclass(frozen=True)
class StructuredReply:
    """The reply as text: parsing and checking it is the caller's work."""

    text: str
    kind: str
    model: str
    usage: Usage
    milliseconds: int


def record_part(part: Text | Image) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"text": part.text}
    digest = hashlib.sha256(part.data).hexdigest()
    return {"image": {"mime": part.mime, "bytes": len(part.data), "sha256": digest}}
