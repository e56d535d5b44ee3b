"""The default chat model: a thin LangChain chat model over google-genai.

The ready-made integration drops the ids of function calls and hides blocks and safety stops; here
ids and thought signatures go back as they came, and every fault is an LLMError. Must not retry.
"""

from __future__ import annotations

import base64
import json
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

from google.genai import types
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_function
from pydantic import ConfigDict, Field

from elivio.llm.deadline import remaining_seconds, run_until
from elivio.llm.gemini_call import generate, generate_stream, parts_of, read_text, read_usage

SIGNATURES = "thought_signatures"


class GeminiChat(BaseChatModel):
    """`config` holds further fields of google-genai's GenerateContentConfig."""

    model_config = ConfigDict(extra="forbid")

    model: str
    config: dict[str, Any] = Field(default_factory=lambda: {"max_output_tokens": 8192})

    @property
    def _llm_type(self) -> str:
        return "gemini"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Runnable:
        functions = [convert_to_openai_function(tool) for tool in tools]
        return self.bind(functions=functions, **kwargs)

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        deadline = time.monotonic() + remaining_seconds()
        return run_until(deadline, lambda: self._agenerate(messages, *args, **kwargs))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: Any = None,
        functions: list[dict[str, Any]] | None = None,
    ) -> ChatResult:
        fields = self._fields(messages, stop, functions)
        reply = await generate(self.model, to_contents(messages), fields)
        return ChatResult(generations=[ChatGeneration(message=to_message(reply))])

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: Any = None,
        functions: list[dict[str, Any]] | None = None,
    ) -> AsyncIterator[ChatGenerationChunk]:
        """The text as it comes; the last chunk holds the calls, the signatures and the tokens."""
        fields = self._fields(messages, stop, functions)
        async with aclosing(generate_stream(self.model, to_contents(messages), fields)) as pieces:
            async for piece in pieces:
                chunk = AIMessageChunk(piece) if isinstance(piece, str) else to_last_chunk(piece)
                yield ChatGenerationChunk(message=chunk)

    def _fields(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None,
        functions: list[dict[str, Any]] | None,
    ) -> dict[str, Any]:
        fields = {**self.config, "system_instruction": read_system(messages)}
        if stop:
            fields["stop_sequences"] = stop
        if functions:
            fields["tools"] = [types.Tool(function_declarations=declare(functions))]
        return fields


def declare(functions: list[dict[str, Any]]) -> list[types.FunctionDeclaration]:
    return [
        types.FunctionDeclaration(
            name=each["name"],
            description=each.get("description", ""),
            parameters_json_schema=each.get("parameters"),
        )
        for each in functions
    ]


def read_system(messages: list[BaseMessage]) -> str | None:
    texts = [str(message.text) for message in messages if isinstance(message, SystemMessage)]
    return "\n\n".join(texts) or None


def to_contents(messages: list[BaseMessage]) -> list[types.Content]:
    """Return the history as turns; neighbours of one role become one turn, as the API wants."""
    contents: list[types.Content] = []
    for message in messages:
        role = "model" if isinstance(message, AIMessage) else "user"
        parts = to_parts(message)
        if contents and contents[-1].role == role:
            contents[-1].parts.extend(parts)
        elif parts:
            contents.append(types.Content(role=role, parts=parts))
    return contents


def to_parts(message: BaseMessage) -> list[types.Part]:
    if isinstance(message, SystemMessage):
        return []
    if isinstance(message, ToolMessage):
        answer = types.FunctionResponse(
            id=message.tool_call_id, name=message.name, response=read_result(message)
        )
        return [types.Part(function_response=answer)]
    # The API refuses an empty text part.
    parts = [types.Part(text=str(message.text))] if message.text else []
    if isinstance(message, AIMessage):
        signatures = message.additional_kwargs.get(SIGNATURES, {})
        parts += [to_call_part(call, signatures.get(call["id"])) for call in message.tool_calls]
    return parts


def to_call_part(call: Any, signature: str | None) -> types.Part:
    return types.Part(
        function_call=types.FunctionCall(id=call["id"], name=call["name"], args=call["args"]),
        thought_signature=base64.b64decode(signature) if signature else None,
    )


def read_result(message: ToolMessage) -> dict[str, Any]:
    try:
        result = json.loads(str(message.text))
    except json.JSONDecodeError:
        return {"result": str(message.text)}
    return result if isinstance(result, dict) else {"result": result}


def to_last_chunk(reply: types.GenerateContentResponse) -> AIMessageChunk:
    """All of a streamed reply but its text, which was in the chunks before."""
    whole = to_message(reply)
    calls = [
        {"index": index, "id": call["id"], "name": call["name"], "args": json.dumps(call["args"])}
        for index, call in enumerate(whole.tool_calls)
    ]
    return AIMessageChunk(
        "",
        tool_call_chunks=[{**call, "type": "tool_call_chunk"} for call in calls],
        additional_kwargs=whole.additional_kwargs,
        response_metadata=whole.response_metadata,
        usage_metadata=whole.usage_metadata,
        chunk_position="last",
    )


def to_message(reply: types.GenerateContentResponse) -> AIMessage:
    usage = read_usage(reply)
    calls, signatures = [], {}
    for part in parts_of(reply):
        if call := part.function_call:
            ident = call.id or f"call_{uuid.uuid4().hex}"
            calls.append({"id": ident, "name": call.name or "", "args": call.args or {}})
            if part.thought_signature:
                signatures[ident] = base64.b64encode(part.thought_signature).decode()
    return AIMessage(
        content=read_text(reply),
        tool_calls=calls,
        additional_kwargs={SIGNATURES: signatures} if signatures else {},
        response_metadata={"model_name": reply.model_version or ""},
        usage_metadata={
            "input_tokens": usage.prompt,
            "output_tokens": usage.output + usage.thoughts,
            "total_tokens": usage.total,
            "input_token_details": {"cache_read": usage.cached},
            "output_token_details": {"reasoning": usage.thoughts},
        },
    )
