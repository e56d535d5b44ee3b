"""Calling the use cases of editing, and reading what stands afterwards."""

from plans import editing
from plans.editing import Changes
from plans.models import Action, Plan, Status
from plans.task_text import RowText


def rows_of(action):
    stored = action.requirements.order_by("position", "id")
    return [RowText(row.pk, row.title, row.evidence_kind) for row in stored]


def edit(student, action, *, close_week=False, version=None, **changes):
    version = Action.objects.get(pk=action.pk).spec_version if version is None else version
    return editing.edit_task(
        student, action.pk, Changes(**changes), expected_version=version, close_week=close_week
    )


def titles(week):
    live = week.actions.filter(archived_at=None).order_by("position", "id")
    return [action.title for action in live]


def find_inconsistent(plan):
    """Weeks and plan whose `completed_at` is not what their tasks say. An empty week may be either:
    it is closed when the student has closed it."""
    wrong, states = [], []
    for week in plan.weeks.all():
        live = list(week.actions.filter(archived_at=None).values_list("status", flat=True))
        states += live
        is_done = all(status == Status.COMPLETED for status in live)
        if live and is_done != (week.completed_at is not None):
            wrong.append(week)
    is_done = bool(states) and set(states) == {Status.COMPLETED}
    if is_done != (Plan.objects.get(pk=plan.pk).completed_at is not None):
        wrong.append(plan)
    return wrong
