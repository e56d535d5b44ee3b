"""The formulas, against figures worked out elsewhere and against what must always hold."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.evaluation.statistics import Confusion, Share, count, percentile


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, method 3 (score).
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0000),
    ],
)
def test_wilson_interval_as_published(part: int, whole: int, low: float, high: float) -> None:
    assert Share(part, whole).interval == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_share(counts: tuple[int, int]) -> None:
    share = Share(*counts)
    low, high = share.interval
    assert 0 <= low <= share.value + 1e-12 and share.value - 1e-12 <= high <= 1


def test_nothing_has_no_share() -> None:
    assert (Share(0, 0).value, Share(0, 0).interval) == (None, None)


def test_rates_are_of_what_was_decided() -> None:
    found = Confusion(
        true_met=6,
        false_met=1,
        true_unmet=3,
        false_unmet=2,
        undecided_met=4,
        undecided_unmet=4,
    )
    assert found.agreement == Share(9, 12)
    assert found.false_met_rate == Share(1, 4)
    assert found.false_unmet_rate == Share(2, 8)
    assert found.undecided_rate == Share(8, 20)


@pytest.mark.parametrize(
    ("cells", "kappa"),
    [
        ((20, 10, 15, 5), 0.4),  # 50 items, 70 % agreement, 50 % by chance
        ((45, 25, 15, 15), 0.1304),
        ((25, 5, 35, 35), 0.2593),
        ((10, 0, 10, 0), 1.0),
        ((0, 10, 0, 10), -1.0),
        ((5, 5, 5, 5), 0.0),
        ((10, 0, 0, 0), None),
        ((0, 0, 0, 0), None),
    ],
)
def test_cohens_kappa(cells: tuple[int, int, int, int], kappa: float | None) -> None:
    found = Confusion(*cells).kappa
    assert found is None if kappa is None else math.isclose(found, kappa, abs_tol=5e-5)


@given(
    st.lists(st.tuples(st.sampled_from((True, False, None)), st.sampled_from((True, False, None))))
)
def test_every_labelled_pair_is_counted_once(pairs: list) -> None:
    found = count(pairs)
    labelled = [pair for pair in pairs if pair[0] is not None]
    assert found.decided + found.undecided == len(labelled)
    assert found.agreement.part == sum(label is said for label, said in labelled)


@pytest.mark.parametrize(("share", "value"), [(0.0, 1), (0.5, 5), (0.51, 6), (0.95, 10), (1.0, 10)])
def test_percentile_is_one_of_the_values(share: float, value: int) -> None:
    assert percentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], share) == value


def test_percentile_of_nothing() -> None:
    assert percentile([], 0.5) is None
