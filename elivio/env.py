"""The one place that reads environment variables; it must not know what any of them is for."""

import json
import os
from typing import Any

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


def text(name: str, default: str = "") -> str:
    """Return the variable without surrounding white space; an empty one counts as unset."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, default: bool) -> bool:
    value = text(name).lower()
    if not value:
        return default
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ValueError(f"{name} must be one of 1, true, yes, on, 0, false, no, off; it is {value!r}.")


def integer(name: str, default: int) -> int:
    value = text(name)
    try:
        return int(value) if value else default
    except ValueError:
        raise ValueError(f"{name} must be a whole number; it is {value!r}.") from None


def number(name: str, default: float) -> float:
    value = text(name)
    try:
        return float(value) if value else default
    except ValueError:
        raise ValueError(f"{name} must be a number; it is {value!r}.") from None


def items(name: str) -> list[str]:
    """Return the parts of a comma separated list, empty parts left out."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def mapping(name: str) -> dict[str, Any]:
    """Return the variable's JSON object, or an empty one. Its values stay out of the message of a
    fault: one of them may be a secret."""
    try:
        value = json.loads(text(name, "{}"))
    except json.JSONDecodeError:
        value = None
    if not isinstance(value, dict):
        raise ValueError(f'{name} must be a JSON object, such as {{"temperature": 0}}.')
    return value


def set_default(name: str, value: str) -> None:
    """Set the variable for this process and its children, unless it already has a value."""
    if not text(name):
        os.environ[name] = value


def copy_with(**changes: str) -> dict[str, str]:
    """Return the environment for a child process: this one's with the given changes."""
    return {**os.environ, **changes}
