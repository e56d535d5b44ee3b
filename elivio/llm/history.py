"""Makes a chat's history one that every provider takes; must not drop a word of it.

Providers refuse a function call without its answer, and an answer without its call.
"""

from __future__ import annotations

from collections.abc import Sequence

from elivio.llm.messages import Message

LOST = "The result of this call was not kept."


def complete_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Each call is followed by exactly one answer, in the calls' order; an answer to no call of
    the message before it is left out."""
    whole: list[Message] = []
    for place, message in enumerate(messages):
        if message.role == "tool":
            continue
        whole.append(message)
        answers = answers_after(messages, place)
        for call in message.tool_calls:
            lost = Message("tool", LOST, tool_call_id=call.id, tool_name=call.name)
            whole.append(answers.get(call.id, lost))
    return tuple(whole)


def answers_after(messages: Sequence[Message], place: int) -> dict[str, Message]:
    """The answers that follow a message directly, by their call's id; the first of each."""
    answers: dict[str, Message] = {}
    for message in messages[place + 1 :]:
        if message.role != "tool":
            break
        answers.setdefault(message.tool_call_id, message)
    return answers
