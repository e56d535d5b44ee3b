"""The check as it is shown: one form for a fresh result and a stored run, for page and API alike.

`met`, `all_met` and `blockers` are computed here from the rows.
"""

import datetime
import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from judge.models import CheckRun
from judge.reopened import is_after, reopened_at
from judge.result import CheckResult

# What is missing comes first.
_ORDER = {"not_met": 0, "not_shown": 1, "undecided": 2, "met": 3}


@dataclass(frozen=True, slots=True)
class CardRow:
    id: str
    title: str
    status: str
    note: str
    evidence: list[dict[str, Any]]
    was: str = ""

    @property
    def met(self) -> bool:
        return self.status == "met"


@dataclass(frozen=True, slots=True)
class Card:
    """A check for its student. `id` is None when the audit row is missing."""

    id: uuid.UUID | None
    outcome: str
    reason: str
    requirements: list[CardRow]
    summary: str
    spec_version: int
    started_at: datetime.datetime
    created_at: datetime.datetime
    is_stuck: bool
    judge_kind: str

    @property
    def all_met(self) -> bool:
        rows = self.requirements
        return self.outcome == "passed" and bool(rows) and all(row.met for row in rows)

    @property
    def missing_first(self) -> list[CardRow]:
        return sorted(self.requirements, key=lambda row: _ORDER[row.status])

    @property
    def is_changed(self) -> bool:
        """Whether a tap found a row otherwise than the check before it."""
        return any(row.was for row in self.requirements)

    @property
    def unmet_count(self) -> int:
        return sum(not row.met for row in self.requirements)

    @property
    def blockers(self) -> list[str]:
        """One line per unmet row of a failed check; none while undecided."""
        if self.outcome != "failed":
            return []
        unmet = (row for row in self.requirements if not row.met)
        return [f"{row.title}: {row.note}" if row.note else row.title for row in unmet]

    def is_stale(self, spec_version: int) -> bool:
        """Whether the task has changed since this check."""
        return self.spec_version != spec_version


def card_from_result(result: CheckResult) -> Card:
    return Card(
        id=result.id,
        outcome=result.outcome,
        reason=result.reason,
        requirements=[_row(row.as_json()) for row in result.rows],
        summary=result.summary,
        spec_version=result.task.spec_version,
        started_at=result.started_at,
        created_at=result.created_at,
        is_stuck=result.is_stuck,
        judge_kind=result.judge_kind,
    )


def card_from_run(run: CheckRun) -> Card:
    return Card(
        id=run.id,
        outcome=run.outcome,
        reason=run.reason,
        requirements=[_row(row) for row in run.checklist],
        summary=run.summary,
        spec_version=run.spec_version,
        started_at=run.started_at,
        created_at=run.created_at,
        is_stuck=run.is_stuck,
        judge_kind=run.judge_kind,
    )


def latest_card(action_id: uuid.UUID) -> Card | None:
    """The check of an action that was started last, or None. One query."""
    run = standing_runs().filter(action_id=action_id).order_by("-started_at").first()
    return card_from_run(run) if run else None


def standing_runs() -> QuerySet[CheckRun]:
    """Checks that no reopening by staff came after, without what only the audit reads."""
    runs = CheckRun.objects.annotate(reopened_at=reopened_at("action_id"))
    return runs.filter(is_after("started_at")).defer("evidence", "request", "replies")


def has_passed(action_id: uuid.UUID, spec_version: int) -> bool:
    """Whether the last check that was decided, at this version of the task, passed. One query."""
    runs = standing_runs().filter(action_id=action_id, spec_version=spec_version)
    decided = runs.exclude(outcome=CheckRun.Outcome.UNDECIDED).order_by("-started_at")
    return decided.values_list("outcome", flat=True).first() == CheckRun.Outcome.PASSED


def _row(data: dict[str, Any]) -> CardRow:
    return CardRow(
        data["id"],
        data["title"],
        data["status"],
        data["note"],
        data["evidence"],
        data.get("was", ""),
    )
