"""The JSON forms of editing: strict, and without a way to name a status or a person."""

import datetime
import uuid
from typing import Annotated, Literal, Self

from pydantic import Field

from elivio.schemas import JsonIn, JsonOut
from plans.editing import Changes, Place
from plans.history import Change, describe_edit
from plans.models import ActionEdit, EvidenceKind
from plans.task_text import RowText

Id = Annotated[uuid.UUID, Field(strict=False)]


class RequirementIn(JsonIn):
    """With the `id` of one that the task has, that one is kept or changed; without, it is new."""

    id: Id | None = None
    title: str
    evidence_kind: Literal["written", "shown", "either"] = "either"

    def as_row(self) -> RowText:
        return RowText(self.id, self.title, EvidenceKind(self.evidence_kind))


class TaskEditIn(JsonIn):
    """What is not sent, or null, stays as it is. `requirements` are all of them, in order.
    `specVersion` is that of the task as you read it."""

    title: str | None = None
    description: str | None = None
    requirements: list[RequirementIn] | None = None
    spec_version: int

    def as_changes(self) -> Changes:
        rows = self.requirements
        rows = None if rows is None else [row.as_row() for row in rows]
        return Changes(self.title, self.description, rows)


class TaskMoveIn(JsonIn):
    """Without `weekId` the task stays in its week. `after` is the id of a task there, null for the
    first place, or "end". `closeWeek` true closes the week whose last open task leaves it."""

    week_id: Id | None = None
    after: Id | Literal["end"] | None = "end"
    close_week: bool = False

    def as_place(self) -> Place:
        return Place(self.week_id, self.after)


class TaskIn(JsonIn):
    title: str
    description: str = ""
    requirements: list[RequirementIn]


class TaskDropIn(JsonIn):
    """`closeWeek` true closes the week whose last open task this is."""

    close_week: bool = False


class ChangeOut(JsonOut):
    """One thing that differs; an empty text where there was nothing, or is nothing now."""

    what: str
    before: str
    after: str


class EditOut(JsonOut):
    """`specVersion` is the task's after the edit."""

    id: uuid.UUID
    kind: ActionEdit.Kind
    at: datetime.datetime
    by: str
    spec_version: int
    changes: list[ChangeOut]

    @classmethod
    def describe(cls, edit: ActionEdit) -> Self:
        changes: list[Change] = describe_edit(edit)
        return cls(
            id=edit.pk,
            kind=edit.kind,
            at=edit.at,
            by=edit.by.get_username(),
            spec_version=edit.spec_version,
            changes=[ChangeOut.model_validate(change) for change in changes],
        )
