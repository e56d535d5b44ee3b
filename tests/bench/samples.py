"""Taking samples of two things in turn, and the ratio between them. It knows nothing of either."""

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Measure = Callable[[], float]
RESAMPLES = 1000


@dataclass(frozen=True)
class Pair:
    """Milliseconds of the product's work and of its base, sample for sample."""

    work: list[float]
    base: list[float]

    @property
    def ratio(self) -> float:
        return statistics.median(self.work) / statistics.median(self.base)

    @property
    def ratio_p95(self) -> float:
        return find_p95(self.work) / find_p95(self.base)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the ratio of medians lies in 95 of 100 resamples of the same pairs."""
        dice = random.Random(0)
        pairs = list(zip(self.work, self.base, strict=True))
        ratios = sorted(_ratio(dice.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES))
        return ratios[round(0.025 * RESAMPLES)], ratios[round(0.975 * RESAMPLES) - 1]

    @property
    def noise(self) -> float:
        """The base against itself: every other two samples over the rest, which is 1 on a still
        machine. Two, as what goes first in one pair goes second in the next."""
        halves: tuple[list[float], list[float]] = ([], [])
        for place, value in enumerate(self.base):
            halves[place // 2 % 2].append(value)
        return statistics.median(halves[0]) / statistics.median(halves[1])


def take_samples(work: Measure, base: Measure, number: int, *, warm_up: int) -> Pair:
    """Measure both `number` times, in turn and each first in every other pair, so that whatever
    slows the machine for a while slows both."""
    for _ in range(warm_up):
        work(), base()
    pair = Pair([], [])
    for place in range(number):
        steps = [(work, pair.work), (base, pair.base)]
        for measure, found in steps if place % 2 else reversed(steps):
            found.append(measure())
    return pair


def find_p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def _ratio(pairs: list[tuple[float, float]]) -> float:
    works, bases = zip(*pairs, strict=True)
    return statistics.median(works) / statistics.median(bases)
