"""Many rows of every model, written in bulk: for counting queries, where the way they came about
does not matter. The database still takes only a consistent record."""

import datetime
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Model, OuterRef, Subquery
from django.utils import timezone

from judge.models import Appeal, AppealFrame, CheckRun, RowDecision
from plans.models import (
    Action,
    ActionEdit,
    Allowance,
    Completion,
    DailyUse,
    Erasure,
    FollowUp,
    HeldTap,
    How,
    ModelSwitch,
    Plan,
    PlanDraft,
    Proof,
    Reopening,
    Requirement,
    Status,
    Week,
)
from sessions.models import CopilotSession, MemorySummary, Picture, ProgressReport, Turn
from tests.admin.records import JPEG, Record


@transaction.atomic
def add_many(record: Record, number: int) -> None:
    """Add `number` rows of every model, each with relations of its own but for the people."""
    student = record.student
    staff = Erasure.objects.get(person=student).by
    plans = add(Plan, [{"owner": student, "title": f"Plan {at}"} for at in range(number)])
    weeks = add(Week, [{"plan": plan, "number": 1, "title": "One"} for plan in plans])
    actions = add(Action, [{"week": week, "title": "Task"} for week in weeks])
    rows = add(Requirement, [{"action": action, "title": "Row"} for action in actions])
    actions = list(Action.objects.filter(pk__in=[action.pk for action in actions]))
    add_completions(actions, student, staff)
    sessions = add(CopilotSession, [{"action": one, "student": student} for one in actions])
    add(Turn, [{"session": one, "number": 1, "role": "student", "text": "x"} for one in sessions])
    accepted = {"owner": student, "brief": {}, "proposal": {}, "state": "accepted"}
    add(PlanDraft, [{**accepted, "plan": plan} for plan in plans])
    add(MemorySummary, zip_rows(session=sessions, plan=plans, made=["x"] * number))
    add(Proof, [{"plan": plan} for plan in plans])
    add(ProgressReport, [{"plan": plan} for plan in plans])
    add(FollowUp, [{"key": str(one.pk), "plan": one.week.plan, "action": one} for one in actions])
    columns = {field.attname: getattr(record.run, field.attname) for field in CheckRun._meta.fields}
    del columns["id"], columns["action_id"]
    runs = add(CheckRun, [{**columns, "action": action} for action in actions])
    appeals = add(Appeal, [{"check_run": run, "student": student} for run in runs])
    taken = {"jpeg": JPEG, "taken_at": timezone.now()}
    add(AppealFrame, [{"appeal": appeal, **taken} for appeal in appeals])
    add_decisions(appeals, rows, staff)
    kept = {"student": student, "jpeg": JPEG}
    add(Picture, [{"action": row.action, "requirement": row, **kept} for row in rows])
    add(Erasure, [{"person": student, "by": staff, "reason": "x"} for _ in range(number)])
    add_spending(actions, student, staff)
    noted = {"by": student, "kind": "edited", "spec_version": 2}
    add(ActionEdit, [{"action": action, **noted} for action in actions])


def add_spending(actions: list[Action], student: Any, staff: Any) -> None:
    today = timezone.localdate()
    days = [today - datetime.timedelta(days=back) for back in range(1, len(actions) + 1)]
    add(DailyUse, [{"student": student, "day": day, "purpose": "check"} for day in days])
    held = {"student": student, "day": today, "calls": 2}
    add(HeldTap, [{**held, "action": action} for action in actions])
    signed = {"reason": "x", "by": staff}
    own = {"student": student, "purpose": "check", "daily_calls": 90}
    add(Allowance, [{**own, **signed} for _ in actions])
    add(ModelSwitch, [{"is_off": False, **signed} for _ in actions])


def add_completions(actions: list[Action], student: Any, staff: Any) -> None:
    """One completion that was reopened, and a current one."""
    values = [
        {
            "action": action,
            "confirmed_by": student,
            "how": How.SELF_REPORTED,
            "spec_version": action.spec_version,
        }
        for action in actions
    ]
    ended = add(Completion, values)
    add(Reopening, [{"completion": one, "by": staff, "reason": "x"} for one in ended])
    add(Completion, values)
    current = Completion.objects.filter(action=OuterRef("pk"), reopening=None).values("pk")
    Action.objects.filter(pk__in=[action.pk for action in actions]).update(
        status=Status.COMPLETED, current_completion=Subquery(current)
    )


def add_decisions(appeals: list[Appeal], rows: list[Requirement], staff: Any) -> None:
    decided = {"judged_status": "not_met", "is_met": True, "reason": "x", "decided_by": staff}
    values = [
        {
            "appeal": appeal,
            "action": row.action,
            "requirement_id": row.pk,
            "spec_version": 1,
            **decided,
        }
        for appeal, row in zip(appeals, rows, strict=True)
    ]
    add(RowDecision, values)


def add(model: type[Model], rows: Iterable[dict[str, Any]]) -> list[Any]:
    return model.objects.bulk_create(model(**row) for row in rows)


def zip_rows(**columns: list[Any]) -> list[dict[str, Any]]:
    return [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
