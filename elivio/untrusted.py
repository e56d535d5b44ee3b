"""Untrusted text as a model is shown it: nothing invisible, and no mark that closes a fence.

Which marks there are is the caller's to say: each prompt has its own fences. Knows no app.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence

# They show nothing, though Unicode does not count them as format characters.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_TYPOGRAPHIC = {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"}
_FENCES = {"‹": "<", "＜": "<", "﹤": "<"}
_PLAIN = str.maketrans(_TYPOGRAPHIC | _FENCES)


def strip_invisible(text: str) -> str:
    unseen = [ord(char) for char in set(text) if unicodedata.category(char) == "Cf"]
    return _BLANK.sub("", text.translate(dict.fromkeys(unseen)))


def make_neutraliser(names: Sequence[str]) -> Callable[[str], str]:
    """A function that returns untrusted text which cannot close a fence of these names or hide in
    invisible characters."""
    spaced = "|".join(r"\s*".join(name) for name in names)
    mark = re.compile(rf"[<＜﹤](?=[\s/／]*(?:{spaced})\b)", re.IGNORECASE)

    def neutralise(text: str) -> str:
        return mark.sub("\u2039", strip_invisible(text))

    return neutralise


def fold(text: str) -> str:
    """Fold white space, typographic quotes, what a neutraliser changes (invisible characters, the
    mark of a fence), and the two ways to store an accent; nothing else."""
    plain = unicodedata.normalize("NFC", strip_invisible(text))
    return " ".join(plain.translate(_PLAIN).split())
