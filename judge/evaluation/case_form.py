"""The form of one line of a case file, strictly typed; docs/judge_cases.md says what it means."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Role = Literal["student", "copilot", "tool"]
EvidenceKind = Literal["written", "shown", "either"]
Origin = Literal["plan", "agreed"]


class Line(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


Name = Annotated[str, Field(min_length=1, max_length=200)]


class RowLine(Line):
    title: Annotated[str, Field(min_length=1)]
    met_label: bool | None
    id: str = ""
    evidence_kind: EvidenceKind = "either"
    origin: Origin = "plan"


class TurnLine(Line):
    role: Role
    text: str


class FrameLine(Line):
    data: str = ""
    path: str = ""
    age_seconds: Annotated[int, Field(ge=0)] = 5
    is_black: bool | None = None


class WeekLine(Line):
    number: Annotated[int, Field(ge=1)] = 1
    title: str = ""
    description: str = ""


class CaseLine(Line):
    model_config = ConfigDict(strict=True, extra="ignore")

    id: Name
    source: str
    licence: str
    task_title: Annotated[str, Field(min_length=1)]
    task_description: str
    week: WeekLine | str | None
    transcript: list[TurnLine]
    requirements: Annotated[list[RowLine], Field(min_length=1)]
    all_met_label: bool | None
    frames: list[FrameLine] = []
    kind: str = ""
    tags: list[str] = []
    twin_of: str = ""
    attack: str = ""
    note: str = ""
    reference: str = ""
    metadata: dict[str, Any] = {}
