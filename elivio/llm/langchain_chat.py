"""Plays a chat on any LangChain chat model that settings name; must not know a provider's details.

Loading this module switches LangSmith tracing off for the process, whatever the environment says:
students' words go to the chat model and nowhere else.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string
from langchain_core import exceptions
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool, StructuredTool
from langsmith import run_trees

from elivio import env
from elivio.llm.deadline import run_until, stream_until
from elivio.llm.errors import LLMError
from elivio.llm.gateway import GEMINI_CHAT
from elivio.llm.history import complete_calls
from elivio.llm.messages import ChatReply, ChatRequest, Emit, Message, ToolCall, Usage
from elivio.llm.tools import Tool

run_trees.configure(enabled=False)

OWN_PACKAGE = "elivio."
OLD_TRACING = (
    "Unset LANGCHAIN_TRACING and LANGCHAIN_HANDLER: while one is set and tracing is off, LangChain"
    " refuses every call."
)
CODES: tuple[tuple[type[Exception], str], ...] = (
    (exceptions.ModelAuthenticationError, "not_authorised"),
    (exceptions.ModelPermissionDeniedError, "not_authorised"),
    (exceptions.ModelNotFoundError, "rejected"),
    (exceptions.ModelInvalidRequestError, "rejected"),
    (exceptions.ContextOverflowError, "rejected"),
    (exceptions.ModelRateLimitError, "rate_limited"),
    (exceptions.ModelAPIError, "overloaded"),
    (exceptions.ModelConnectionError, "unreachable"),
    (exceptions.ModelTimeoutError, "timeout"),
    (exceptions.ModelRefusalError, "safety"),
    (TimeoutError, "timeout"),
    (ConnectionError, "unreachable"),
)
ENDINGS = {
    "length": "cut_off",
    "max_tokens": "cut_off",
    "content_filter": "safety",
    "refusal": "safety",
}


def chat(
    role: str, request: ChatRequest, *, deadline: float, emit: Emit | None = None
) -> ChatReply:
    """Return the model's next reply; deadline is a time.monotonic() value."""
    model = build_model(role, request.tools)
    messages = complete_calls(request.messages)
    history = [SystemMessage(request.system), *map(to_langchain, messages)]
    if emit:
        answer = stream_until(deadline, lambda put: stream(model, history, put), emit)
    else:
        answer = run_until(deadline, lambda: invoke(model, history))
    return to_reply(answer, settings.MODELS[role]["name"])


def build_model(role: str, tools: tuple[Tool, ...]) -> Runnable[LanguageModelInput, AIMessage]:
    """Return the model of a role with its tools bound. LLMError("no_model") if it can't be made."""
    entry = settings.MODELS[role]
    path = entry.get("class", GEMINI_CHAT)
    if env.text("LANGCHAIN_TRACING") or env.text("LANGCHAIN_HANDLER"):
        raise LLMError("no_model", OLD_TRACING)
    try:
        model: BaseChatModel = import_string(path)(
            **{"model": entry["name"], **entry.get("args", {})}
        )
        return model.bind_tools(langchain_tools(tools)) if tools else model
    except Exception as error:  # Any provider's constructor, with an operator's arguments.
        raise LLMError("no_model", f"{path}: {error!r}") from error


def langchain_tools(tools: tuple[Tool, ...] | list[Tool]) -> list[BaseTool]:
    """Return declarations only: they have no function, as the project's executor runs tools."""
    return [
        StructuredTool(name=tool.name, description=tool.description, args_schema=tool.parameters())
        for tool in tools
    ]


async def invoke(model: Runnable, history: list[BaseMessage]) -> AIMessage:
    with provider_faults(model):
        return await model.ainvoke(history)


async def stream(model: Runnable, history: list[BaseMessage], put: Emit) -> AIMessage:
    """Return the whole message, after handing out its text as it came. A model that cannot stream
    gives one piece."""
    whole: Any = None
    with provider_faults(model):
        async with aclosing(model.astream(history)) as chunks:
            async for chunk in chunks:
                whole = chunk if whole is None else whole + chunk
                if text := str(chunk.text):
                    put(text)
    if whole is None:
        raise LLMError("empty", "No chunks.")
    return whole


@contextmanager
def provider_faults(model: Runnable) -> Iterator[None]:
    """Have whatever another provider raises come out as LLMError."""
    try:
        yield
    except LLMError:
        raise
    except Exception as error:  # A provider may raise anything.
        if is_own(model):
            raise
        raise translate(error) from error


def is_own(model: Any) -> bool:
    """Say whether this is our own chat model, whose faults are LLMErrors and all else a bug."""
    return type(getattr(model, "bound", model)).__module__.startswith(OWN_PACKAGE)


def translate(error: Exception) -> LLMError:
    for kind, code in CODES:
        if isinstance(error, kind):
            return LLMError(code, repr(error))
    return LLMError("unknown", repr(error))


def to_langchain(message: Message) -> BaseMessage:
    if message.role == "user":
        return HumanMessage(message.text)
    if message.role == "tool":
        return ToolMessage(message.text, tool_call_id=message.tool_call_id, name=message.tool_name)
    calls = [{"id": c.id, "name": c.name, "args": c.args} for c in message.tool_calls]
    return AIMessage(
        content=message.provider_data.get("content", message.text),
        tool_calls=calls,
        additional_kwargs=message.provider_data.get("additional_kwargs", {}),
    )


def to_reply(answer: AIMessage, name: str) -> ChatReply:
    text, usage = str(answer.text), read_usage(answer)
    metadata = answer.response_metadata
    for key in ("finish_reason", "stop_reason", "done_reason"):
        if code := ENDINGS.get(str(metadata.get(key)).lower()):
            raise LLMError(code, f"Ended with {metadata[key]}.", raw=text, usage=usage)
    if answer.invalid_tool_calls:
        raise LLMError("bad_reply", "A function call is malformed.", raw=text, usage=usage)
    if not text.strip() and not answer.tool_calls:
        raise LLMError("empty", usage=usage)
    return ChatReply(
        text=text,
        tool_calls=tuple(
            ToolCall(call["id"] or f"call_{uuid.uuid4().hex}", call["name"], call["args"])
            for call in answer.tool_calls
        ),
        model=metadata.get("model_name") or name,
        usage=usage,
        provider_data=keep_provider_data(answer),
    )


def keep_provider_data(answer: AIMessage) -> dict[str, Any]:
    """Return what must go back with this message: signatures, and blocks other than text."""
    data: dict[str, Any] = {}
    if answer.additional_kwargs:
        data["additional_kwargs"] = answer.additional_kwargs
    if not isinstance(answer.content, str):
        data["content"] = answer.content
    return data


def read_usage(answer: AIMessage) -> Usage:
    counts: Any = answer.usage_metadata or {}
    thoughts = (counts.get("output_token_details") or {}).get("reasoning") or 0
    return Usage(
        prompt=counts.get("input_tokens") or 0,
        cached=(counts.get("input_token_details") or {}).get("cache_read") or 0,
        output=(counts.get("output_tokens") or 0) - thoughts,
        thoughts=thoughts,
        total=counts.get("total_tokens") or 0,
    )
