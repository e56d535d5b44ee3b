"""The JSON forms of a check and of a report about one, read from `judge.card`."""

import datetime
import uuid
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from elivio.schemas import JsonIn, JsonOut
from judge.card import Card
from judge.models import Appeal


class CheckRowOut(JsonOut):
    """One requirement as judged. `evidence` holds what was cited and held: a message's number
    with a quote, or a frame's number."""

    id: uuid.UUID
    title: str
    status: Literal["met", "not_met", "not_shown", "undecided"]
    met: bool
    note: str
    evidence: list[dict[str, Any]]


class CheckOut(JsonOut):
    """`met`, `allMet` and `blockers` are computed from the rows. `id` is null when the audit row
    could not be written; such a check cannot be reported."""

    id: uuid.UUID | None
    outcome: Literal["passed", "failed", "undecided"]
    reason: str
    requirements: list[CheckRowOut]
    all_met: bool
    blockers: list[str]
    summary: str
    spec_version: int
    created_at: datetime.datetime
    is_stuck: bool
    judge_kind: str


class LatestCheckOut(CheckOut):
    """A check from before. `stale`: the task has changed since."""

    stale: bool

    @classmethod
    def describe(cls, card: Card | None, spec_version: int) -> Self | None:
        """The card beside the task's spec version now."""
        if card is None:
            return None
        check = CheckOut.model_validate(card)
        return cls(**dict(check), stale=card.is_stale(spec_version))


class ReportIn(JsonIn):
    """Without `requirementId` the report is about the whole check. `sharePictures` is the student's
    consent; pictures are kept for half an hour after a check that did not pass."""

    requirement_id: Annotated[uuid.UUID, Field(strict=False)] | None = None
    message: str = ""
    share_pictures: bool = False


class ReportOut(JsonOut):
    """`picturesShared` counts the pictures that staff see until they have decided."""

    id: uuid.UUID
    check_id: Annotated[uuid.UUID, Field(validation_alias="check_run_id")]
    requirement_id: uuid.UUID | None
    message: str
    pictures_shared: int
    created_at: datetime.datetime

    @staticmethod
    def resolve_pictures_shared(appeal: Appeal) -> int:
        return appeal.frames.count()
