"""A stored checklist as people read it. Tolerant: an erasure may have blanked any word in it.

It decides nothing: what counts is computed from a fresh check, never from here.
"""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.dateparse import parse_datetime

STATUS_WORDS = {
    "met": "Met",
    "not_met": "Not met",
    "not_shown": "Not shown",
    "undecided": "Undecided",
}


@dataclass(frozen=True, slots=True)
class StoredCitation:
    """A quote from a turn, or a picture when `quote` is empty."""

    quote: str
    place: str
    sent_at: datetime.datetime | None


@dataclass(frozen=True, slots=True)
class StoredRow:
    """One requirement as judged. `faults` say which citations did not hold, and why."""

    id: str
    title: str
    status: str
    status_words: str
    note: str
    citations: tuple[StoredCitation, ...]
    faults: tuple[str, ...]


def read_checklist(stored: Any, fault_words: Mapping[str, str] | None = None) -> list[StoredRow]:
    """The rows of a stored checklist, in its order. A fault without words stays as its code."""
    return [_read_row(row, fault_words or {}) for row in dicts_in(stored)]


def dicts_in(stored: Any) -> list[dict[str, Any]]:
    """The objects in a stored list; none where something else is stored."""
    return [item for item in stored if isinstance(item, dict)] if isinstance(stored, list) else []


def _read_row(row: dict[str, Any], fault_words: Mapping[str, str]) -> StoredRow:
    status = str(row.get("status", ""))
    faults = row.get("faults")
    codes = [str(code) for code in faults] if isinstance(faults, list) else []
    return StoredRow(
        id=str(row.get("id", "")),
        title=str(row.get("title", "")),
        status=status if status in STATUS_WORDS else "undecided",
        status_words=STATUS_WORDS.get(status, status),
        note=str(row.get("note", "")),
        citations=tuple(_read_citation(one) for one in dicts_in(row.get("evidence"))),
        faults=tuple(fault_words.get(code, code) for code in codes),
    )


def _read_citation(stored: dict[str, Any]) -> StoredCitation:
    if "frame" not in stored:
        place = f"turn {stored.get('turn', 'unknown')}"
        return StoredCitation(str(stored.get("quote", "")), place, _read_time(stored.get("sentAt")))
    place = f"picture {stored['frame']}"
    if stored.get("isKept"):
        place += ", kept by the student for this row"
    if stored.get("ageSeconds") is not None:
        place += f", {stored['ageSeconds']} seconds old at the check"
    return StoredCitation("", place, None)


def _read_time(text: Any) -> datetime.datetime | None:
    try:
        return parse_datetime(text) if isinstance(text, str) else None
    except ValueError:
        return None
