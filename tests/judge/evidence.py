"""Evidence for tests of the judge: plain values, no database."""

import datetime
import uuid

from judge.evidence import Evidence, Frame, Row, Task, Turn

NOW = datetime.datetime(2026, 11, 30, 14, 32, tzinfo=datetime.UTC)


def make_task(*rows: tuple[str, str], **changes) -> Task:
    """A task with one row per (title, evidence kind)."""
    rows = rows or (("The status column holds only “Open” or “Closed”", "shown"),)
    values = {
        "action_id": uuid.uuid4(),
        "spec_version": 2,
        "title": "Give every station exactly one status",
        "description": "Each station is “Open” or “Closed”, spelled that way.",
        "week_number": 2,
        "week_title": "Clean the data",
        "week_description": "Make the table fit for a map.",
        "rows": tuple(
            Row(f"r{number}", uuid.uuid4(), title, kind, "plan")
            for number, (title, kind) in enumerate(rows, start=1)
        ),
    }
    return Task(**values | changes)


def make_turns(*said: tuple[str, str]) -> tuple[Turn, ...]:
    """Turns numbered from 1, one per (role, text)."""
    return tuple(Turn(number, role, text, NOW) for number, (role, text) in enumerate(said, 1))


def make_frame(number: int = 1, age: int = 5, *, is_black: bool = False) -> Frame:
    return Frame(number, b"jpeg bytes", age, is_black)


def make_evidence(task: Task | None = None, turns=(), **more) -> Evidence:
    return Evidence(task or make_task(), turns, **more)
