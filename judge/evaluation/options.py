"""The command line of `judge_eval`: which options go together, and single values, with a sentence
where one cannot be used."""

import argparse
import datetime
from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone

from judge.evaluation.limits import FIGURES, BadLimit, Limit, Side, read_limit
from judge.evaluation.plans.figures import FIGURES as PLAN_FIGURES

MODES = ("cases", "replay", "export_appeals")
# What each of them takes beside itself. Of the options that are given, one that is not named here
# would have no effect, and is refused.
TAKES: dict[str, set[str]] = {
    "cases": {"plans", "json", "resume", "min", "max", "concurrency", "repeat", "limit", "attacks"},
    "plans": {"cases", "json", "min", "max", "concurrency", "limit", "attacks"},
    "replay": {"since", "ids", "limit", "skip_pictures", "json", "concurrency"},
    "export_appeals": set(),
}
OPTIONS = {*TAKES, *(name for names in TAKES.values() for name in names)}


def find_misplaced(options: Mapping[str, Any]) -> str:
    """A sentence about options that do not go together, or "". An option that was not given is
    None or False."""
    given = [name for name in sorted(OPTIONS) if options[name] not in (None, False)]
    modes = [name for name in MODES if name in given]
    if len(modes) != 1:
        return "Give one of --cases FILE..., --replay and --export-appeals OUT."
    for mode in modes + (["plans"] if "plans" in given else []):
        for name in given:
            if name != mode and name not in TAKES[mode]:
                return f"{_as_flag(name)} does not go with {_as_flag(mode)}."
    if "resume" in given and "json" not in given:
        return "--resume needs --json OUT: the results to go on from."
    if modes == ["replay"] and not {"since", "ids", "limit"} & set(given):
        return "--replay needs --since DATE, --ids ID... or --limit N."
    return ""


def _as_flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def limit_reader(side: Side) -> Callable[[str], Limit]:
    def read(text: str) -> Limit:
        try:
            return read_limit(text, side, [*FIGURES, *PLAN_FIGURES])
        except BadLimit as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read


def read_positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on.")
    return int(text)


def read_date(text: str) -> datetime.datetime:
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date like 2026-01-31.") from error
    return timezone.make_aware(datetime.datetime.combine(day, datetime.time()))
