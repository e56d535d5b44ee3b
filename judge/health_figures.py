"""What judge health is made of: plain values and the arithmetic on them. No database."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TypeVar

from judge.evaluation.statistics import Confusion, Share

Counted = TypeVar("Counted", Confusion, "Outcomes", "Flips")


@dataclass(frozen=True, slots=True, order=True)
class Judge:
    """Who judged. `model` is "" for runs to which no model answered, `prompt_version` 0 for
    completions whose audit row is missing."""

    kind: str
    model: str
    prompt_version: int


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Runs by trigger and by outcome. `stuck`: the same rows unmet twice in a row. `mismatched`:
    the model's total was not what its own rows say."""

    checks: int = 0
    taps: int = 0
    passed: int = 0
    failed: int = 0
    undecided: int = 0
    stuck: int = 0
    mismatched: int = 0

    @property
    def runs(self) -> int:
        return self.checks + self.taps

    @property
    def shares(self) -> tuple[Share, Share, Share]:
        return tuple(Share(each, self.runs) for each in (self.passed, self.failed, self.undecided))


@dataclass(frozen=True, slots=True)
class Flips:
    """Taps by what the last decided check before them said, at the same spec version: `held` and
    the two that follow had a passed check, `gained` and the two after it a failed one.

    A tap flips when the check had passed and the tap failed: the student was told that they are
    done, and then that they are not. The reverse is no flip, as they may have done more meanwhile.
    """

    held: int = 0
    lost: int = 0
    left_open: int = 0
    gained: int = 0
    still_failed: int = 0
    failed_open: int = 0

    @property
    def after_pass(self) -> int:
        return self.held + self.lost + self.left_open

    @property
    def rate(self) -> Share:
        """Of the taps after a passed check that were decided, those that failed."""
        return Share(self.lost, self.held + self.lost)

    @property
    def not_passed(self) -> Share:
        """Of all taps after a passed check, those that failed or were undecided."""
        return Share(self.lost + self.left_open, self.after_pass)


@dataclass(frozen=True, slots=True)
class Cost:
    """Of runs in which somebody was asked. Prompt tokens with those cached, output tokens with
    thoughts, as the provider counts; milliseconds are all calls of a run together."""

    runs: int
    prompt: int
    cached: int
    output: int
    p50: float
    p95: float

    @property
    def cached_share(self) -> Share:
        return Share(self.cached, self.prompt)


@dataclass(frozen=True, slots=True)
class Completed:
    """Checked completions, and what all runs of their actions came to, from the completion before
    (or the start) to this one. `median` is of prompt and output tokens."""

    completions: int
    audit_missing: int
    runs: int
    prompt: int
    cached: int
    output: int
    median: float

    @property
    def runs_each(self) -> float:
        return self.runs / self.completions


@dataclass(frozen=True, slots=True)
class Day:
    """Runs of a day, or of a month that begins with it."""

    day: datetime.date
    passed: int
    failed: int
    undecided: int

    @property
    def runs(self) -> int:
        return self.passed + self.failed + self.undecided


@dataclass(frozen=True, slots=True)
class Health:
    """Each by judge, in the judges' order. `reasons` are codes of undecided runs, most first, each
    as a share of the judge's runs."""

    outcomes: dict[Judge, Outcomes]
    reasons: list[tuple[Judge, str, Share]]
    agreement: dict[Judge, Confusion]
    flips: dict[Judge, Flips]
    costs: dict[Judge, Cost]
    completed: dict[Judge, Completed]
    days: list[Day]
    by_month: bool

    @property
    def runs(self) -> int:
        return sum(each.runs for each in self.outcomes.values())

    @property
    def audit_missing(self) -> Share:
        done = self.completed.values()
        return Share(
            sum(each.audit_missing for each in done), sum(each.completions for each in done)
        )


def add_up(counts: Iterable[Counted]) -> Counted | None:
    """The sum of counts of one kind, field by field; None of none."""
    counts = list(counts)
    if not counts:
        return None
    kind = type(counts[0])
    return kind(
        **{each.name: sum(getattr(one, each.name) for one in counts) for each in fields(kind)}
    )
