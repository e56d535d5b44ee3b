"""The copilot's tools: one catalogue and one executor, for chat and for voice.

The LangChain tools and the Gemini Live declarations are both derived from CATALOGUE
(`elivio.llm`). Who acts and on which task comes from the session, never from a model's
arguments. No tool completes a task, and none starts, reads or reports a check.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elivio.llm.messages import ToolCall
from elivio.llm.tools import Tool
from plans.errors import Refused
from plans.models import Status
from sessions.models import CopilotSession

COMPLETED_SIGNAL = "mark_task_completed"
NOT_MARKED = (
    "NOT_MARKED: nothing was written and the task is not done. Do not say that it is done, saved "
    "or marked. Say that the work looks ready, and ask the student to run the completion check "
    "and then tap Mark complete: only the check and the student's own tap finish a task."
)

Reason = Annotated[str, Field(max_length=500, description="One sentence: what you base this on.")]


class MarkTaskInProgress(BaseModel):
    model_config = ConfigDict(extra="ignore")

    reason: Reason = ""


class MarkTaskCompleted(BaseModel):
    model_config = ConfigDict(extra="ignore")

    reason: Reason


@dataclass(frozen=True)
class Entry:
    """A tool and what it does. `run` gets the session and the validated arguments."""

    tool: Tool
    run: Callable[[CopilotSession, BaseModel], str]


def mark_in_progress(session: CopilotSession, args: MarkTaskInProgress) -> str:
    """Write IN_PROGRESS; a wrong start is cheap to undo."""
    session.action.update_status(Status.IN_PROGRESS, by=session.student)
    return "The task is now stored as in progress."


def signal_completed(session: CopilotSession, args: MarkTaskCompleted) -> str:
    """Write nothing: send the impulse to finish to the check and the student's tap."""
    return NOT_MARKED


CATALOGUE: tuple[Entry, ...] = (
    Entry(
        Tool(
            "mark_task_in_progress",
            "Store that the student has begun to work on the current task.",
            MarkTaskInProgress,
        ),
        mark_in_progress,
    ),
    Entry(
        Tool(
            COMPLETED_SIGNAL,
            "Signal that the student's work on the current task looks ready to be checked. This "
            "does NOT complete the task and stores nothing: only the completion check and the "
            "student's own tap on Mark complete do. Call it whenever the student says that they "
            "are done.",
            MarkTaskCompleted,
        ),
        signal_completed,
    ),
)
TOOLS: tuple[Tool, ...] = tuple(entry.tool for entry in CATALOGUE)
_ENTRIES = {entry.tool.name: entry for entry in CATALOGUE}


def execute(call: ToolCall, session: CopilotSession) -> str:
    """Run a model's tool call for this session's student and task; the result is for the model."""
    entry = _ENTRIES.get(call.name)
    if entry is None:
        return f"There is no tool named {call.name[:64]}. Nothing was done."
    try:
        args = entry.tool.args.model_validate(call.args)
    except ValidationError as error:
        faults = "; ".join(f"{fault['loc']}: {fault['msg']}" for fault in error.errors())
        return f"The arguments do not fit, and nothing was done: {faults}"
    try:
        return entry.run(session, args)
    except Refused as refusal:
        return f"Nothing was changed: {refusal}"
