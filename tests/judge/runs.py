"""Stored runs of a judge, decisions on their rows, and completions by them, for tests."""

from django.utils import timezone

from judge.health_figures import Judge
from judge.models import Appeal, CheckRun, RowDecision
from plans.models import Action, Status
from plans.passed_check import CheckedRow, PassedCheck
from tests import factories

FLASH, RULES = Judge("gemini", "flash", 1), Judge("rules", "rules", 1)


def add_run(action, outcome="passed", trigger="check", judge=FLASH, *, rows=(), **columns):
    """A run a little later than those before it. `rows` are (status, more) for each requirement."""
    started = timezone.now()
    checklist = [
        {"id": str(row.pk), "title": row.title, "status": status, **more}
        for row, (status, more) in zip(action.requirements.order_by("position"), rows, strict=False)
    ]
    values = {
        "action": action,
        "student": action.week.plan.owner,
        "outcome": outcome,
        "trigger": trigger,
        "checklist": checklist,
        "spec_version": action.spec_version,
        "judge_kind": judge.kind,
        "model": judge.model,
        "prompt_version": judge.prompt_version,
        "started_at": started,
    }
    return CheckRun.objects.create(**values | columns)


def decide(run, *verdicts, about=None):
    """Staff's decision on each row of a run, in its order; None leaves a row out."""
    appeal = Appeal.objects.create(check_run=run, student=run.student, requirement_id=about)
    for row, is_met in zip(run.checklist, verdicts, strict=True):
        if is_met is not None:
            RowDecision.objects.create(
                appeal=appeal,
                action=run.action,
                requirement_id=row["id"],
                spec_version=run.spec_version,
                judged_status=row["status"],
                is_met=is_met,
                reason="Looked at it.",
                decided_by=factories.make_staff(),
            )


def complete(action, run):
    """By the tap `run`, or by one whose audit row is missing."""
    action = Action.objects.get(pk=action.pk)
    rows = tuple(CheckedRow(row.pk, row.title, "met") for row in action.requirements.all())
    check = PassedCheck(
        action_id=action.pk,
        spec_version=action.spec_version,
        requirement_ids=frozenset(row.id for row in rows),
        checklist=rows,
        judge_kind="gemini",
        check_id=run.pk if run else None,
    )
    return action.update_status(
        Status.COMPLETED, by=action.week.plan.owner, confirmed=True, check=check
    )
