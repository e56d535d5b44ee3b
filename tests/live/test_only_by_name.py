"""The live tests run by name alone, and tell a good judge from a bad one. A fake server stands
where Google would be."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from elivio import env
from judge.evaluation.plans.cases import Fault, PlanCase
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini, FakeRequest
from tests.fakes.replies import Reply
from tests.live import test_judge, test_plan_judge
from tests.live.conftest import say_why_not
from tests.plans.making.proposals import answer, find
from tests.services import LIVE

ROOT = Path(__file__).parents[2]
REPLAYS = [
    test_judge.test_nothing_but_a_platform_step_left_is_done,
    test_judge.test_a_name_that_the_task_does_not_have_is_not_done,
]


def judge_well(request: FakeRequest) -> Reply:
    if "r2 (evidence" not in request.text:
        return replies.json({"rows": [make_row("r1", "not_met")], "allMet": False})
    rows = [
        make_row("r1", "met", turn=2, quote="loose contact"),
        make_row("r2", "met", turn=4, quote="nobody named a phone"),
    ]
    return replies.json({"rows": rows, "allMet": True})


def judge_badly(request: FakeRequest) -> Reply:
    """As judges once did: the button is missing, and what the copilot lets pass is good."""
    if "r2 (evidence" not in request.text:
        row = make_row("r1", "met", turn=2, quote="- Prompt")
        return replies.json({"rows": [row], "allMet": True})
    rows = [
        make_row("r1", "met", turn=2, quote="loose contact"),
        make_row("r2", "not_met", note="You have not tapped the button."),
    ]
    return replies.json({"rows": rows, "allMet": False})


def make_row(key: str, status: str, note: str = "", **citation: object) -> dict[str, object]:
    evidence = [citation] if citation else []
    return {"id": key, "evidence": evidence, "note": note, "status": status}


def test_with_a_key_and_by_name_they_ask() -> None:
    """In a process of its own, with the services of this test run: the key comes through."""
    with FakeGemini() as model:
        model.respond = judge_well
        place = {"GEMINI_API_KEY": "a-key", "GOOGLE_GEMINI_BASE_URL": model.url}
        environment = {
            name: value
            for name, value in env.copy_with(**place, PYTEST_ADDOPTS="").items()
            if not name.startswith((LIVE, "PYTEST_XDIST_"))
        }
        command = [sys.executable, "-m", "pytest", "-m", "live", "tests/live/test_judge.py"]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
        )
        assert "2 passed" in done.stdout, done.stdout
        assert [each.headers["x-goog-api-key"] for each in model.requests] == ["a-key"] * 2


@pytest.mark.parametrize("replay", REPLAYS)
def test_control_a_bad_judge_fails_each(gemini: FakeGemini, replay: Callable[[None], None]) -> None:
    gemini.respond = judge_well
    replay(None)
    gemini.respond = judge_badly
    with pytest.raises(AssertionError):
        replay(None)


@pytest.mark.parametrize("case", test_plan_judge.FAULTY, ids=lambda case: case.id)
def test_control_a_bad_plan_judge_fails_each(gemini: FakeGemini, case: PlanCase) -> None:
    """It is blind where there is a fault, or sees one where there is none."""
    [fault] = case.faults
    finding = find_fault(case, fault)
    sees, is_blind = (replies.json(answer(**found)) for found in (finding, {}))
    twin = test_plan_judge.CASES[f"{case.id}-twin"]
    gemini.enqueue(sees, is_blind)
    test_plan_judge.test_a_planted_fault_is_named_in_its_place(None, case)
    with pytest.raises(AssertionError):
        test_plan_judge.test_a_planted_fault_is_named_in_its_place(None, case)
    there = find_fault(twin, fault)
    gemini.enqueue(is_blind, replies.json(answer(**there)), replies.blocked())
    test_plan_judge.test_a_sound_plan_is_left_alone(None, twin)
    for _ in range(2):
        with pytest.raises(AssertionError):
            test_plan_judge.test_a_sound_plan_is_left_alone(None, twin)


def find_fault(case: PlanCase, fault: Fault) -> dict[str, list[dict[str, object]]]:
    """As the judge would say it, with the title that stands in its place."""
    place = week = case.proposal.weeks[(fault.week or 1) - 1]
    if fault.task:
        place = task = week.tasks[fault.task - 1]
        place = task.requirements[fault.requirement - 1] if fault.requirement else task
    found = find(fault.week, fault.task, fault.requirement, place.title)
    return {str(fault.criterion): [found]}


@pytest.mark.parametrize(
    ("chosen", "key", "reason"),
    [
        ("", "a-key", "run it by name"),
        ("browser", "a-key", "run it by name"),
        ("live", "", "GEMINI_API_KEY is not set"),
        ("live", "a-key", ""),
    ],
)
def test_else_they_are_skipped_with_a_reason(chosen: str, key: str, reason: str) -> None:
    said = say_why_not(chosen, key)
    assert reason in said and bool(reason) is bool(said)
