"""One request to Gemini over google-genai: the client, the call, and what its reply is worth.

Every fault becomes an LLMError here. Must not retry: one layer above owns retries.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import httpx2
from django.conf import settings
from google import genai
from google.genai import errors, types

from elivio.llm.deadline import remaining_seconds
from elivio.llm.errors import LLMError
from elivio.llm.messages import Usage

Fields = dict[str, Any]
CUT_OFF = {"MAX_TOKENS", "CONTINUATION"}
SAFETY = {
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "ESCALATION",
    "PUP_LIMITED_DISABLED",
    "MODEL_ARMOR",
}
TOOL_CALL = {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"}

# A client that is garbage-collected closes its connections, so each is kept for good. The loop is
# part of the key as connections belong to it.
_clients: dict[tuple[asyncio.AbstractEventLoop, str, str, str], genai.Client] = {}


def client_for_settings() -> genai.Client:
    """Return the client of the running loop, the key and the address that settings name now."""
    key, base_url = settings.GEMINI_API_KEY, settings.GEMINI_BASE_URL
    version = settings.GEMINI_API_VERSION
    place = (asyncio.get_running_loop(), key, base_url, version)
    if place not in _clients:
        try:
            _clients[place] = make_client(key, base_url, version)
        except Exception as error:  # An operator's settings: address, certificates, proxy.
            raise LLMError("no_model", repr(error)) from error
    return _clients[place]


def make_client(key: str, base_url: str, version: str) -> genai.Client:
    options = types.HttpOptions(
        base_url=base_url or None,
        api_version=version,
        retry_options=types.HttpRetryOptions(attempts=1),
        # Our own HTTP client: the library takes aiohttp whenever that is installed, and would
        # follow a redirect with the key in a header.
        httpx_async_client=httpx2.AsyncClient(follow_redirects=False),
    )
    return genai.Client(api_key=key, vertexai=False, http_options=options)


async def generate(
    model: str, contents: list[types.Content], fields: Fields
) -> types.GenerateContentResponse:
    """Return a reply that ended by itself with exactly one candidate, or raise LLMError."""
    config, models = make_config(fields), client_for_settings().aio.models
    try:
        reply = await models.generate_content(model=model, contents=contents, config=config)
    except Exception as error:  # The library leaks a dozen kinds; only its own call is inside.
        raise translate(error) from error
    check_ending(reply)
    return reply


async def generate_stream(
    model: str, contents: list[types.Content], fields: Fields
) -> AsyncIterator[str | types.GenerateContentResponse]:
    """Yield a reply's text as it comes, and at last the reply as `generate` would return it.

    Raises LLMError where `generate` would, also after text was yielded, and when the stream breaks
    off: what came before is then worth nothing.
    """
    whole, fault = types.GenerateContentResponse(), None
    async with aclosing(open_stream(model, contents, fields)) as chunks:
        async for chunk in chunks:
            # After a fault the rest is read and dropped: a stream of the library's that is left
            # half read is closed by the garbage collector, at any time and in any thread.
            fault = fault or find_fault(whole, chunk)
            if fault is None and (piece := read_text(chunk)):
                yield piece
    if fault:
        raise fault
    if whole.candidates and whole.candidates[0].finish_reason is None:
        detail, raw = "The stream broke off before its end.", read_text(whole)
        raise LLMError("cut_off", detail, raw=raw, usage=read_usage(whole))
    check_ending(whole)
    yield whole


async def open_stream(
    model: str, contents: list[types.Content], fields: Fields
) -> AsyncIterator[types.GenerateContentResponse]:
    config, models = make_config(fields), client_for_settings().aio.models
    try:
        chunks = await models.generate_content_stream(model=model, contents=contents, config=config)
        async with aclosing(chunks):
            async for chunk in chunks:
                yield chunk
    except Exception as error:  # As in generate: nothing of ours runs inside.
        raise translate(error) from error


def find_fault(
    whole: types.GenerateContentResponse, chunk: types.GenerateContentResponse
) -> LLMError | None:
    """Add the chunk to the whole, and say why this can be no good reply any more."""
    try:
        add_chunk(whole, chunk)
    except LLMError as fault:
        return fault
    return None


def add_chunk(whole: types.GenerateContentResponse, chunk: types.GenerateContentResponse) -> None:
    """Add to what has come so far. Raises LLMError as soon as it can be no good reply."""
    candidate = chunk.candidates[0] if chunk.candidates else None
    if candidate and whole.candidates:
        known = whole.candidates[0]
        if known.finish_reason and parts_of(chunk):
            raise LLMError("bad_reply", "The reply goes on after its end.", usage=read_usage(whole))
        known.content = types.Content(role="model", parts=parts_of(whole) + parts_of(chunk))
        known.finish_reason = candidate.finish_reason or known.finish_reason
    elif candidate:
        whole.candidates = chunk.candidates
    # Each chunk's tokens are those of the reply so far.
    whole.usage_metadata = chunk.usage_metadata or whole.usage_metadata
    whole.model_version = chunk.model_version or whole.model_version
    whole.prompt_feedback = chunk.prompt_feedback or whole.prompt_feedback
    is_blocked = whole.prompt_feedback and whole.prompt_feedback.block_reason
    if is_blocked or len(chunk.candidates or []) > 1 or (candidate and candidate.finish_reason):
        check_ending(whole if len(chunk.candidates or []) < 2 else chunk)


def make_config(fields: Fields) -> types.GenerateContentConfig:
    timeout = types.HttpOptions(timeout=max(1, round(remaining_seconds() * 1000)))
    return types.GenerateContentConfig(
        **fields,
        http_options=timeout,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        automatic_continuation=False,
    )


def translate(error: Exception) -> LLMError:
    match error:
        case errors.APIError():
            return translate_status(error)
        case httpx2.TimeoutException() | TimeoutError():
            return LLMError("timeout", repr(error))
        case httpx2.TransportError() | OSError():
            return LLMError("unreachable", repr(error))
        case httpx2.DecodingError() | ValueError() | TypeError() | AttributeError() | LookupError():
            return LLMError("bad_reply", repr(error))
    return LLMError("unknown", repr(error))


def translate_status(error: errors.APIError) -> LLMError:
    status = error.code if isinstance(error.code, int) else 0
    reasons = str(error.details)
    detail = f"HTTP {status}: {error.message or error.status}"
    if status in (401, 403) or "API_KEY_INVALID" in reasons:
        return LLMError("not_authorised", detail)
    if status == 429:
        return LLMError("rate_limited", detail, retry_after=find_retry_after(error))
    if status >= 500 or status == 408:
        return LLMError("overloaded", detail, retry_after=find_retry_after(error))
    return LLMError("rejected" if 400 <= status < 500 else "bad_reply", detail)


def find_retry_after(error: errors.APIError) -> float | None:
    """Return the seconds to wait, from the header or from Google's RetryInfo ("7s")."""
    candidates = [getattr(error.response, "headers", {}).get("retry-after")]
    fault = error.details.get("error") if isinstance(error.details, dict) else None
    details = fault.get("details") if isinstance(fault, dict) else None
    for entry in details if isinstance(details, list) else []:
        if isinstance(entry, dict):
            candidates.append(entry.get("retryDelay"))
    for candidate in candidates:
        digits = str(candidate or "").removesuffix("s")
        if digits.replace(".", "", 1).isdecimal():
            return float(digits)
    return None


