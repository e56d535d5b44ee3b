"""The plan judge, asked of the real model: for each criterion a fault that code does not see, and
the same plan without it."""

from pathlib import Path

import pytest

from judge.evaluation.plans.cases import PlanCase, read_plan_cases
from judge.evaluation.plans.run import Reviewed, run_plan_case
from plans import making
from plans.making.review import Standing

pytestmark = pytest.mark.live
FILES = sorted((Path(making.__file__).parent / "cases").glob("*.jsonl"))
CASES = {case.id: case for case in read_plan_cases(FILES)}
FAULTY = [
    CASES[name]
    for name in (
        "thought-about-it",
        "press-the-check",
        "name-changed",
        "too-much-for-an-hour",
        "needed-before-made",
        "nothing-to-show",
    )
]
SOUND = [CASES[f"{case.id}-twin"] for case in FAULTY]


def review(case: PlanCase) -> Reviewed:
    reviewed = run_plan_case(case)
    unread = [one for one, how in reviewed.review.standings.items() if how == Standing.UNREAD]
    assert not unread, f"The judge came to no verdict on {', '.join(unread)}."
    return reviewed


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.id)
def test_a_planted_fault_is_named_in_its_place(real_model: None, case: PlanCase) -> None:
    reviewed = review(case)
    missed = [fault for fault in case.faults if not reviewed.names(fault)]
    assert not missed, reviewed.review.findings


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.id)
def test_a_sound_plan_is_left_alone(real_model: None, case: PlanCase) -> None:
    assert not review(case).review.findings
