"""The JSON forms of plan drafts, read from rows of PlanDraft."""

import datetime
import uuid
from typing import Annotated, Literal

from pydantic import Field

from elivio.schemas import JsonIn, JsonOut
from plans.making.proposal import Proposal
from plans.making.sentences import say_state
from plans.models import PlanDraft

Level = Literal["beginner", "some", "experienced"]


class BriefIn(JsonIn):
    """`targetDate` is a day such as 2026-03-30."""

    description: str
    hours_per_week: int
    weeks: int
    level: Level
    target_date: Annotated[str | None, Field(json_schema_extra={"format": "date"})] = None


class EditIn(JsonIn):
    """`version` is the one that was read; after somebody else's change it is refused."""

    version: int
    proposal: Proposal


class BriefOut(JsonOut):
    """`startsOn` is the first day of the first week."""

    description: str
    hours_per_week: int
    weeks: int
    level: Level
    starts_on: datetime.date
    target_date: datetime.date | None


class FindingOut(JsonOut):
    """Numbers count from 1, null where it is about more. `code` is the name of the rule where code
    found it, and empty where the judge did. `isBefore`: what it is about was changed since the
    judge read it."""

    criterion: str
    problem: str
    week: int | None
    task: int | None
    requirement: int | None
    quote: str
    code: str
    is_before: bool = False


class ReviewOut(JsonOut):
    """`clean` only when a judge read every criterion and nothing was found. `standings` says for
    each criterion `held`, `found`, `unproven` or `unread`."""

    outcome: Literal["clean", "findings", "undecided"]
    findings: list[FindingOut]
    standings: dict[str, str]
    judge_kind: str
    reason: str
    is_edited: bool


class DraftStateOut(JsonOut):
    id: uuid.UUID
    state: PlanDraft.State


class DraftOut(DraftStateOut):
    """A plan in the making. `sentence` says where it stands; `reason` is a code for staff.
    `byRules`: no AI made it."""

    sentence: str
    reason: str
    brief: BriefOut
    round: int
    version: int
    proposal: Proposal | None
    review: ReviewOut | None
    made_by: str
    by_rules: bool
    plan_id: uuid.UUID | None
    created_at: datetime.datetime
    updated_at: datetime.datetime

    @staticmethod
    def resolve_sentence(row: PlanDraft) -> str:
        return say_state(row)


class AcceptedOut(JsonOut):
    plan_id: uuid.UUID


class DroppedOut(JsonOut):
    id: uuid.UUID
    dropped: bool
