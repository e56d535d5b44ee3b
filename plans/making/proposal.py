"""A proposed plan as plain values, and its strict parsing; what is odd is refused, never mended.

The planner's reply and the student's edits go through the same form. Whether the plan is any good
is not asked here.
"""

from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from elivio.strict_json import BadJson, read_strict_json
from elivio.text import clean_text
from plans.making.brief import MOST_HOURS, MOST_WEEKS
from plans.models.action import EvidenceKind

MOST_TASKS = 12  # in a week
MOST_ROWS = 10  # requirements of a task
MOST_TOPICS = 8
LONGEST_TITLE = 200  # of the plan
LONGEST_GOAL = 2000


class BadProposal(Exception):
    """The planner's reply is no proposal. `code` is for staff."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


def _to_line(value: Any) -> Any:
    return " ".join(clean_text(value).split()) if isinstance(value, str) else value


def _to_block(value: Any) -> Any:
    return clean_text(value).strip() if isinstance(value, str) else value


def _line(longest: int) -> Any:
    return Annotated[str, BeforeValidator(_to_line), Field(min_length=1, max_length=longest)]


def _block(longest: int) -> Any:
    return Annotated[str, BeforeValidator(_to_block), Field(max_length=longest)]


def _check_kind(value: str) -> str:
    if value not in EvidenceKind.values:
        raise ValueError("not a kind of evidence")
    return value


Key = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,19}$")]
Kind = Annotated[
    str,
    AfterValidator(_check_kind),
    Field(json_schema_extra={"enum": list(EvidenceKind.values)}),
]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


class ProposedRequirement(_Strict):
    title: _line(300)
    evidence_kind: Kind


class ProposedTask(_Strict):
    """`key` names the task in `dependsOn` of others; it stays when tasks are moved."""

    key: Key
    title: _line(200)
    description: _block(4000)
    hours: Annotated[int, Field(ge=1, le=MOST_HOURS)]
    topics: Annotated[list[_line(60)], Field(max_length=MOST_TOPICS)]
    depends_on: Annotated[list[Key], Field(max_length=10)]
    requirements: Annotated[list[ProposedRequirement], Field(max_length=MOST_ROWS)]


class ProposedWeek(_Strict):
    title: _line(200)
    description: _block(2000)
    tasks: Annotated[list[ProposedTask], Field(max_length=MOST_TASKS)]


class Proposal(_Strict):
    title: _line(LONGEST_TITLE)
    goal: _block(LONGEST_GOAL)
    weeks: Annotated[list[ProposedWeek], Field(min_length=1, max_length=MOST_WEEKS)]

    def as_json(self) -> dict[str, Any]:
        return self.model_dump(by_alias=True)

    @property
    def places(self) -> list[tuple[int, int, ProposedTask]]:
        """Every task in order, with the numbers of its week and within it, from 1."""
        return [
            (week_number, number, task)
            for week_number, week in enumerate(self.weeks, start=1)
            for number, task in enumerate(week.tasks, start=1)
        ]


def parse_proposal(text: str) -> Proposal:
    """Parse the planner's reply. Raises BadProposal with the code "not_json", "doubled_key" or
    "wrong_form"."""
    try:
        return Proposal.model_validate(read_strict_json(text))
    except BadJson as error:
        raise BadProposal(error.code, str(error)) from error
    except ValidationError as error:
        raise BadProposal("wrong_form", str(error)) from error


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT = {"type": "string"}
# What the model is given: the form without its limits, which providers turn into errors.
SCHEMA: dict[str, Any] = _object(
    title=_TEXT,
    goal=_TEXT,
    weeks=_list(
        _object(
            title=_TEXT,
            description=_TEXT,
            tasks=_list(
                _object(
                    key=_TEXT,
                    title=_TEXT,
                    description=_TEXT,
                    hours={"type": "integer"},
                    topics=_list(_TEXT),
                    dependsOn=_list(_TEXT),
                    requirements=_list(
                        _object(
                            title=_TEXT,
                            evidenceKind={"type": "string", "enum": list(EvidenceKind.values)},
                        )
                    ),
                )
            ),
        )
    ),
)
