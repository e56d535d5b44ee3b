"""What the fake Gemini server can answer: one small constructor for each kind of reply or fault."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from json import dumps
from typing import Any, Literal

FakeBody = dict[str, Any]
TOKENS = {
    "promptTokenCount": 1000,
    "cachedContentTokenCount": 400,
    "candidatesTokenCount": 50,
    "thoughtsTokenCount": 20,
    "totalTokenCount": 1070,
}
STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


@dataclass(frozen=True)
class Reply:
    """`body` goes out as JSON, or as it is when it is bytes. `wait` is in seconds.

    `steps` are what a stream does one after the other: send a chunk, or wait until an event is
    set. Its last chunk may be left out with `ending`.
    """

    body: FakeBody | bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    byte_seconds: float = 0.0
    ending: Literal["send", "hang", "close"] = "send"
    steps: tuple[FakeBody | threading.Event, ...] = ()


def candidates(*entries: dict[str, Any], **top: Any) -> Reply:
    return Reply({"candidates": list(entries), "usageMetadata": TOKENS, "responseId": "r", **top})


def candidate(*parts: dict[str, Any], finish: str | None = "STOP") -> dict[str, Any]:
    entry: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": list(parts)}}
    return {**entry, "finishReason": finish} if finish else entry


def parts(*entries: dict[str, Any], finish: str | None = "STOP") -> Reply:
    return candidates(candidate(*entries, finish=finish))


def text(value: str, finish: str | None = "STOP") -> Reply:
    return parts({"text": value}, finish=finish)


def streamed(*steps: str | FakeBody | threading.Event, finish: str | None = "STOP") -> Reply:
    """A reply that comes in pieces of text, parts and pauses, each pause until its event is set."""
    made: list[FakeBody | threading.Event] = []
    for step in steps:
        if isinstance(step, threading.Event):
            made.append(step)
        else:
            part = {"text": step} if isinstance(step, str) else step
            made.append(_chunk(part, None))
    return Reply(steps=(*made, _chunk({"text": ""}, finish)))


def broken_stream(*steps: str | threading.Event) -> Reply:
    """The connection is closed after these pieces."""
    whole = streamed(*steps)
    return replace(whole, steps=whole.steps[:-1], ending="close")


def _chunk(part: dict[str, Any], finish: str | None) -> FakeBody:
    usage = {"usageMetadata": TOKENS} if finish else {}
    return {"candidates": [candidate(part, finish=finish)], **usage}


def json(value: Any) -> Reply:
    return text(dumps(value, ensure_ascii=False))


def tool_call(
    name: str, args: dict[str, Any], id: str = "", *, say: str = "", signature: str = ""
) -> Reply:
    """`signature` is the thought signature, in base64; `say` is text before the call."""
    call: dict[str, Any] = {"functionCall": {"name": name, "args": args}}
    if id:
        call["functionCall"]["id"] = id
    if signature:
        call["thoughtSignature"] = signature
    return parts(*([{"text": say}] if say else []), call)


def blocked(reason: str = "PROHIBITED_CONTENT") -> Reply:
    return Reply({"promptFeedback": {"blockReason": reason}, "usageMetadata": TOKENS})


def safety(reason: str = "SAFETY") -> Reply:
    return candidates({"index": 0, "finishReason": reason})


def max_tokens(partial: str = "") -> Reply:
    return text(partial, "MAX_TOKENS") if partial else candidates({"finishReason": "MAX_TOKENS"})


def to_be_continued(partial: str) -> Reply:
    """The library asks for the rest by itself unless it is told not to."""
    entry = candidate({"text": partial}, finish="CONTINUATION")
    return candidates({**entry, "continuationToken": "more"})


def no_candidates() -> Reply:
    return Reply({"usageMetadata": TOKENS})


def empty() -> Reply:
    return parts()


def thought_only() -> Reply:
    return parts({"text": "I wonder what they mean.", "thought": True})


def two_candidates(first: str, second: str) -> Reply:
    return candidates(candidate({"text": first}), candidate({"text": second}))


def error(status: int, *, retry_after: float | None = None, message: str = "fake fault") -> Reply:
    """An error as Google writes it; retry_after goes into RetryInfo and into the header."""
    fault: dict[str, Any] = {"code": status, "message": message}
    fault["status"] = STATUSES.get(status, "UNKNOWN")
    headers = {}
    if retry_after is not None:
        headers["Retry-After"] = f"{retry_after:g}"
        kind = "type.googleapis.com/google.rpc.RetryInfo"
        fault["details"] = [{"@type": kind, "retryDelay": f"{retry_after:g}s"}]
    return Reply({"error": fault}, status=status, headers=headers)


def not_json_http(status: int = 200) -> Reply:
    page = b"<html><body>Sign in to the hotel network</body></html>"
    return Reply(page, status=status, headers={"Content-Type": "text/html"})


def drip(seconds_per_byte: float, reply: Reply | None = None) -> Reply:
    return replace(reply or text("late"), byte_seconds=seconds_per_byte)


def hang() -> Reply:
    """The request is read and never answered."""
    return Reply(ending="hang")


def close_connection(partial: bytes = b"") -> Reply:
    """The connection is closed without an answer, or after a part of one."""
    headers = {"Content-Length": str(len(partial) + 90)}
    return Reply(partial, headers=headers, ending="close")


def delay(seconds: float, reply: Reply) -> Reply:
    return replace(reply, wait=seconds)
