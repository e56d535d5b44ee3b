"""What a judge is given: the task and the evidence, as plain frozen values.

Built by the caller from the student's turns and frames. It holds nothing of the copilot's
prompt, tools or memory, and nothing of an earlier check.
"""

import datetime
import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plans.models import Action

MOST_TURNS = 60
MOST_CHARACTERS = 80_000
OLDEST_FRAME_SECONDS = 10 * 60


@dataclass(frozen=True, slots=True)
class Row:
    """A requirement. `key` ("r1", "r2", ...) is its name in the prompt and in the answer."""

    key: str
    id: uuid.UUID
    title: str
    evidence_kind: str
    origin: str


@dataclass(frozen=True, slots=True)
class Task:
    action_id: uuid.UUID
    spec_version: int
    title: str
    description: str
    week_number: int
    week_title: str
    week_description: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance, as it was sent. `number` counts the action's turns from 1, for good.
    `is_pinned`: the student marked it as their work, so that no cap leaves it out."""

    number: int
    role: str
    text: str
    sent_at: datetime.datetime
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """One screenshot, re-encoded. `age_seconds` is its age when the check began. `pinned_to` is
    the key of the one row it was kept for ("" for a picture of the shared screen); a pinned one
    does not grow old."""

    number: int
    data: bytes
    age_seconds: int
    is_black: bool
    mime: str = "image/jpeg"
    pinned_to: str = ""

    @property
    def is_current(self) -> bool:
        is_fresh = bool(self.pinned_to) or self.age_seconds <= OLDEST_FRAME_SECONDS
        return is_fresh and not self.is_black

    def counts_for(self, row: Row) -> bool:
        """Whether it may be evidence for the row: a pinned one for its own row alone."""
        return self.is_current and self.pinned_to in ("", row.key)


@dataclass(frozen=True, slots=True)
class Evidence:
    """`omitted` is how many of the action's oldest turns were left out; `unseen` are spoken ones
    among them, never shown to a judge, by which copied words are known. `notices` are sentences
    for the card about how the evidence came about, for example an unreadable screenshot; `hints`
    are such as help only where something is missing."""

    task: Task
    turns: tuple[Turn, ...] = ()
    omitted: int = 0
    frames: tuple[Frame, ...] = ()
    notices: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    unseen: tuple[Turn, ...] = ()

    def as_record(self) -> dict[str, Any]:
        """A JSON-able copy for audit and replay, pictures by their digest alone."""
        task = self.task
        return {
            "task": {
                "title": task.title,
                "description": task.description,
                "weekNumber": task.week_number,
                "weekTitle": task.week_title,
                "weekDescription": task.week_description,
                "rows": [
                    {
                        "key": row.key,
                        "id": str(row.id),
                        "title": row.title,
                        "evidenceKind": row.evidence_kind,
                        "origin": row.origin,
                    }
                    for row in task.rows
                ],
            },
            "turns": [
                {
                    "number": turn.number,
                    "role": turn.role,
                    "text": turn.text,
                    "isPinned": turn.is_pinned,
                    "sentAt": turn.sent_at.isoformat(),
                }
                for turn in self.turns
            ],
            "omitted": self.omitted,
            "frames": [
                {
                    "number": frame.number,
                    "ageSeconds": frame.age_seconds,
                    "isBlack": frame.is_black,
                    "pinnedTo": frame.pinned_to,
                    "sha256": hashlib.sha256(frame.data).hexdigest(),
                }
                for frame in self.frames
            ],
        }

    def turn(self, number: int) -> Turn | None:
        return next((turn for turn in self.turns if turn.number == number), None)

    def frame(self, number: int) -> Frame | None:
        return next((frame for frame in self.frames if frame.number == number), None)


def read_task(action_id: uuid.UUID) -> Task:
    """Read the task as it stands. The version is read before the rows, so that an edit between
    the two reads makes the check stale, never wrong. Raises Action.DoesNotExist."""
    action = Action.objects.select_related("week").get(pk=action_id)
    rows = tuple(
        Row(f"r{place}", row.id, row.title, row.evidence_kind, row.origin)
        for place, row in enumerate(action.requirements.order_by("position", "id"), start=1)
    )
    return Task(
        action_id=action.id,
        spec_version=action.spec_version,
        title=action.title,
        description=action.description,
        week_number=action.week.number,
        week_title=action.week.title,
        week_description=action.week.description,
        rows=rows,
    )


def is_unchanged(task: Task) -> bool:
    """Whether the task still has the spec version that was read."""
    return Action.objects.filter(pk=task.action_id, spec_version=task.spec_version).exists()


def cap_turns(turns: Sequence[Turn], total: int) -> tuple[tuple[Turn, ...], int]:
    """Keep every pinned turn, and whole turns, newest first, within the limits.

    `turns` are some of `total`, in order: the pinned ones and the newest. Returns the kept turns,
    oldest first, and how many were left out.
    """
    kept = {turn.number for turn in turns if turn.is_pinned}
    room = MOST_CHARACTERS - sum(len(turn.text) for turn in turns if turn.is_pinned)
    for turn in reversed([turn for turn in turns if not turn.is_pinned][-MOST_TURNS:]):
        room -= len(turn.text)
        if room < 0:
            break
        kept.add(turn.number)
    return tuple(turn for turn in turns if turn.number in kept), total - len(kept)
