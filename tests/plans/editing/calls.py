"""Calling the use cases of editing, and reading what stands afterwards."""

from plans import editing
from plans.editing import Changes
from plans.models import Action
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
