"""Does a citation hold? Checked in code, never by a model."""

import re

from elivio.untrusted import fold
from judge.answer import Citation, QuoteCitation
from judge.copied import UNSPACED, is_copied
from judge.evidence import Evidence, Row

_CITABLE = frozenset({"student", "tool"})
_IN_WORD = rf"[^\W{UNSPACED}]"


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
    if not frame.is_current:
        return "old_frame"
    return "" if frame.counts_for(row) else "frame_of_another_row"


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


def stands_in(quote: str, text: str) -> bool:
    """Whether a folded quote stands in a folded text, word for word: not inside a longer word,
    in scripts that put spaces between words."""
    before = rf"(?<!{_IN_WORD})" if _is_of_word(quote[0]) else ""
    after = rf"(?!{_IN_WORD})" if _is_of_word(quote[-1]) else ""
    return re.search(before + re.escape(quote) + after, text) is not None


def _is_of_word(char: str) -> bool:
    return char.isalnum() and re.match(_IN_WORD, char) is not None
