"""Asks Gemini for one JSON answer; must never send a tool, as the judge has none."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from google.genai import types

from elivio.llm.deadline import run_until
from elivio.llm.errors import LLMError
from elivio.llm.gemini_call import generate, parts_of, read_text, read_usage
from elivio.llm.messages import StructuredReply, StructuredRequest, Text

# Thinking counts towards the output limit: a low level and a generous limit avoid cut replies.
DEFAULTS = {"max_output_tokens": 16384, "thinking_config": {"thinking_level": "LOW"}}
# Sampling fields are ignored or refused by newer models, so none is set unless settings do.
ALLOWED_ARGS = {
    "max_output_tokens",
    "media_resolution",
    "safety_settings",
    "seed",
    "temperature",
    "thinking_config",
    "top_k",
    "top_p",
}


def structured(role: str, request: StructuredRequest, *, deadline: float) -> StructuredReply:
    """Return the JSON text; deadline is a time.monotonic() value."""
    model = settings.MODELS[role]["name"]
    contents = [types.Content(role="user", parts=[to_part(part) for part in request.parts])]
    fields = {
        **DEFAULTS,
        **read_args(role),
        "system_instruction": request.system,
        "response_mime_type": "application/json",
        "response_json_schema": request.schema,
    }
    reply = run_until(deadline, lambda: generate(model, contents, fields))
    return StructuredReply(
        text=read_answer(reply),
        kind="gemini",
        model=reply.model_version or model,
        usage=read_usage(reply),
        milliseconds=0,
    )


def read_args(role: str) -> dict[str, Any]:
    """Return the role's extra request fields from settings; tools can't be slipped in here."""
    args = settings.MODELS[role].get("args", {})
    if unknown := set(args) - ALLOWED_ARGS:
        raise ImproperlyConfigured(f'MODELS["{role}"]["args"] may not hold {sorted(unknown)}.')
    return args


def to_part(part: Any) -> types.Part:
    if isinstance(part, Text):
        return types.Part.from_text(text=part.text)
    return types.Part.from_bytes(data=part.data, mime_type=part.mime)


def read_answer(reply: types.GenerateContentResponse) -> str:
    text, usage = read_text(reply), read_usage(reply)
    for part in parts_of(reply):
        if part.function_call:
            raise LLMError("tool_call", str(part.function_call.name), raw=text, usage=usage)
        if part.text is None and part.model_dump(exclude={"thought_signature"}, exclude_none=True):
            raise LLMError("bad_reply", "The reply holds more than text.", raw=text, usage=usage)
    if not text.strip():
        raise LLMError("empty", usage=usage)
    return text
