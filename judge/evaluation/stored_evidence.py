"""Evidence read back from a CheckRun, as the judge had it. Of pictures only the facts are kept."""

import datetime
import uuid
from typing import Any

from judge.evidence import Evidence, Row, Task, Turn
from judge.models import CheckRun


class NotKept(Exception):
    """The run holds no evidence that can be read: it is older than that, or was erased."""


def read_stored(run: CheckRun) -> Evidence:
    """Task and turns of a run, without its pictures. Raises NotKept."""
    data = run.evidence
    try:
        return Evidence(
            task=_read_task(data["task"], run),
            turns=tuple(_read_turn(turn) for turn in data["turns"]),
            omitted=data["omitted"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise NotKept(str(run.pk)) from error


def had_pictures(run: CheckRun) -> bool:
    return bool(run.evidence.get("frames"))


def _read_task(data: dict[str, Any], run: CheckRun) -> Task:
    return Task(
        action_id=run.action_id,
        spec_version=run.spec_version,
        title=data["title"],
        description=data["description"],
        week_number=data["weekNumber"],
        week_title=data["weekTitle"],
        week_description=data["weekDescription"],
        rows=tuple(
            Row(
                key=row["key"],
                id=uuid.UUID(row["id"]),
                title=row["title"],
                evidence_kind=row["evidenceKind"],
                origin=row["origin"],
            )
            for row in data["rows"]
        ),
    )


def _read_turn(data: dict[str, Any]) -> Turn:
    sent_at = datetime.datetime.fromisoformat(data["sentAt"])
    is_pinned = bool(data.get("isPinned"))
    return Turn(data["number"], data["role"], data["text"], sent_at, is_pinned)
