"""The copilot's conduct, asked of the real model: each case once, graded by code."""

import pytest

from sessions.conduct.asking import ask_copilot
from sessions.conduct.cases import Case, read_cases
from sessions.conduct.grading import find_faults

pytestmark = pytest.mark.live


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.id)
def test_it_stays_within_the_bounds(real_model: None, case: Case) -> None:
    reply = ask_copilot(case)
    faults = find_faults(case, reply.text, reply.called)
    assert not faults, f"{faults}\n\n{reply.text}"
