"""A CheckRun as staff read it: what was asked, what came back, and the checklist in words.

Tolerant of what an erasure has blanked. It changes nothing and decides nothing.
"""

import json
from dataclasses import dataclass
from typing import Any

from judge.models import CheckRun
from plans.stored_checklist import StoredRow, dicts_in, read_checklist

FAULTS = {
    "no_evidence": "It was called met without any evidence.",
    "no_such_turn": "It quotes a turn that is not in the transcript.",
    "not_the_students_turn": "It quotes a turn that is not the student's.",
    "empty_quote": "It quotes nothing that could be looked up.",
    "quote_not_found": "The quote does not stand in that turn, word for word.",
    "copilots_words": "The quote is a long one, and the copilot had said it before the student.",
    "no_such_frame": "It cites a picture that was not there.",
    "frame_for_written_row": "It cites a picture where the student's own words are asked for.",
    "black_frame": "It cites a picture that is black.",
    "frame_of_another_row": "It cites a picture that was kept for another row.",
    "old_frame": "It cites a picture that was too old.",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the request: words, or what is kept of a picture."""

    text: str
    is_picture: bool


@dataclass(frozen=True, slots=True)
class Record:
    """`rules` is the constant text before the task; `schema` the form asked for, as JSON."""

    checklist: list[StoredRow]
    parts: list[Part]
    replies: list[dict[str, Any]]
    rules: str
    schema: str


def read_record(run: CheckRun) -> Record:
    request = run.request if isinstance(run.request, dict) else {}
    schema = request.get("schema")
    return Record(
        checklist=read_checklist(run.checklist, FAULTS),
        parts=[_read_part(part) for part in dicts_in(request.get("parts"))],
        replies=dicts_in(run.replies),
        rules=str(request.get("system", "")),
        schema=json.dumps(schema, indent=2, ensure_ascii=False) if schema else "",
    )


def count_met(run: CheckRun) -> str:
    rows = read_checklist(run.checklist)
    return f"{sum(row.status == 'met' for row in rows)} of {len(rows)}"


def _read_part(part: dict[str, Any]) -> Part:
    picture = part.get("image")
    if not isinstance(picture, dict):
        return Part(str(part.get("text", "")), is_picture=False)
    facts = [
        picture.get("mime"),
        f"{picture.get('bytes')} bytes",
        f"SHA-256 {picture.get('sha256')}",
    ]
    return Part("Picture: " + ", ".join(map(str, facts)), is_picture=True)
