"""The form of the demo data: plain values, no database."""

from dataclasses import dataclass
from typing import Literal

from plans.models import EvidenceKind

WRITTEN, SHOWN, EITHER = EvidenceKind.WRITTEN, EvidenceKind.SHOWN, EvidenceKind.EITHER

# What the demo student has done: nothing, begun and checked once, reported done, or checked.
State = Literal["untouched", "begun", "self_reported", "checked"]


@dataclass(frozen=True, slots=True)
class DemoTask:
    """`key` names the task within the demo for good. `rows` are title and evidence kind."""

    key: str
    title: str
    description: str
    rows: tuple[tuple[str, EvidenceKind], ...]
    state: State = "untouched"


@dataclass(frozen=True, slots=True)
class DemoWeek:
    title: str
    description: str
    tasks: tuple[DemoTask, ...]


@dataclass(frozen=True, slots=True)
class DemoPlan:
    title: str
    goal: str
    hours_per_week: int
    weeks: tuple[DemoWeek, ...]
