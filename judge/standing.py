"""How a student's objections to the rows of a task stand, for the card. It decides nothing."""

import uuid
from dataclasses import dataclass, field, replace

from django.db.models import F

from judge.models import Appeal, RowDecision
from judge.reopened import is_after, reopened_at


@dataclass(frozen=True, slots=True)
class Standing:
    """One row: whether an objection waits, and the newest decision, if there is one. `judged` is
    what the check had said that was contested, `check_id` that check."""

    is_waiting: bool = False
    is_decided: bool = False
    is_met: bool = False
    reason: str = ""
    judged: str = ""
    check_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """By the row's id as text. `is_waiting` is about a check that was contested as a whole."""

    rows: dict[str, Standing] = field(default_factory=dict)
    is_waiting: bool = False


def read_standings(action_id: uuid.UUID, spec_version: int) -> Standings:
    """The objections to a task as it stood at this version, without decisions that a reopening
    has ended. One query."""
    found = (
        Appeal.objects.filter(check_run__action_id=action_id, check_run__spec_version=spec_version)
        .annotate(reopened_at=reopened_at("check_run__action_id"))
        .order_by("decisions__decided_at", "created_at")
        .values_list(
            "requirement_id",
            "decided_at",
            "check_run_id",
            "decisions__requirement_id",
            "decisions__is_met",
            "decisions__reason",
            "decisions__judged_status",
            "decisions__decided_at",
            "reopened_at",
        )
    )
    rows: dict[str, Standing] = {}
    is_waiting = False
    for contested, decided_at, check_id, decided, is_met, reason, judged, since, ended in found:
        if decided and (ended is None or since > ended):
            before = rows.get(str(decided), Standing())
            rows[str(decided)] = Standing(before.is_waiting, True, is_met, reason, judged, check_id)
        if decided_at is None and contested is None:
            is_waiting = True
        elif decided_at is None:
            before = rows.get(str(contested), Standing())
            rows[str(contested)] = replace(before, is_waiting=True)
    return Standings(rows, is_waiting)


def find_answered(plan_id: uuid.UUID) -> set[uuid.UUID]:
    """Tasks of the plan that are still open and have a decision at their present version, which
    their student may not have read yet. One query."""
    return set(
        RowDecision.objects.filter(
            action__week__plan_id=plan_id,
            action__current_completion=None,
            is_met=True,
            spec_version=F("action__spec_version"),
        )
        .annotate(reopened_at=reopened_at("action_id"))
        .filter(is_after("decided_at"))
        .values_list("action_id", flat=True)
    )
