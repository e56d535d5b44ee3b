"""Notes that speak about the student are found, and others are left alone."""

import pytest

from judge.evaluation import figures
from judge.evaluation.limits import FIGURES
from judge.evaluation.notes import is_about_the_student
from judge.evaluation.report import render_report
from judge.evaluation.results import JudgedRow
from tests.judge.evaluation.making import make_case, make_judged

JUDGE = {"kind": "rules", "model": "rules", "prompt_version": 1, "prompt_hash": "0" * 64}


@pytest.mark.parametrize(
    "note",
    [
        "The student has not shown the table.",
        "the student's answer names one risk only",
        "This learner never says why.",
        "Nothing shows that the student asked seven riders.",
        "The user mentions the roles, but they are misspelled.",
    ],
)
def test_about_the_student(note):
    assert is_about_the_student(note)


@pytest.mark.parametrize(
    "note",
    [
        "",
        "You have not shown the table.",
        "You name the student council and its vote.",
        "Ask the student council again.",
        "You quote “the student says so”, which is no number.",
        "You wrote `the student has`, spelled as asked.",
        "Your map shows where the student union is.",
    ],
)
def test_to_the_student(note):
    assert not is_about_the_student(note)


def test_they_are_counted_and_can_be_limited():
    case = make_case(True, False, False)
    notes = ("You wrote it.", "The student has not shown it.", "")
    rows = tuple(JudgedRow("met", note) for note in notes)
    found = figures.make_figures([figures.Tested(case, (make_judged(case, rows=rows),))])
    assert (found.about_student.part, found.about_student.whole) == (1, 2)
    assert FIGURES["notes_about_student"](found) == 1
    report = render_report(found, [], JUDGE)
    assert "Notes about the student instead of to them: 1 of 2." in report
    silent = figures.make_figures([figures.Tested(case, (make_judged(case, "met", "met", "met"),))])
    assert FIGURES["notes_about_student"](silent) is None
