"""PassedCheck: a frozen proof that every row is met, the only way to a `checked` completion."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """One requirement as judged. `evidence` holds JSON-able citations, as they were verified.

    `decision_id` is set where a person's decision made the row met; `judged` is then what the
    judge had said.
    """

    id: uuid.UUID
    title: str
    status: str
    note: str = ""
    evidence: tuple[dict[str, Any], ...] = ()
    decision_id: uuid.UUID | None = None
    judged: str = ""

    def as_json(self) -> dict[str, Any]:
        row = {
            "id": str(self.id),
            "title": self.title,
            "status": self.status,
            "note": self.note,
            "evidence": list(self.evidence),
        }
        if self.decision_id:
            row |= {"decision": str(self.decision_id), "judged": self.judged}
        return row


@dataclass(frozen=True, slots=True)
class PassedCheck:
    """A check in which every requirement of the action is met.

    `requirement_ids` are the action's requirements at `spec_version`; `check_id` is None when
    the audit row could not be written. Raises ValueError on an unmet, missing, doubled,
    unknown or no row.
    """

    action_id: uuid.UUID
    spec_version: int
    requirement_ids: frozenset[uuid.UUID]
    checklist: tuple[CheckedRow, ...]
    judge_kind: str
    check_id: uuid.UUID | None = field(default=None)

    def __post_init__(self) -> None:
        if not self.checklist:
            raise ValueError("A passed check needs at least one row.")
        if any(row.status != "met" for row in self.checklist):
            raise ValueError("A passed check has every row met.")
        if sorted(_ids(self.checklist)) != sorted(self.requirement_ids):
            raise ValueError("A passed check has each requirement exactly once.")
        if not self.judge_kind:
            raise ValueError("A passed check says which kind of judge passed it.")


def _ids(rows: Iterable[CheckedRow]) -> list[uuid.UUID]:
    return [row.id for row in rows]
