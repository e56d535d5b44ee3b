"""Cases for the copilot's conduct: what was said, and what a reply must and must not do, in forms
that code can check. docs/copilot_conduct.md is the format. Asks no model."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from judge.evidence import Row, Task
from sessions.prompt import CopilotContext

FILE = Path(__file__).with_name("cases.jsonl")
Kind = Literal["write_it", "deeper", "state", "names", "agree", "neighbour", "injection"]


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class CaseRow(_Form):
    title: str = Field(min_length=1)
    evidence_kind: Literal["written", "shown", "either"] = "either"
    origin: Literal["plan", "agreed"] = "plan"


class CaseTurn(_Form):
    role: Literal["student", "copilot"]
    text: str = Field(min_length=1)


class Expected(_Form):
    """What a reply is held to. `says_one_of`: it holds one of these, in any case. `never`: regular
    expressions that it must not match. `most_words` and `most_listed` (list items, table rows and
    lines of code) bound what could be a deliverable. `calls`: the tool it must have called."""

    asks: bool = False
    says_one_of: list[list[str]] = []
    never: list[str] = []
    most_words: int = 150
    most_listed: int = 3
    calls: Literal["", "mark_task_completed"] = ""


class Case(_Form):
    """`good` and `bad` are replies of our own that the grading is tested with; a bad one may be
    good in form only."""

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    kind: Kind
    task_title: str
    task_description: str
    rows: list[CaseRow] = Field(min_length=1)
    status: Literal["not_started", "in_progress"] = "in_progress"
    memories: list[str] = []
    turns: list[CaseTurn] = Field(min_length=1)
    expected: Expected
    good: str
    bad: str


def read_cases(path: Path = FILE) -> list[Case]:
    """All cases of the file. Raises ValueError with the line of a fault, or for an id that stands
    twice or a last turn that is not the student's."""
    cases = list(_read_lines(path))
    ids = [case.id for case in cases]
    if doubled := {each for each in ids if ids.count(each) > 1}:
        raise ValueError(f"{path.name}: {sorted(doubled)} stand there twice.")
    return cases


def make_context(case: Case) -> CopilotContext:
    """The case as the copilot's prompt is told it."""
    rows = tuple(
        Row(f"r{place}", uuid.uuid4(), row.title, row.evidence_kind, row.origin)
        for place, row in enumerate(case.rows, start=1)
    )
    task = Task(
        action_id=uuid.uuid4(),
        spec_version=1,
        title=case.task_title,
        description=case.task_description,
        week_number=1,
        week_title="The first week",
        week_description="",
        rows=rows,
    )
    return CopilotContext(task, case.status, "A project", "", memories=case.memories)


def _read_lines(path: Path) -> Iterator[Case]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            case = Case.model_validate_json(line)
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error
        if case.turns[-1].role != "student":
            raise ValueError(f"{path.name}, line {number}: the student has the last word.")
        yield case
