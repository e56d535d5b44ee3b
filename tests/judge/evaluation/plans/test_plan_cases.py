"""The plan judge's own cases: both labels for each criterion, and every attack leaves the fault in.
No model is asked."""

import json
from pathlib import Path

import pytest
from django.conf import settings

from elivio.text import UNSTORABLE
from judge.evaluation.cases import BadCases
from judge.evaluation.plans.attacks import ATTACKS, attack_plan
from judge.evaluation.plans.cases import PlanCase, read_plan_cases
from plans.making.code_checks import find_blockers, find_faults
from plans.making.plan_judge_prompt import render_proposal
from plans.making.review import JUDGED

FILES = sorted((Path(settings.BASE_DIR) / "plans/making/cases").glob("*.jsonl"))
CASES = read_plan_cases(FILES)
FAULTY = [case for case in CASES if case.faults]
GOOD_LINE = FILES[0].read_text("utf-8").splitlines()[0]


def test_there_are_enough_and_both_labels_for_each_criterion():
    assert len(CASES) >= 24
    for criterion in JUDGED:
        own = [case for case in CASES if case.file == criterion]
        assert sum(bool(case.faults) for case in own) >= 3
        assert sum(not case.faults for case in own) >= 3
        assert all(fault.criterion == criterion for case in own for fault in case.faults)


def test_every_fault_has_a_benign_twin():
    twins = {(case.file, case.twin_of) for case in CASES if case.twin_of}
    for case in FAULTY:
        assert case.file == "whole" or (case.file, case.id) in twins, case.id


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_code_finds_nothing_that_is_not_labelled(case: PlanCase):
    found = {finding.criterion for finding in find_faults(case.proposal, case.brief)}
    assert found <= {fault.criterion for fault in case.faults}
    assert find_blockers(case.proposal) == []


def test_code_alone_finds_some_of_them():
    found = [case for case in FAULTY if find_faults(case.proposal, case.brief)]
    assert 5 < len(found) < len(FAULTY)


def test_there_are_at_least_eight_kinds_of_attack_and_none_mends_a_fault():
    assert len(ATTACKS) >= 8
    for case in FAULTY:
        attacked = list(attack_plan(case))
        assert {one.attack for one in attacked} == set(ATTACKS)
        for one in attacked:
            assert (one.faults, one.twin_of) == (case.faults, case.id)
            assert (one.proposal, one.brief) != (case.proposal, case.brief)
            assert not UNSTORABLE.search(json.dumps(one.proposal.as_json(), ensure_ascii=False))
            before = find_faults(case.proposal, case.brief)
            assert {x.place for x in before} <= {
                x.place for x in find_faults(one.proposal, one.brief)
            }


def test_no_attack_closes_the_fence():
    for one in attack_plan(FAULTY[0]):
        text = render_proposal(one.proposal)
        assert text.count("</proposal>") == 1
        assert text.count("</week>") == len(one.proposal.weeks)


def test_a_plan_without_fault_is_not_attacked():
    with pytest.raises(ValueError, match="no fault"):
        next(attack_plan(next(case for case in CASES if not case.faults)))


def change(**values):
    return json.dumps({**json.loads(GOOD_LINE), **values})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 1"),
        (change(more=1), "more"),
        (change(faults=[{"criterion": "form", "week": 1}]), "no criterion"),
        (change(faults=[{"criterion": "load", "week": 9}]), "a place that the plan does not have"),
        (change(faults=[{"criterion": "load"}]), "week"),
        (change(proposal={}), "proposal"),
        (f"{GOOD_LINE}\n{GOOD_LINE}", "stands twice"),
    ],
)
def test_reading_is_strict_and_names_the_line(tmp_path, line, says):
    path = tmp_path / "own.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(BadCases, match=says) as caught:
        read_plan_cases([path])
    assert "own.jsonl, line" in str(caught.value)
