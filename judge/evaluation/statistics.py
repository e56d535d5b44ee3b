"""The few formulas behind the figures: shares with intervals, agreement, percentiles. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Share:
    """`part` of `whole`. The value and the interval are None where there is nothing to count."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        return self.part / self.whole if self.whole else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The Wilson score interval at 95 %. Wilson (1927), J. Am. Stat. Assoc. 22(158)."""
        if not self.whole:
            return None
        n, p = self.whole, self.part / self.whole
        centre = p + Z95**2 / (2 * n)
        spread = Z95 * math.sqrt(p * (1 - p) / n + Z95**2 / (4 * n**2))
        scale = 1 + Z95**2 / n
        return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


@dataclass(frozen=True, slots=True)
class Confusion:
    """What the judge said of what a person labelled: the four cells, and UNDECIDED apart, by
    label. Rates are of what was decided."""

    true_met: int = 0
    false_met: int = 0
    true_unmet: int = 0
    false_unmet: int = 0
    undecided_met: int = 0
    undecided_unmet: int = 0

    @property
    def decided(self) -> int:
        return self.true_met + self.false_met + self.true_unmet + self.false_unmet

    @property
    def undecided(self) -> int:
        return self.undecided_met + self.undecided_unmet

    @property
    def agreement(self) -> Share:
        return Share(self.true_met + self.true_unmet, self.decided)

    @property
    def false_met_rate(self) -> Share:
        """Of what is not met, how much the judge let pass."""
        return Share(self.false_met, self.false_met + self.true_unmet)

    @property
    def false_unmet_rate(self) -> Share:
        """Of what is met, how much the judge refused."""
        return Share(self.false_unmet, self.false_unmet + self.true_met)

    @property
    def undecided_rate(self) -> Share:
        return Share(self.undecided, self.decided + self.undecided)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where chance alone would agree always. Cohen (1960), Educ. Psychol.
        Meas. 20(1)."""
        chance = self._chance
        if chance is None or math.isclose(chance, 1):
            return None
        return (self.agreement.value - chance) / (1 - chance)

    @property
    def kappa_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the agreement, put into kappa with chance held as it is. An
        approximation, and a wide one where few were counted."""
        if self.kappa is None:
            return None
        low, high = self.agreement.interval
        chance = self._chance
        return max(-1.0, (low - chance) / (1 - chance)), (high - chance) / (1 - chance)

    @property
    def _chance(self) -> float | None:
        """How often two who guess with these shares would agree."""
        n = self.decided
        if not n:
            return None
        said_met, is_met = self.true_met + self.false_met, self.true_met + self.false_unmet
        return (said_met * is_met + (n - said_met) * (n - is_met)) / n**2


def count(pairs: Sequence[tuple[bool | None, bool | None]]) -> Confusion:
    """Count (label, said) pairs. Without a label a pair is left out; said None is UNDECIDED."""
    known = [pair for pair in pairs if pair[0] is not None]
    return Confusion(
        true_met=known.count((True, True)),
        false_met=known.count((False, True)),
        true_unmet=known.count((False, False)),
        false_unmet=known.count((True, False)),
        undecided_met=known.count((True, None)),
        undecided_unmet=known.count((False, None)),
    )


def percentile(values: Sequence[int], share: float) -> int | None:
    """The smallest value that at least this share of the values does not exceed."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
