"""Plain rules in place of the copilot's model and the memory's, for the offline demo."""

import re

from elivio.llm.messages import ChatReply, Message, ToolCall
from plans.models import Status
from sessions.prompt import CopilotContext
from sessions.tools import COMPLETED_SIGNAL

_DONE = re.compile(r"\b(done|finished|complete|completed|ready)\b", re.IGNORECASE)
NO_AI = "No AI is connected here; plain rules answer."


def reply_by_rules(context: CopilotContext, messages: tuple[Message, ...]) -> ChatReply:
    """A tool call where the copilot would make one, and otherwise the next open requirement."""
    last = messages[-1]
    called = {message.tool_name for message in messages if message.role == "tool"}
    if last.role == "user" and _DONE.search(last.text):
        return _call(COMPLETED_SIGNAL, reason="The student says that it is ready.")
    if last.role == "user" and context.status == Status.NOT_STARTED:
        return _call("mark_task_in_progress", reason="The student has begun.")
    if COMPLETED_SIGNAL in called and last.role == "tool":
        return ChatReply(
            f"{NO_AI} If your work is all here, run the completion check, "
            "then tap Mark complete. Nothing is marked until you do."
        )
    return ChatReply(f"{NO_AI} {_next_step(context)}")


def _call(name: str, **args: str) -> ChatReply:
    return ChatReply("", tool_calls=(ToolCall(id=f"rules-{name}", name=name, args=args),))


def _next_step(context: CopilotContext) -> str:
    missing = context.check.missing_first if context.check else []
    titles = [row.title for row in missing if not row.met] or [
        row.title for row in context.task.rows
    ]
    if not titles:
        return "This task has no requirements yet."
    return (
        f"Next on your list: {titles[0].rstrip('.')}. Put your work for it in a message, "
        "then run the completion check."
    )
