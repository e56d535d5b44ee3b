"""Plain rules in place of a model, for the offline demo. They answer in the judge's own form, so
their answer goes through the same parsing, citation checks and policy."""

import re
from itertools import pairwise
from typing import Any

from elivio.untrusted import fold
from judge.citations import stands_in
from judge.evidence import Evidence, Row, Turn

_VALUE = re.compile(r"`([^`]+)`|\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»")
_WORD = re.compile(r"\w+")
_SMALL_TEXT = """
a all an and any are as at be by can do each for from has have how in into is it its least more
no not of on one or so some such than that the their them then there they this to two use was
what when where which who why will with you your
"""
_SMALL = frozenset(_SMALL_TEXT.split())
LONGEST_QUOTE = 200


def answer_by_rules(evidence: Evidence) -> dict[str, Any]:
    """The answer of the rules. A row is met when one student turn holds every quoted value of the
    row exactly and at least half of its content words (two at least), and, for `shown`, also a
    pasted block of two lines or a current frame."""
    rows = [_answer_row(row, evidence) for row in evidence.task.rows]
    return {"rows": rows, "allMet": all(row["status"] == "met" for row in rows)}


def _answer_row(row: Row, evidence: Evidence) -> dict[str, Any]:
    frame = next((frame for frame in reversed(evidence.frames) if frame.counts_for(row)), None)
    for turn in reversed(evidence.turns):
        if turn.role != "student" or not _speaks_of(row, turn):
            continue
        if row.evidence_kind == "shown" and not _has_block(turn.text) and frame is None:
            continue
        citations: list[dict[str, Any]] = [{"turn": turn.number, "quote": _best_line(row, turn)}]
        if row.evidence_kind == "shown" and not _has_block(turn.text):
            citations.append({"frame": frame.number})
        note = "Your own message holds the words of this requirement."
        return {"id": row.key, "evidence": citations, "note": note, "status": "met"}
    return {
        "id": row.key,
        "evidence": [],
        "note": _say_missing(row),
        "status": "not_shown",
    }


def _speaks_of(row: Row, turn: Turn) -> bool:
    text = fold(turn.text)
    if not all(stands_in(fold(value), text) for value in _values(row)):
        return False
    wanted = _content_words(row.title)
    found = wanted & _content_words(turn.text)
    return bool(wanted) and len(found) >= min(max(2, (len(wanted) + 1) // 2), len(wanted))


def _values(row: Row) -> list[str]:
    found = ("".join(groups).strip() for groups in _VALUE.findall(row.title))
    return [value for value in found if any(char.isalnum() for char in value)]


def _content_words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if word not in _SMALL}


def _has_block(text: str) -> bool:
    lines = [bool(line.strip()) for line in text.splitlines()]
    return any(one and two for one, two in pairwise(lines))


def _best_line(row: Row, turn: Turn) -> str:
    """The line of the turn that says most of the row; cut at a word when it is long."""
    wanted = _content_words(row.title)
    lines = [line.strip() for line in turn.text.splitlines() if any(map(str.isalnum, line))]
    best = max(lines, key=lambda line: len(wanted & _content_words(line)))
    return best if len(best) <= LONGEST_QUOTE else best[:LONGEST_QUOTE].rsplit(None, 1)[0]


def _say_missing(row: Row) -> str:
    values = ", ".join(f"“{value}”" for value in _values(row))
    how = {
        "written": "Write it in a message of your own",
        "shown": "Paste what you made, or share your screen, and say what it shows",
    }.get(row.evidence_kind, "Write it or paste it in a message of your own")
    return f"{how}, with {values} spelled exactly so." if values else f"{how}."
