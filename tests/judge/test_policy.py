"""The verdict is decided from the rows, in code."""

import json

import pytest

from judge.answer import parse_answer
from judge.policy import decide
from judge.sentences import say_unproven
from tests.fakes.brain import answer
from tests.judge.evidence import make_evidence, make_task, make_turns

TASK = make_task(("First", "written"), ("Second", "written"))
EVIDENCE = make_evidence(TASK, make_turns(("student", "my own words")))


def verdict(data):
    return decide(parse_answer(json.dumps(data), TASK), EVIDENCE)


@pytest.mark.parametrize(
    "statuses, says, outcome, mismatch",
    [
        (("met", "met"), True, "passed", False),
        (("met", "met"), False, "passed", True),
        (("met", "not_met"), False, "failed", False),
        (("met", "not_met"), True, "failed", True),
        (("met", "not_shown"), True, "failed", True),
        (("not_shown", "not_shown"), False, "failed", False),
    ],
)
def test_the_rows_decide(statuses, says, outcome, mismatch):
    found = verdict(answer(*statuses, text="own words", all_met=says))
    assert (found.outcome, found.mismatch) == (outcome, mismatch)


def test_a_met_row_needs_evidence_that_holds():
    data = answer("met", "met", text="own words")
    data["rows"][1]["evidence"] = [{"turn": 1, "quote": "never said"}]
    found = verdict(data)
    assert [row.status for row in found.rows] == ["met", "not_shown"]
    assert found.rows[1].note == say_unproven("quote_not_found")
    assert found.rows[1].faults == ("quote_not_found",)
    assert found.unproven == found.rows[1:]


def test_one_false_citation_spoils_the_row():
    data = answer("met", "met", text="own words")
    data["rows"][0]["evidence"].append({"turn": 1, "quote": "never said"})
    assert verdict(data).rows[0].status == "not_shown"


def test_no_evidence_is_no_proof():
    data = answer("met", "met", text="own words")
    data["rows"][0]["evidence"] = []
    assert verdict(data).rows[0].faults == ("no_evidence",)


def test_an_unmet_row_keeps_its_note_and_what_holds():
    data = answer("met", "not_met", text="own words")
    data["rows"][1]["evidence"] = [{"turn": 1, "quote": "my own"}, {"turn": 1, "quote": "no"}]
    row = verdict(data).rows[1]
    assert (row.status, row.note) == ("not_met", "A note on row 2.")
    assert [citation["quote"] for citation in row.evidence] == ["my own"]


def test_rows_come_in_the_tasks_order():
    data = answer("not_met", "met", text="own words")
    data["rows"].reverse()
    assert [row.row.key for row in verdict(data).rows] == ["r1", "r2"]
