"""Text at the edge: refused or cleaned once, so that nothing deep inside chokes on it."""

import hashlib
import json
import re
from typing import Any

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
DIGITS = re.compile("[0-9]{1,9}")


def clean_text(text: str) -> str:
    """Text from a model or provider, fit to be stored: NUL and lone surrogates replaced."""
    return UNSTORABLE.sub("\ufffd", text)


def find_fault(text: str, *, longest: int) -> str:
    """A sentence saying why a person's text cannot be taken, or "" when it can."""
    if not text.strip():
        return "Write something first, then send it."
    if len(text) > longest:
        return (
            f"That is {len(text):,} characters, and one message holds {longest:,}. "
            "Send it in two or more parts."
        )
    if UNSTORABLE.search(text):
        return "The text holds a character that cannot be stored. Paste it again as plain text."
    return ""


def digest_of(value: Any) -> str:
    """A short name for a value of JSON: another value has another one."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def read_number(text: str) -> int | None:
    """A whole number from a form, of nine digits at most; None for any other text."""
    return int(text) if DIGITS.fullmatch(text.strip()) else None
