"""Labelled plans: a brief, a proposal, and which faults stand where. docs/plan_cases.md has the
format. Reading is strict and names file and line."""

import datetime
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elivio.strict_json import BadJson, read_strict_json
from judge.evaluation.cases import BadCases
from plans.making.brief import MOST_HOURS, MOST_WEEKS, Brief, Level
from plans.making.proposal import Proposal
from plans.making.review import JUDGED, Criterion, read_place

# The day on which every case was asked for.
STARTS_ON = datetime.date(2027, 1, 4)
Text = Annotated[str, Field(min_length=1)]


class _Line(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class BriefLine(_Line):
    description: Text
    hours_per_week: Annotated[int, Field(ge=1, le=MOST_HOURS)]
    weeks: Annotated[int, Field(ge=1, le=MOST_WEEKS)]
    level: Literal["beginner", "some", "experienced"]


class FaultLine(_Line):
    criterion: str
    week: int | None
    task: int | None = None
    requirement: int | None = None


class CaseLine(_Line):
    id: Annotated[str, Field(min_length=1, max_length=200)]
    source: str
    licence: str
    brief: BriefLine
    proposal: Proposal
    faults: list[FaultLine]
    twin_of: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    criterion: Criterion
    week: int | None
    task: int | None
    requirement: int | None


@dataclass(frozen=True, slots=True)
class PlanCase:
    """`faults` are all there are: every criterion without one is labelled as held."""

    file: str
    id: str
    brief: Brief
    proposal: Proposal
    faults: tuple[Fault, ...]
    twin_of: str = ""
    attack: str = ""


def read_plan_cases(paths: Iterable[Path]) -> list[PlanCase]:
    """All cases of the files, in order. Raises BadCases."""
    cases: list[PlanCase] = []
    for path in paths:
        known: set[str] = set()
        for number, text in enumerate(_read_lines(path), start=1):
            if not text.strip():
                continue
            case = _read_case(path, number, text)
            if case.id in known:
                raise BadCases([f"{path.name}, line {number}: the id {case.id} stands twice."])
            known.add(case.id)
            cases.append(case)
    return cases


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCases([f"{path} cannot be read: {error}"]) from error


def _read_case(path: Path, number: int, text: str) -> PlanCase:
    place = f"{path.name}, line {number}"
    try:
        line = CaseLine.model_validate(read_strict_json(text))
    except (BadJson, ValidationError) as error:
        raise BadCases([f"{place}: {error}"]) from error
    for fault in line.faults:
        if fault.criterion not in set(JUDGED):
            raise BadCases([f"{place}: there is no criterion {json.dumps(fault.criterion)}."])
        if not read_place(line.proposal, fault.week, fault.task, fault.requirement):
            raise BadCases([f"{place}: a fault names a place that the plan does not have."])
    brief = Brief(
        line.brief.description,
        line.brief.hours_per_week,
        line.brief.weeks,
        Level(line.brief.level),
        STARTS_ON,
    )
    faults = tuple(
        Fault(Criterion(one.criterion), one.week, one.task, one.requirement) for one in line.faults
    )
    return PlanCase(path.stem, line.id, brief, line.proposal, faults, line.twin_of)
