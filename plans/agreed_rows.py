"""What a student may agree to make, as plain rows: read and refused here, written by the action.

Knows no model and writes nothing. A row only ever adds to what a task asks for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from elivio.text import UNSTORABLE, digest_of
from plans.errors import Refused

MOST_AGREED = 3
LONGEST_TITLE = 300  # as any requirement: one may be corrected in the task's own form
EVIDENCE_KINDS = ("written", "shown", "either")


class AgreementRefused(Refused):
    """Rows that cannot be agreed on; the sentence says which and what to do."""

    status = 422


@dataclass(frozen=True, slots=True)
class AgreedRow:
    """One line of what will be made, in the student's words."""

    title: str
    evidence_kind: str = "either"


class AgreementChanged(Refused):
    """Lines typed before those that stand now were agreed on."""

    def __init__(self) -> None:
        super().__init__(
            "What you agreed on was changed after you opened this. Compare what you typed with "
            "what stands now, then confirm again."
        )


def clean_rows(rows: Sequence[AgreedRow]) -> list[AgreedRow]:
    """The rows on one line each, white space folded. Raises AgreementRefused."""
    if len(rows) > MOST_AGREED:
        raise AgreementRefused(
            f"Agree on {MOST_AGREED} lines at most. Join two of them, or drop one."
        )
    cleaned = [_clean_row(row) for row in rows]
    for place, row in enumerate(cleaned):
        if fold_title(row.title) in {fold_title(other.title) for other in cleaned[:place]}:
            raise AgreementRefused(f"“{row.title}” stands there twice. Keep one of them.")
    return cleaned


def digest_rows(rows: Sequence[AgreedRow]) -> str:
    """By which a form says what stood there when it was shown."""
    return digest_of([(row.title, row.evidence_kind) for row in rows])


def fold_title(title: str) -> str:
    """What two titles have in common that say the same."""
    return " ".join(title.split()).casefold().rstrip(" .")


def _clean_row(row: AgreedRow) -> AgreedRow:
    if UNSTORABLE.search(row.title):
        raise AgreementRefused(
            "A line holds a character that cannot be stored. Paste it again as plain text."
        )
    title = " ".join(row.title.split())
    if not any(char.isalnum() for char in title):
        raise AgreementRefused("Say in a few words what you will make.")
    if len(title) > LONGEST_TITLE:
        raise AgreementRefused(
            f"“{title[:40]}…” has {len(title)} characters, and a line holds {LONGEST_TITLE}. "
            "Say it shorter, or in two lines."
        )
    if row.evidence_kind not in EVIDENCE_KINDS:
        raise AgreementRefused("Choose how you will show each line: written, shown, or either.")
    return AgreedRow(title, row.evidence_kind)
