"""Does a citation hold? Checked in code, never by a model."""

import re
import unicodedata
from collections.abc import Iterator

from judge.answer import Citation, QuoteCitation
from judge.evidence import Evidence, Row, Turn
from judge.prompt import render_task

COPIED_WORDS = 12
_QUOTES = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‹": "<"}
)
_CITABLE = frozenset({"student", "tool"})


def fold(text: str) -> str:
    """Fold white space, typographic quotes, and what the prompt neutralises (invisible
    characters, the mark of a fence); nothing else."""
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return " ".join(visible.translate(_QUOTES).split())


def find_fault(citation: Citation, row: Row, evidence: Evidence) -> str:
    """Why the citation does not hold for the row, as a reason code; "" when it holds."""
    if isinstance(citation, QuoteCitation):
        return _find_quote_fault(citation, evidence)
    frame = evidence.frame(citation.frame)
    if frame is None:
        return "no_such_frame"
    if row.evidence_kind == "written":
        return "frame_for_written_row"
    if frame.is_black:
        return "black_frame"
    return "" if frame.is_current else "old_frame"


def _find_quote_fault(citation: QuoteCitation, evidence: Evidence) -> str:
    turn = evidence.turn(citation.turn)
    if turn is None:
        return "no_such_turn"
    if turn.role not in _CITABLE:
        return "not_the_students_turn"
    quote = fold(citation.quote)
    if not any(char.isalnum() for char in quote):
        return "empty_quote"
    if not stands_in(quote, fold(turn.text)):
        return "quote_not_found"
    return "copilots_words" if is_copied(quote, turn, evidence) else ""


def is_copied(quote: str, turn: Turn, evidence: Evidence) -> bool:
    """Whether twelve words in a row of a folded quote stood in an earlier copilot's turn. What
    the task itself says, or the student had said before the copilot, is not the copilot's."""
    task = fold(render_task(evidence.task))
    heard = [*evidence.unseen, *evidence.turns]
    for words in _runs(quote):
        said = [each for each in heard if each.number < turn.number and words in fold(each.text)]
        first = min(said, key=lambda each: each.number, default=None)
        if first and first.role == "copilot" and words not in task:
            return True
    return False


def _runs(quote: str) -> Iterator[str]:
    words = quote.split()
    for start in range(len(words) - COPIED_WORDS + 1):
        yield " ".join(words[start : start + COPIED_WORDS])


def stands_in(quote: str, text: str) -> bool:
    """Whether a folded quote stands in a folded text, word for word (not inside a longer word)."""
    before = r"(?<!\w)" if quote[0].isalnum() else ""
    after = r"(?!\w)" if quote[-1].isalnum() else ""
    return re.search(before + re.escape(quote) + after, text) is not None
