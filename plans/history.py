"""What was changed in a task, in words: read from ActionEdit rows, whose JSON is made here too."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plans.models import Action, ActionEdit, EvidenceKind, Week

Snapshot = dict[str, Any]
Kind = ActionEdit.Kind
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that differs. "" before or after where there was nothing, or is nothing now."""

    what: str
    before: str
    after: str


def take_snapshot(action: Action) -> Snapshot:
    """The task as it stands, JSON-able. Three queries."""
    siblings = list(action.week.actions.filter(archived_at=None).order_by("position", "id"))
    return {
        "title": action.title,
        "description": action.description,
        "week": take_week(action.week),
        "place": next((at for at, one in enumerate(siblings, 1) if one.pk == action.pk), 0),
        "requirements": [
            {"id": str(row.pk), "title": row.title, "kind": row.evidence_kind, "origin": row.origin}
            for row in action.requirements.order_by("position", "id")
        ],
    }


def take_week(week: Week) -> Snapshot:
    return {
        "id": str(week.pk),
        "number": week.number,
        "title": week.title,
        "description": week.description,
    }


def what_differs(before: Snapshot, after: Snapshot) -> tuple[Snapshot, Snapshot]:
    """Both without what is the same in them. A place says something within one week alone."""
    names = [name for name in after if before.get(name) != after[name]]
    if "week" in names and "place" in names:
        names.remove("place")
    return {name: before[name] for name in names}, {name: after[name] for name in names}


def read_history(action: Action) -> list[ActionEdit]:
    """The task's edits, newest first, with who made them; MOST_SHOWN at most."""
    return list(action.edits.select_related("by")[:MOST_SHOWN])


def find_edit(user, plan_id: uuid.UUID, text: str) -> ActionEdit | None:
    """The edit of this id in the user's plan, or None, also for a text that is no id."""
    try:
        edit_id = uuid.UUID(text)
    except ValueError:
        return None
    edits = ActionEdit.objects.filter(action__week__plan=plan_id, action__week__plan__owner=user)
    return edits.select_related("action").filter(pk=edit_id).first()


def describe_edit(edit: ActionEdit) -> list[Change]:
    """What the edit changed, each in words."""
    if edit.kind == Kind.DROPPED:
        return [Change("Week", _name_week(edit.before["week"]), "")]
    if edit.kind == Kind.RESTORED:
        return [Change("Week", "", _name_week(edit.after["week"]))]
    return list(_read_changes(edit.before, edit.after))


def say_edit(edit: ActionEdit) -> str:
    """The edit in one sentence, for the one who has just made it."""
    number = edit.after.get("week", {}).get("number")
    match edit.kind:
        case Kind.ADDED:
            return f"Added to week {number}."
        case Kind.DROPPED:
            return f"“{edit.before['title']}” is dropped."
        case Kind.RESTORED:
            again = ", which is open again" if edit.after.get("opens_week") else ""
            return f"This task is back in week {number}{again}."
        case Kind.MOVED:
            return f"Moved to week {number}." if number else "Moved to another place in its week."
    names = dict.fromkeys(_name_kind_of(change) for change in describe_edit(edit))
    return f"Saved: {', '.join(names)}."


def _read_changes(before: Snapshot, after: Snapshot) -> Iterator[Change]:
    for name, what in (("title", "Title"), ("description", "Description")):
        if before.get(name, "") != after.get(name, ""):
            yield Change(what, before.get(name, ""), after.get(name, ""))
    if "requirements" in after:
        yield from _read_rows(before.get("requirements", []), after["requirements"])
    if "week" in after:
        yield from _read_week(before.get("week"), after["week"])
    elif "place" in after:
        yield Change("Place in its week", str(before["place"]), str(after["place"]))


def _read_rows(before: list[Snapshot], after: list[Snapshot]) -> Iterator[Change]:
    was = {row["id"]: row for row in before}
    now = {row["id"]: row for row in after}
    for row in before:
        if row["id"] not in now:
            yield Change("Requirement removed", _name_row(row), "")
    for row in after:
        if row["id"] not in was:
            yield Change("Requirement added", "", _name_row(row))
        elif _name_row(was[row["id"]]) != _name_row(row):
            yield Change("Requirement changed", _name_row(was[row["id"]]), _name_row(row))
    kept = [[row["title"] for row in now.values() if row["id"] in was]]
    kept.insert(0, [now[key]["title"] for key in was if key in now])
    if kept[0] != kept[1]:
        yield Change("Order of the requirements", *(" · ".join(titles) for titles in kept))


def _read_week(before: Snapshot | None, after: Snapshot) -> Iterator[Change]:
    if before is None or before["id"] != after["id"]:
        yield Change("Week", _name_week(before) if before else "", _name_week(after))
        return
    for name in ("title", "description"):
        if before[name] != after[name]:
            yield Change(
                f"{name.capitalize()} of week {after['number']}", before[name], after[name]
            )


def _name_week(week: Snapshot) -> str:
    return f"Week {week['number']} — {week['title']}"


def _name_row(row: Snapshot) -> str:
    return f"{row['title']} ({EvidenceKind(row['kind']).label.lower()})"


def _name_kind_of(change: Change) -> str:
    words = change.what.lower()
    return "requirements" if "requirement" in words else words
