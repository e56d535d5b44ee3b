"""A model's JSON, read strictly: what is odd is refused, never mended. Knows no form."""

import json
from typing import Any

from elivio.text import clean_text


class BadJson(ValueError):
    """The reply is no JSON that can be taken. `code` is "not_json" or "doubled_key"."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


def read_strict_json(text: str) -> Any:
    """One JSON value and nothing around it, its texts fit to be stored. Raises BadJson, also for
    equal keys in one object and for NaN and Infinity."""
    try:
        data = json.loads(text, object_pairs_hook=_refuse_doubled, parse_constant=_refuse_constant)
        return clean_json(data)
    except BadJson:
        raise
    except (ValueError, RecursionError) as error:
        raise BadJson("not_json", str(error)) from error


def clean_json(value: Any) -> Any:
    """The same value, with NUL and lone surrogates replaced in every text; keys stay."""
    match value:
        case str():
            return clean_text(value)
        case list():
            return [clean_json(item) for item in value]
        case dict():
            return {key: clean_json(item) for key, item in value.items()}
    return value


def _refuse_doubled(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadJson("doubled_key", ", ".join(key for key, _ in pairs))
    return found


def _refuse_constant(name: str) -> None:
    raise BadJson("not_json", name)
