"""A LangChain chat model that plays a list, standing in for another provider; never calls out."""

from __future__ import annotations

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable


class Script:
    """What to play: messages, texts, or exceptions to raise. It is shared by every model built
    from settings, and `seen` gets (messages, bound tools) of each call."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.seen: list[tuple[list[BaseMessage], list[Any]]] = []


class ScriptedChat(BaseChatModel):
    model: str
    script: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Runnable:
        return self.bind(tools=tools, **kwargs)

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **bound: Any
    ) -> ChatResult:
        self.script.seen.append((messages, bound.get("tools", [])))
        reply = self.script.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        message = reply if isinstance(reply, AIMessage) else AIMessage(reply)
        return ChatResult(generations=[ChatGeneration(message=message)])
