"""The JSON forms of plans, read straight from rows that `plans.queries` has loaded."""

import datetime
import uuid
from typing import Annotated, Literal

from pydantic import Field

from elivio.schemas import JsonIn, JsonOut
from plans.models import Completion, EvidenceKind, How, Origin, Plan, Status
from plans.progress import Progress, count_progress
from plans.queries import actions_of


class ProgressOut(JsonOut):
    """`done` is `checked` and `selfReported` together."""

    total: int
    done: int
    checked: int
    self_reported: int


class RequirementOut(JsonOut):
    id: uuid.UUID
    title: str
    evidence_kind: EvidenceKind
    origin: Origin


class CompletionOut(JsonOut):
    """How a task was completed. `checkId` is null when it was not checked, or when the check's
    audit row is missing. `staffRows` counts the rows that a person decided on appeal. `label` is
    what a person is shown."""

    how: How
    judge_kind: str
    by_rules: bool
    staff_rows: int
    confirmed_at: datetime.datetime
    check_id: uuid.UUID | None
    audit_missing: bool
    label: str

    @staticmethod
    def resolve_label(completion: Completion) -> str:
        return completion.label[0].lower() + completion.label[1:]


class ActionOut(JsonOut):
    """`dependsOn` are ids of earlier tasks that this one needs; `hours` is an estimate."""

    id: uuid.UUID
    title: str
    description: str
    status: Status
    spec_version: int
    hours: int | None
    topics: list[str]
    depends_on: list[uuid.UUID]
    requirements: list[RequirementOut]
    completion: Annotated[CompletionOut | None, Field(validation_alias="current_completion")]


class WeekOut(JsonOut):
    id: uuid.UUID
    number: int
    title: str
    description: str
    completed_at: datetime.datetime | None
    actions: list[ActionOut]


class PlanOut(JsonOut):
    id: uuid.UUID
    title: str
    goal: str
    hours_per_week: int | None
    target_date: datetime.date | None
    completed_at: datetime.datetime | None
    created_at: datetime.datetime
    progress: ProgressOut
    weeks: list[WeekOut]

    @staticmethod
    def resolve_progress(row: Plan) -> Progress:
        return count_progress(actions_of(row))


class StatusIn(JsonIn):
    """`confirmed` must be true to report a task as completed: nobody does that for a student."""

    status: Literal["not_started", "in_progress", "completed"]
    confirmed: bool = False
