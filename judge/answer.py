"""The judge's answer: its JSON schema and strict parsing. What is odd is refused, never mended."""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elivio.text import clean_text
from judge.evidence import Task


class BadAnswer(Exception):
    """The reply is not an answer to the question that was asked. `code` is for staff."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class QuoteCitation(_Strict):
    turn: int
    quote: Annotated[str, Field(min_length=1, max_length=2000)]


class FrameCitation(_Strict):
    frame: int


Citation = QuoteCitation | FrameCitation


class AnswerRow(_Strict):
    """The model names its evidence before its status, in this order."""

    id: str
    evidence: list[Citation]
    note: str
    status: Literal["met", "not_met", "not_shown"]


class Answer(_Strict):
    """`allMet` is recorded and compared; it decides nothing."""

    rows: list[AnswerRow]
    allMet: bool


_QUOTE = {
    "type": "object",
    "properties": {"turn": {"type": "integer"}, "quote": {"type": "string"}},
    "required": ["turn", "quote"],
    "additionalProperties": False,
}
_FRAME = {
    "type": "object",
    "properties": {"frame": {"type": "integer"}},
    "required": ["frame"],
    "additionalProperties": False,
}
_ROW = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "evidence": {"type": "array", "items": {"anyOf": [_QUOTE, _FRAME]}},
        "note": {"type": "string"},
        "status": {"type": "string", "enum": ["met", "not_met", "not_shown"]},
    },
    "required": ["id", "evidence", "note", "status"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "rows": {"type": "array", "items": _ROW},
        "allMet": {"type": "boolean"},
    },
    "required": ["rows", "allMet"],
    "additionalProperties": False,
}


def parse_answer(text: str, task: Task) -> Answer:
    """Parse a reply to `task`. Raises BadAnswer with the code "not_json", "doubled_key",
    "wrong_form" or "wrong_rows" (unknown, doubled or missing requirement ids)."""
    try:
        data = _clean(
            json.loads(text, object_pairs_hook=_refuse_doubled, parse_constant=_refuse_constant)
        )
    except (ValueError, RecursionError) as error:
        raise BadAnswer("not_json", str(error)) from error
    try:
        answer = Answer.model_validate(data)
    except ValidationError as error:
        raise BadAnswer("wrong_form", str(error)) from error
    if sorted(row.id for row in answer.rows) != sorted(row.key for row in task.rows):
        raise BadAnswer("wrong_rows", ", ".join(row.id for row in answer.rows))
    return answer


def _refuse_doubled(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadAnswer("doubled_key", ", ".join(key for key, _ in pairs))
    return found


def _refuse_constant(name: str) -> None:
    raise BadAnswer("not_json", name)


def _clean(value: Any) -> Any:
    match value:
        case str():
            return clean_text(value)
        case list():
            return [_clean(item) for item in value]
        case dict():
            return {key: _clean(item) for key, item in value.items()}
    return value
