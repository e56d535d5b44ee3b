"""The texts of a task or week as a student types them, and what is wrong with them. It knows no
rows: whoever stores a text asks here first."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from elivio.text import find_fault
from plans import agreed_rows
from plans.models import EvidenceKind

LONGEST_TITLE = 200
LONGEST_DESCRIPTION = 5000
LONGEST_REQUIREMENT = agreed_rows.LONGEST_TITLE
MOST_REQUIREMENTS = 12

NO_REQUIREMENT = "A task keeps at least one requirement: say what will show that it is done."
TOO_MANY = f"A task has at most {MOST_REQUIREMENTS} requirements. Put two of them into one."
TWICE = "This requirement stands here twice. Change or remove one of them."
NO_KIND = "Choose how this will be shown: in words, on the screen, or either."


@dataclass(frozen=True, slots=True)
class RowText:
    """A requirement as typed; `id` is None for a new one."""

    id: uuid.UUID | None
    title: str
    evidence_kind: str


def clean_line(text: str) -> str:
    """On one line, white space folded."""
    return " ".join(text.split())


def clean_block(text: str) -> str:
    """With the line breaks of everybody's, not of a browser's form."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def find_text_faults(title: str | None, description: str | None, of: str) -> dict[str, str]:
    """Sentences by field; a text that is None does not change. `of` is "task" or "week"."""
    faults = {}
    if title is not None:
        empty = f"Give the {of} a title."
        faults["title"] = find_fault_in(title, empty, "the title", LONGEST_TITLE)
    if description:
        faults["description"] = find_fault_in(
            description, "", "the description", LONGEST_DESCRIPTION
        )
    return {name: fault for name, fault in faults.items() if fault}


def find_row_faults(rows: Sequence[RowText]) -> dict[str, str]:
    """Sentences by field: `requirements` for all of them, `requirements.0` for the first."""
    faults = {}
    if not rows:
        faults["requirements"] = NO_REQUIREMENT
    if len(rows) > MOST_REQUIREMENTS:
        faults["requirements"] = TOO_MANY
    seen: set[str | uuid.UUID] = set()
    for place, row in enumerate(rows):
        marks = {row.title.casefold()} | ({row.id} - {None})
        fault = _find_row_fault(row) or (TWICE if marks & seen else "")
        seen |= marks
        if fault:
            faults[f"requirements.{place}"] = fault
    return faults


def _find_row_fault(row: RowText) -> str:
    empty = "Say what is to be shown, or remove this requirement."
    fault = find_fault_in(row.title, empty, "a requirement", LONGEST_REQUIREMENT)
    return fault or ("" if row.evidence_kind in EvidenceKind.values else NO_KIND)


def find_fault_in(text: str, empty: str, name: str, longest: int) -> str:
    """A sentence, or "". `empty` is that for a text of nothing, `name` what it calls the text."""
    if not text.strip():
        return empty
    if len(text) > longest:
        return f"Keep {name} to {longest:,} characters; it has {len(text):,}."
    return find_fault(text, longest=longest)
