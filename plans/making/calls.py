"""What one model call of plan making cost, and that it gave nothing usable. Plain values."""

from dataclasses import dataclass
from typing import Self

from elivio.llm import gateway
from elivio.llm.errors import LLMError
from elivio.llm.messages import StructuredReply


@dataclass(frozen=True, slots=True)
class Called:
    """`kind` and `model` are empty when no reply came."""

    prompt_tokens: int = 0
    output_tokens: int = 0
    milliseconds: int = 0
    kind: str = ""
    model: str = ""

    @classmethod
    def of_reply(cls, reply: StructuredReply) -> Self:
        usage = reply.usage
        output = usage.output + usage.thoughts
        return cls(usage.prompt, output, reply.milliseconds, reply.kind, reply.model)

    @classmethod
    def of_failure(cls, error: LLMError, started: float) -> Self:
        """`started` is a time.monotonic() value."""
        spent = gateway.milliseconds_since(started)
        return cls(error.usage.prompt, error.usage.output + error.usage.thoughts, spent)


class NoAnswer(Exception):
    """A model call gave nothing usable. `reason` is the code for staff."""

    def __init__(self, reason: str, called: Called) -> None:
        super().__init__(reason)
        self.reason = reason
        self.called = called
