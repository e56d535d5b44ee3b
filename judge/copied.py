"""Work of the copilot in a student's turn: words that the copilot had said first."""

import re
from collections.abc import Sequence

from elivio.untrusted import strip_invisible
from judge.evidence import Evidence, Turn

COPIED_WORDS = 12
# Scripts without spaces between words; each letter counts as a word.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
)
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")

Said = Sequence[tuple[str, str]]


def is_copied(quote: str, turn: Turn, evidence: Evidence) -> bool:
    """Whether the quote, wherever it stands in the turn, holds COPIED_WORDS copied words, or half
    of it is copied. Copied are words in a run of COPIED_WORDS or more that the copilot said first:
    what the task says, or the student had said before, is not the copilot's. Case and
    punctuation do not matter."""
    words, wanted = _split(turn.text), _split(quote)
    size = len(wanted)
    places = [at for at in range(len(words) - size + 1) if words[at : at + size] == wanted]
    said = _list_said_before(turn, evidence)
    most = min(COPIED_WORDS - 1, size // 2)
    return bool(places) and all(_count_copied(words, at, at + size, said) > most for at in places)


def _count_copied(words: Sequence[str], start: int, end: int, said: Said) -> int:
    """How many of the words from `start` to `end` belong to a run that the copilot said first."""
    copied: set[int] = set()
    last = min(end, len(words) - COPIED_WORDS + 1)
    for first in range(max(0, start - COPIED_WORDS + 1), last):
        text = f" {' '.join(words[first : first + COPIED_WORDS])} "
        if next((who for who, earlier in said if text in earlier), "") == "copilot":
            copied.update(range(first, first + COPIED_WORDS))
    return len(copied.intersection(range(start, end)))


def _list_said_before(turn: Turn, evidence: Evidence) -> Said:
    """Who said what before the turn, in order, the task first. Each word stands between spaces."""
    task = evidence.task
    texts = [("task", text) for text in (task.title, task.description, task.week_description)]
    texts += [("task", row.title) for row in task.rows]
    heard = sorted([*evidence.unseen, *evidence.turns], key=lambda each: each.number)
    texts += [(each.role, each.text) for each in heard if each.number < turn.number]
    return [(who, f" {' '.join(_split(text))} ") for who, text in texts]


def _split(text: str) -> list[str]:
    return _WORD.findall(strip_invisible(text).casefold())
