"""The arithmetic of the benchmarks, on numbers whose answer is known."""

import pytest

from tests.bench.samples import Pair, find_p95, take_samples


def test_the_ratio_is_of_the_medians():
    pair = Pair(work=[10.0, 30.0, 20.0, 900.0, 20.0], base=[5.0, 5.0, 4.0, 5.0, 100.0])
    assert pair.ratio == 4.0


def test_the_interval_holds_the_ratio_and_grows_with_the_scatter():
    still = Pair(work=[20.0] * 40, base=[10.0] * 40)
    assert still.interval == (2.0, 2.0)
    restless = Pair(work=[15.0, 20.0, 25.0, 30.0] * 10, base=[10.0] * 40)
    low, high = restless.interval
    assert low <= restless.ratio <= high and low < high


def test_noise_is_the_base_against_itself():
    assert Pair(work=[1.0] * 8, base=[4.0] * 8).noise == 1.0
    assert Pair(work=[1.0] * 8, base=[6.0, 6.0, 4.0, 4.0] * 2).noise == 1.5


def test_whether_the_base_went_first_is_no_noise():
    assert Pair(work=[1.0] * 8, base=[6.0, 4.0] * 4).noise == 1.0


def test_p95():
    assert find_p95([float(number) for number in range(1, 102)]) == pytest.approx(96.0)


def test_samples_are_taken_in_turn_and_each_first_as_often():
    asked: list[str] = []

    def measure(name: str) -> float:
        asked.append(name)
        return float(len(asked))

    pair = take_samples(lambda: measure("work"), lambda: measure("base"), 4, warm_up=1)
    assert asked == ["work", "base", *["base", "work", "work", "base"] * 2]
    assert (pair.work, pair.base) == ([4.0, 5.0, 8.0, 9.0], [3.0, 6.0, 7.0, 10.0])
