"""What the judge saw in one run, as staff read it: task, turns with the quotes of the rows in
dispute marked, and the pictures that the student showed with an appeal. It decides nothing.
"""

import datetime
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import BinaryField, CharField, Func, Value

from judge.evaluation.stored_evidence import NotKept, read_stored
from judge.evidence import OLDEST_FRAME_SECONDS, Evidence, Task
from judge.models import Appeal, CheckRun
from plans.stored_checklist import dicts_in


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a turn's text; `is_quote` when the judge quoted it for a row in dispute."""

    text: str
    is_quote: bool


@dataclass(frozen=True, slots=True)
class SeenTurn:
    number: int
    role: str
    sent_at: datetime.datetime
    is_pinned: bool
    is_cited: bool
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """A picture that came with the appeal; `facts` say what the judge knew of it."""

    id: uuid.UUID
    number: int | None
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """`picture_count` is how many pictures the judge had, shown here or not."""

    task: Task
    turns: tuple[SeenTurn, ...]
    omitted: int
    picture_count: int


def read_seen(run: CheckRun, row_ids: Collection[str]) -> Seen | None:
    """What a run went by, with what it cited for these rows. None when that was not kept, or has
    been erased."""
    try:
        evidence = read_stored(run)
    except NotKept:
        return None
    quotes = _find_quotes(run, row_ids)
    return Seen(
        task=evidence.task,
        turns=tuple(_read_turns(evidence, quotes)),
        omitted=evidence.omitted,
        picture_count=len(dicts_in(run.evidence.get("frames"))),
    )


def read_pictures(appeal: Appeal) -> list[SeenPicture]:
    """The pictures of an appeal, without their bytes. One query."""
    sha256 = Func("jpeg", function="sha256", output_field=BinaryField())
    digest = Func(sha256, Value("hex"), function="encode", output_field=CharField())
    frames = appeal.frames.annotate(digest=digest).values_list("pk", "digest")
    known = defaultdict(list)
    for frame in dicts_in(appeal.check_run.evidence.get("frames")):
        known[frame.get("sha256")].append(frame)
    titles = {row["key"]: row["title"] for row in _rows_of(appeal.check_run)}
    pictures = []
    for pk, text in frames:
        frame = known[text].pop(0) if known[text] else {}
        pictures.append(SeenPicture(pk, frame.get("number"), tuple(_say_facts(frame, titles))))
    return sorted(pictures, key=lambda picture: picture.number or 0)


def _say_facts(frame: dict[str, Any], titles: dict[str, str]) -> Iterator[str]:
    age = frame.get("ageSeconds")
    if age is not None:
        yield f"{age} second{'' if age == 1 else 's'} old at the check"
    if frame.get("isBlack"):
        yield "black, so it counted for nothing"
    if frame.get("pinnedTo"):
        yield f"kept by the student for: {titles.get(frame['pinnedTo'], frame['pinnedTo'])}"
    elif age is not None and age > OLDEST_FRAME_SECONDS:
        yield "too old, so it counted for nothing"


def _rows_of(run: CheckRun) -> list[dict[str, Any]]:
    task = run.evidence.get("task")
    return dicts_in(task.get("rows")) if isinstance(task, dict) else []


def _find_quotes(run: CheckRun, row_ids: Collection[str]) -> dict[int, list[str]]:
    """By the turn's number, what was quoted from it for these rows."""
    quotes = defaultdict(list)
    for row in dicts_in(run.checklist):
        if row.get("id") in row_ids:
            for cited in dicts_in(row.get("evidence")):
                if "turn" in cited:
                    quotes[cited["turn"]].append(str(cited.get("quote", "")))
    return quotes


def _read_turns(evidence: Evidence, quotes: dict[int, list[str]]) -> Iterator[SeenTurn]:
    for turn in evidence.turns:
        quoted = quotes.get(turn.number, [])
        yield SeenTurn(
            number=turn.number,
            role=turn.role,
            sent_at=turn.sent_at,
            is_pinned=turn.is_pinned,
            is_cited=bool(quoted),
            pieces=tuple(_cut(turn.text, quoted)),
        )


def _cut(text: str, quotes: Iterable[str]) -> Iterator[Piece]:
    """The text in pieces, its first quote that stands in it word for word marked."""
    quote = next((quote for quote in quotes if quote and quote in text), "")
    before, quote, after = text.partition(quote) if quote else (text, "", "")
    for piece, is_quote in ((before, False), (quote, True), (after, False)):
        if piece:
            yield Piece(piece, is_quote)
