"""The student changes the plan: tasks are edited, moved, added, dropped and restored, and a week's
text. It writes no status; of `completed_at` only what `settle_completed_at` makes of the tasks.

Each use case is one transaction that locks the plan first, as a tap does, and then decides from
what it reads. Each leaves one ActionEdit per changed task. All raise Http404 for what is missing
or another's, and `plans.errors.Refused`.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from elivio.text import digest_of
from plans import outbox
from plans.agreed_rows import AgreedRow, AgreementChanged, clean_rows, digest_rows
from plans.errors import (
    AlreadyCompleted,
    Archived,
    PlaceGone,
    TaskChanged,
    TextRefused,
    WeekBegun,
    WeekChanged,
    WeekFull,
    WeekWouldClose,
)
from plans.history import Snapshot, take_snapshot, take_week, what_differs
from plans.models import Action, ActionEdit, FollowUp, Origin, Plan, Requirement, Status, Week
from plans.models.action import delete_rows, settle_completed_at
from plans.task_text import (
    RowText,
    clean_block,
    clean_line,
    find_row_faults,
    find_text_faults,
)

MOST_TASKS = 40
Kind = ActionEdit.Kind


@dataclass(frozen=True, slots=True)
class Place:
    """In which week (None: the one it is in), and after which of its tasks (None: first)."""

    week_id: uuid.UUID | None = None
    after: uuid.UUID | Literal["end"] | None = "end"


@dataclass(frozen=True, slots=True)
class Changes:
    """What a task is to become; None leaves it as it is. `rows` are all requirements in order."""

    title: str | None = None
    description: str | None = None
    rows: Sequence[RowText] | None = None
    place: Place | None = None


@transaction.atomic
def edit_task(
    user,
    action_id: uuid.UUID,
    changes: Changes,
    *,
    expected_version: int,
    close_week: bool = False,
) -> ActionEdit | None:
    """Change a task that is not complete. `expected_version` is the spec version that the changes
    were typed against; of another one, the same texts again are no change. Returns None when
    nothing differs. Only the literal True closes a week."""
    plan, action = _lock_task(user, action_id)
    if action.spec_version != expected_version:
        if _has_other_text(action, changes):
            raise TaskChanged
        changes = replace(changes, rows=None)
    return _change(plan, action, user, changes, close_week)


@transaction.atomic
def move_task(
    user, action_id: uuid.UUID, place: Place, *, close_week: bool = False
) -> ActionEdit | None:
    """Move a task within its week or into another one. Within its week its spec version stays."""
    plan, action = _lock_task(user, action_id)
    return _change(plan, action, user, Changes(place=place), close_week)


@transaction.atomic
def add_task(
    user,
    week_id: uuid.UUID,
    *,
    title: str,
    description: str,
    rows: Sequence[RowText],
    form_id: str = "",
) -> ActionEdit:
    """A new task at the end of the week, which is open again if it was complete. The same words
    again under one `form_id` are the same task: a form may be sent twice."""
    plan, week = _lock_week(user, week_id)
    rows = [RowText(None, row.title, row.evidence_kind) for row in rows]
    sent = uuid.uuid5(week.pk, repr((form_id, title, description, rows)))
    before = (
        ActionEdit.objects.filter(kind=Kind.ADDED, action=sent).select_related("action").first()
    )
    if form_id and before and before.action.archived_at is None:
        return before
    pk = uuid.uuid4() if before or not form_id else sent
    action = Action(pk=pk, week=week, position=_count_places(week))
    _take_text(action, Changes(title, description, rows))
    if week.actions.filter(archived_at=None).count() >= MOST_TASKS:
        raise WeekFull(MOST_TASKS)
    action.save(force_insert=True)
    _write_rows(action, rows)
    settle_completed_at(plan)
    return _note(plan, action, user, Kind.ADDED, {}, take_snapshot(action))


@transaction.atomic
def drop_task(user, action_id: uuid.UUID, *, close_week: bool = False) -> ActionEdit:
    """Archive a task that is not complete. Nothing of it is deleted, and it can be restored."""
    plan, action = _lock_task(user, action_id)
    before = take_snapshot(action)
    closing = _leave_week(action, close_week)
    action.archived_at = timezone.now()
    action.save(update_fields=("archived_at",))
    settle_completed_at(plan, closing=closing)
    before = {name: before[name] for name in ("title", "week", "place")}
    return _note(plan, action, user, Kind.DROPPED, before, {})


@transaction.atomic
def restore_task(user, action_id: uuid.UUID) -> ActionEdit | None:
    """Take a drop back, into its week: a complete or closed one is open again, a full one refuses.
    There already is a quiet None; what was archived by anybody but the student is missing."""
    owned = Action.objects.filter(week__plan__owner=user, week__plan__archived_at=None)
    plan, action = get_object_or_404(owned, pk=action_id).lock()
    if plan.archived_at:
        raise Archived
    if action.archived_at is None:
        return None
    last = action.edits.first()
    if last is None or last.kind != Kind.DROPPED:
        raise Http404
    week = action.week
    if week.actions.filter(archived_at=None).count() >= MOST_TASKS:
        raise WeekFull(MOST_TASKS, week.number)
    action.archived_at = None
    action.save(update_fields=("archived_at",))
    settle_completed_at(plan)
    after = {name: take_snapshot(action)[name] for name in ("title", "week", "place")}
    after |= {"opens_week": True} if week.completed_at else {}
    return _note(plan, action, user, Kind.RESTORED, {}, after)


@transaction.atomic
def agree_on(user, action: Action, rows: Sequence[AgreedRow], *, seen: str | None = None) -> bool:
    """Make these rows all that is agreed on (`Action.agree_on`), and keep the edit. Returns whether
    anything changed. `seen` is the digest of the rows that stood there for whoever typed these: of
    others than stand now it raises AgreementChanged, unless these are the same."""
    plan, locked = action.lock()
    before = take_snapshot(locked)
    stored = locked.requirements.filter(origin=Origin.AGREED).order_by("position", "id")
    now = [AgreedRow(row.title, row.evidence_kind) for row in stored]
    if seen not in (None, digest_rows(now)) and now != clean_rows(rows):
        raise AgreementChanged
    if not action.agree_on(rows, by=user):
        return False
    before, after = what_differs(before, take_snapshot(locked))
    _note(plan, locked, user, Kind.EDITED, before, after)
    return True


@transaction.atomic
def edit_week(
    user, week_id: uuid.UUID, *, title: str, description: str, seen: str | None = None
) -> list[ActionEdit]:
    """Change the text of a week in which nothing is complete: it is part of each of its tasks.
    `seen` is the digest of the text that it was typed against."""
    plan, week = _lock_week(user, week_id)
    title, description = clean_line(title), clean_block(description)
    if faults := find_text_faults(title, description, "week"):
        raise TextRefused(faults)
    before = take_week(week)
    week.title, week.description = title, description
    if before == take_week(week):
        return []
    if seen not in (None, digest_of(before)):
        raise WeekChanged
    tasks = week.actions.filter(archived_at=None)
    if tasks.filter(status=Status.COMPLETED).exists():
        raise WeekBegun
    week.save(update_fields=("title", "description"))
    changed = {"week": before}, {"week": take_week(week)}
    return [_note(plan, task, user, Kind.EDITED, *changed) for task in tasks.all()]


def _lock_task(user, action_id: uuid.UUID) -> tuple[Plan, Action]:
    found = get_object_or_404(Action.objects.owned_by(user), pk=action_id)
    plan, action = found.lock()
    if plan.owner_id != user.pk:
        raise Http404
    if plan.archived_at or action.archived_at:
        raise Archived
    if action.status == Status.COMPLETED:
        raise AlreadyCompleted
    return plan, action


def _lock_week(user, week_id: uuid.UUID) -> tuple[Plan, Week]:
    plans = Plan.objects.owned_by(user).select_for_update(no_key=True, of=("self",))
    plan = get_object_or_404(plans, weeks=week_id)
    return plan, plan.weeks.get(pk=week_id)


def _change(
    plan: Plan, action: Action, user, changes: Changes, close_week: bool
) -> ActionEdit | None:
    """The caller holds the locks."""
    before = take_snapshot(action)
    rows = _take_text(action, changes)
    closing = _take_place(plan, action, changes.place, close_week) if changes.place else None
    action.save(update_fields=("title", "description", "week"))
    if rows is not None:
        _write_rows(action, rows)
    before, after = what_differs(before, take_snapshot(action))
    if not after:
        return None
    settle_completed_at(plan, closing=closing)
    kind = Kind.MOVED if after.keys() <= {"week", "place"} else Kind.EDITED
    return _note(plan, action, user, kind, before, after)


def _has_other_text(action: Action, changes: Changes) -> bool:
    """Whether the changes make another text of what is stored; ids of rows do not matter."""
    title, description, rows = changes.title, changes.description, changes.rows
    stored = [(row.title, row.evidence_kind) for row in _read_rows(action)]
    return (
        (title is not None and clean_line(title) != clean_line(action.title))
        or (description is not None and clean_block(description) != clean_block(action.description))
        or (
            rows is not None
            and [(clean_line(row.title), row.evidence_kind) for row in rows] != stored
        )
    )


def _take_text(action: Action, changes: Changes) -> Sequence[RowText] | None:
    """Put the texts on the action, unsaved. Returns the requirements if they differ."""
    title = None if changes.title is None else clean_line(changes.title)
    description = None if changes.description is None else clean_block(changes.description)
    faults = find_text_faults(title, description, "task")
    rows = changes.rows and [
        RowText(row.id, clean_line(row.title), row.evidence_kind) for row in changes.rows
    ]
    if rows is not None:
        faults |= find_row_faults(rows)
    if faults:
        raise TextRefused(faults)
    if title is not None and title != clean_line(action.title):
        action.title = title
    if description is not None and description != clean_block(action.description):
        action.description = description
    return rows if rows is not None and rows != _read_rows(action) else None


def _read_rows(action: Action) -> list[RowText]:
    stored = Requirement.objects.filter(action_id=action.pk).order_by("position", "id")
    return [RowText(row.pk, clean_line(row.title), row.evidence_kind) for row in stored]


def _write_rows(action: Action, rows: Sequence[RowText]) -> None:
    """Make these the requirements. Those that stay keep their id and origin."""
    stored = {row.pk: row for row in action.requirements.all()}
    if any(row.id and row.id not in stored for row in rows):
        raise TaskChanged
    delete_rows(stored.keys() - {row.id for row in rows})
    for position, row in enumerate(rows):
        kept = stored.get(row.id) or Requirement(action=action)
        kept.title, kept.evidence_kind, kept.position = row.title, row.evidence_kind, position
        kept.save()


def _take_place(plan: Plan, action: Action, place: Place, close_week: bool) -> uuid.UUID | None:
    """Put the action into its week, unsaved, and number the tasks there. Returns the week that is
    closed by it without any task left."""
    week = get_object_or_404(plan.weeks, pk=place.week_id or action.week_id)
    others = list(
        week.actions.filter(archived_at=None).exclude(pk=action.pk).order_by("position", "id")
    )
    ids = [None, *(one.pk for one in others)]
    if place.after != "end" and place.after not in ids:
        raise PlaceGone
    closing = None
    if week.pk != action.week_id:
        if len(others) >= MOST_TASKS:
            raise WeekFull(MOST_TASKS)
        closing = _leave_week(action, close_week)
    at = len(others) if place.after == "end" else ids.index(place.after)
    action.week = week
    for position, one in enumerate([*others[:at], action, *others[at:]]):
        if one.position != position:
            one.position = position
            Action.objects.filter(pk=one.pk).update(position=position)
    return closing


def _leave_week(action: Action, close_week: bool) -> uuid.UUID | None:
    """Let the action leave its week. Raises WeekWouldClose for the last open one unless the student
    closes the week; returns the week that they close without any task left in it."""
    others = action.week.actions.filter(archived_at=None).exclude(pk=action.pk)
    states = set(others.order_by().values_list("status", flat=True))
    if states - {Status.COMPLETED}:
        return None
    if close_week is not True:
        raise WeekWouldClose(action.week.number, is_emptied=not states)
    return None if states else action.week_id


def _count_places(week: Week) -> int:
    last = week.actions.order_by("-position").values_list("position", flat=True).first()
    return 0 if last is None else last + 1


def _note(
    plan: Plan, action: Action, user, kind: str, before: Snapshot, after: Snapshot
) -> ActionEdit:
    """Keep the edit, and have the progress report made again."""
    action.refresh_from_db(fields=("spec_version",))
    edit = ActionEdit.objects.create(
        action=action,
        by=user,
        kind=kind,
        before=before,
        after=after,
        spec_version=action.spec_version,
    )
    about = {"action_id": action.pk}
    outbox.add(f"edit:{edit.pk}", plan.pk, [FollowUp.Kind.REFRESH_REPORT], **about)
    return edit
