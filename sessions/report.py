"""The plan's progress report: one row a plan, computed from the stored facts alone."""

import uuid

from django.db import transaction
from django.db.models import Max

from plans.models import Action, Plan
from sessions.models import CopilotSession, ProgressReport


@transaction.atomic
def refresh_report(plan_id: uuid.UUID) -> None:
    """Compute the report again. The plan row is locked, so that of two refreshes the one that
    writes last has also read last."""
    Plan.objects.select_for_update(no_key=True).get(pk=plan_id)
    actions = (
        Action.objects.filter(week__plan_id=plan_id, archived_at=None)
        .select_related("week", "current_completion")
        .order_by("week__number", "position", "id")
    )
    content = {
        "done": [_done(action) for action in actions if action.current_completion],
        "open": [_open(action) for action in actions if not action.current_completion],
    }
    ProgressReport.objects.update_or_create(
        plan_id=plan_id,
        defaults={
            "content": content,
            "last_worked_at": _last_worked_at(plan_id, actions),
        },
    )


def read_report(plan: Plan) -> ProgressReport:
    """The plan's report, made on first sight."""
    report = ProgressReport.objects.filter(plan=plan).first()
    if report is None:
        refresh_report(plan.pk)
        report = ProgressReport.objects.get(plan=plan)
    return report


def _done(action: Action) -> dict:
    completion = action.current_completion
    return {
        "title": action.title,
        "week": action.week.number,
        "how": completion.how,
        "byRules": completion.by_rules,
        "decided": completion.decided_in_words,
        "at": completion.confirmed_at.isoformat(),
    }


def _open(action: Action) -> dict:
    return {"title": action.title, "week": action.week.number, "status": action.status}


def _last_worked_at(plan_id: uuid.UUID, actions):
    sessions = CopilotSession.objects.filter(action__week__plan_id=plan_id)
    times = [sessions.aggregate(last=Max("last_active_at"))["last"]]
    times += [row.current_completion.confirmed_at for row in actions if row.current_completion]
    return max((time for time in times if time), default=None)
