"""Reads single values of the command line, with a sentence where one cannot be used."""

import argparse
import datetime
from collections.abc import Callable

from django.utils import timezone

from judge.evaluation.limits import FIGURES, BadLimit, Limit, Side, read_limit
from judge.evaluation.plans.figures import FIGURES as PLAN_FIGURES


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