def check_ending(reply: types.GenerateContentResponse) -> None:
    """Raise LLMError unless the reply ended by itself. The order of these checks matters."""
    usage, raw = read_usage(reply), read_text(reply)
    feedback = reply.prompt_feedback
    if feedback and feedback.block_reason:
        raise LLMError("blocked", name_of(feedback.block_reason), raw=raw, usage=usage)
    if not reply.candidates:
        raise LLMError("empty", "No candidates.", usage=usage)
    if len(reply.candidates) > 1:
        raise LLMError("bad_reply", "More than one candidate.", raw=raw, usage=usage)
    reason = name_of(reply.candidates[0].finish_reason)
    if reason != "STOP":
        raise LLMError(code_of_ending(reason), f"Ended with {reason}.", raw=raw, usage=usage)


def code_of_ending(reason: str) -> str:
    if reason in CUT_OFF:
        return "cut_off"
    if reason in SAFETY:
        return "safety"
    if reason in TOOL_CALL:
        return "tool_call"
    return "bad_reply" if reason == "MALFORMED_RESPONSE" else "unknown"


def name_of(reason: Any) -> str:
    return str(getattr(reason, "value", reason))


def parts_of(reply: types.GenerateContentResponse) -> list[types.Part]:
    """Return the parts of the first candidate, without the model's thoughts."""
    content = reply.candidates[0].content if reply.candidates else None
    return [part for part in (content.parts if content else None) or [] if not part.thought]


def read_text(reply: types.GenerateContentResponse) -> str:
    return "".join(part.text or "" for part in parts_of(reply))


def read_usage(reply: types.GenerateContentResponse) -> Usage:
    counts = reply.usage_metadata or types.GenerateContentResponseUsageMetadata()
    return Usage(
        prompt=counts.prompt_token_count or 0,
        cached=counts.cached_content_token_count or 0,
        output=counts.candidates_token_count or 0,
        thoughts=counts.thoughts_token_count or 0,
        total=counts.total_token_count or 0,
    )
