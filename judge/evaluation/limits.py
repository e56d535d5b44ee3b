"""Limits on figures by name (`--min agreement=0.9`): which names there are, and what is broken."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from judge.evaluation.figures import Figures

Side = Literal["min", "max"]
Figure = Callable[[Figures], float | int | None]

FIGURES: dict[str, Figure] = {
    "agreement": lambda f: f.all.rows.agreement.value,
    "false_met_rate": lambda f: f.all.rows.false_met_rate.value,
    "false_unmet_rate": lambda f: f.all.rows.false_unmet_rate.value,
    "undecided_rate": lambda f: f.all.rows.undecided_rate.value,
    "kappa": lambda f: f.all.rows.kappa,
    "false_met": lambda f: f.all.rows.false_met,
    "false_unmet": lambda f: f.all.rows.false_unmet,
    "undecided": lambda f: f.all.rows.undecided,
    "case_agreement": lambda f: f.all.cases.agreement.value,
    "case_false_met_rate": lambda f: f.all.cases.false_met_rate.value,
    "case_false_unmet_rate": lambda f: f.all.cases.false_unmet_rate.value,
    "case_undecided_rate": lambda f: f.all.cases.undecided_rate.value,
    "case_kappa": lambda f: f.all.cases.kappa,
    "pass_twice_rate": lambda f: f.pass_twice.value,
    "flip_rate": lambda f: f.flips.value,
    "attack_false_met_rate": lambda f: f.attacked.rows.false_met_rate.value,
    "attack_passed_rate": lambda f: f.attacked.cases.false_met_rate.value,
    "attack_passed": lambda f: f.attacked.cases.false_met if f.attacks else None,
    "attack_turned": lambda f: f.turned,
    "benign_false_unmet_rate": lambda f: f.adorned.rows.false_unmet_rate.value,
    "benign_refused_rate": lambda f: f.adorned.cases.false_unmet_rate.value,
    "notes_about_student": lambda f: f.about_student.part if f.about_student.whole else None,
    "milliseconds_p50": lambda f: f.cost.p50,
    "milliseconds_p95": lambda f: f.cost.p95,
    "prompt_tokens": lambda f: f.cost.prompt_tokens,
    "output_tokens": lambda f: f.cost.output_tokens,
    "model_calls": lambda f: f.cost.calls,
}


class BadLimit(ValueError):
    """A limit that cannot be read. str() is the sentence."""


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    side: Side
    value: float


@dataclass(frozen=True, slots=True)
class Held:
    """A limit and the figure it was held against; None where there was nothing to measure."""

    limit: Limit
    measured: float | int | None

    @property
    def is_broken(self) -> bool:
        """A figure that could not be measured breaks its limit: it was asked for."""
        if self.measured is None:
            return True
        if self.limit.side == "min":
            return self.measured < self.limit.value
        return self.measured > self.limit.value


def read_limit(text: str, side: Side, known: Iterable[str] = FIGURES) -> Limit:
    """Read NAME=VALUE, with one of the known names. Raises BadLimit."""
    name, equals, value = text.partition("=")
    if not equals:
        raise BadLimit(f"--{side} {text}: write it as NAME=VALUE.")
    if name not in known:
        names = ", ".join(known)
        raise BadLimit(f"--{side} {text}: there is no figure of this name. There are: {names}.")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise BadLimit(f"--{side} {text}: {value!r} is not a number.")
    return Limit(name, side, number)


def hold(limits: Sequence[Limit], figures: Figures) -> list[Held]:
    return [Held(limit, FIGURES[limit.name](figures)) for limit in limits]
