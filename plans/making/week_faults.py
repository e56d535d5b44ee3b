"""Why a week cannot be kept, as a sentence for each field. It knows the form of a proposal, and
neither pages nor rows."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from plans.making.brief import MOST_HOURS
from plans.making.proposal import ProposedWeek

Place = tuple[str | int, ...]

EMPTY = {
    "week": "Give the week a title.",
    "task": "Give the task a title, or tick “Leave this task out”.",
    "new task": "Give the task a title, or empty its other fields.",
    "row": "Say what is to be shown, or tick “Remove”.",
}
HOURS = f"Write whole hours, from 1 to {MOST_HOURS}."
NAMES = {"tasks": "tasks", "topics": "topics", "dependsOn": "tasks", "requirements": "requirements"}
ODD = "Something here cannot be kept. Choose it again."


def find_week_faults(data: dict[str, Any]) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Each fault with its place in the data, such as ("tasks", 0, "title")."""
    try:
        ProposedWeek.model_validate(data)
    except ValidationError as error:
        for each in error.errors(include_url=False):
            yield each["loc"], dict(each)


def say_fault(of: str, field: str, error: dict[str, Any]) -> str:
    """The sentence at a field of a week, a task, a new task or a row."""
    if field == "hours":
        return HOURS
    if error["type"] == "too_short":
        return EMPTY[of]
    if error["type"] != "too_long":
        return ODD
    most = error["ctx"]["max_length"]
    if not isinstance(error["input"], str):
        return f"Keep it to {most} {NAMES[field]}."
    kept = "each topic" if field == "topics" else "this"
    return f"Keep {kept} to {most:,} characters; it has {error['ctx']['actual_length']:,}."
