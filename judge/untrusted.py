"""Untrusted text as a judge is shown it: nothing invisible, and no mark that closes the fence."""

import re
import unicodedata

# They show nothing, though Unicode does not count them as format characters.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_NAMES = "|".join(r"\s*".join(name) for name in ("transcript", "turn", "task", "frame"))
_MARK = re.compile(rf"[<＜﹤](?=[\s/／]*(?:{_NAMES})\b)", re.IGNORECASE)


def strip_invisible(text: str) -> str:
    unseen = [ord(char) for char in set(text) if unicodedata.category(char) == "Cf"]
    return _BLANK.sub("", text.translate(dict.fromkeys(unseen)))


def neutralise(text: str) -> str:
    """Untrusted text that cannot close the fence or hide in invisible characters."""
    return _MARK.sub("\u2039", strip_invisible(text))
