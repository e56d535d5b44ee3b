"""The JSON forms of sessions, their turns and frames."""

import datetime
import uuid
from typing import Annotated, Literal, Self

from django.urls import reverse
from pydantic import Field, computed_field

from elivio.schemas import JsonIn, JsonOut
from judge.schemas import CheckOut, LatestCheckOut
from plans.models import EvidenceKind
from sessions.models import CopilotSession, MemorySummary, Picture, Turn


class OpenedOut(JsonOut):
    id: uuid.UUID


class TurnOut(JsonOut):
    """One utterance. `number` counts the session's turns from 1. `pinnedAt` is when the student
    marked it as their work."""

    id: uuid.UUID
    number: int
    role: Turn.Role
    channel: Turn.Channel
    text: str
    client_id: str | None
    pinned_at: datetime.datetime | None
    created_at: datetime.datetime


class SessionOut(JsonOut):
    """`endReason` is empty while the session is open."""

    id: uuid.UUID
    action_id: uuid.UUID
    end_reason: Literal["", "student", "idle", "completed"]
    started_at: datetime.datetime
    ended_at: datetime.datetime | None

    @computed_field
    @property
    def status(self) -> Literal["open", "ended"]:
        return "ended" if self.ended_at else "open"


class SessionPageOut(SessionOut):
    """A session with a page of its turns, oldest first. `nextBefore` asks for the page before
    this one and is null at the start."""

    turns: list[TurnOut]
    next_before: int | None
    latest_check: LatestCheckOut | None


class TurnIn(JsonIn):
    """`clientId` is of your choice; the same one again gives the same turn, so that sending
    again after a lost answer stores nothing twice."""

    text: str
    client_id: Annotated[str | None, Field(min_length=1, max_length=64, pattern=r"^[!-~]+$")] = None


class TurnAnswerOut(JsonOut):
    """Without a reply, `reason` is a code and `sentence` says what to do."""

    turn: TurnOut
    reply: TurnOut | None
    reason: str
    sentence: str


class FrameOut(JsonOut):
    received_at: datetime.datetime


class PictureOut(JsonOut):
    """A picture kept for one row. `url` gives its JPEG, to its student alone."""

    id: uuid.UUID
    requirement_id: uuid.UUID
    created_at: datetime.datetime
    url: str

    @classmethod
    def describe(cls, picture: Picture, session: CopilotSession) -> Self:
        return cls(
            id=picture.pk,
            requirement_id=picture.requirement_id,
            created_at=picture.created_at,
            url=reverse("sessions:picture", args=[session.pk, picture.pk]),
        )


class ScreenshotIn(JsonIn):
    """A JPEG, PNG or WebP of 8 MB at most, in base64, with or without a data URL's head."""

    screenshot_base64: str | None = None


class CancelOut(JsonOut):
    """`completed` is true when a tap had completed the task before it could be stopped."""

    completed: bool


class CompleteOut(JsonOut):
    """`check` is null when the task was complete before this call."""

    completed: bool
    check: CheckOut | None


class AgreedLineIn(JsonIn):
    """One line of what will be made, of 300 characters at most."""

    title: str
    evidence_kind: Literal["written", "shown", "either"] = "either"


class AgreementIn(JsonIn):
    """All that is agreed from now on: three lines at most, and none takes it back."""

    rows: list[AgreedLineIn]


class AgreedLineOut(JsonOut):
    title: str
    evidence_kind: EvidenceKind


class ProposalOut(JsonOut):
    """Lines to correct and confirm. Without any, `sentence` says what to do, and `reason` is a
    code where a model gave none."""

    rows: list[AgreedLineOut]
    sentence: str
    reason: str


class MemoryOut(JsonOut):
    """What is remembered of one session; `title` is its task's."""

    session_id: uuid.UUID
    action_id: uuid.UUID
    title: str
    made: str
    decided: str
    left_open: str
    created_at: datetime.datetime

    @staticmethod
    def resolve_action_id(row: MemorySummary) -> uuid.UUID:
        return row.session.action_id

    @staticmethod
    def resolve_title(row: MemorySummary) -> str:
        return row.session.action.title
