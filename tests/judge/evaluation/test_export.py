"""Rows that staff decided, as cases: which labels, and whose names are gone."""

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from judge.decisions import decide_row
from judge.evaluation.cases import read_cases, write_case
from judge.evaluation.export import export_appeals, make_appeal_case
from judge.models import Appeal, CheckRun, RowDecision
from plans.models import Action
from tests import factories
from tests.judge.evaluation.calling import call
from tests.judge.evaluation.stored import make_evidence_json, make_run
from tests.judge.runs import add_run, complete, decide

ROWS = ("One", "Two", "Three")
SAID = (
    ("student", "Hi, Anna here, anna@example.org. Write to Bo.Li+x@mail.example.com as well."),
    ("copilot", "Thank you, ANNA. Hannah, Annabel and Joanna are somebody else."),
)


def make_decision(
    check: CheckRun, row: str, *, is_met: bool = True, reason: str = "Yes."
) -> RowDecision:
    ids = {each["title"]: uuid.UUID(each["id"]) for each in check.checklist}
    staff = User(username="cy@example.org", first_name="Cy")
    return RowDecision(requirement_id=ids[row], is_met=is_met, reason=reason, decided_by=staff)


@pytest.fixture
def check() -> CheckRun:
    return make_run(make_evidence_json(*SAID, rows=ROWS), "met", "not_met", "not_shown")


def labels(check: CheckRun, *decisions: RowDecision) -> list[bool | None] | None:
    case = make_appeal_case(check, list(decisions))
    return [row.met_label for row in case.requirements] if case else None


def test_only_what_staff_decided_is_a_label(check: CheckRun) -> None:
    two, not_three = make_decision(check, "Two"), make_decision(check, "Three", is_met=False)
    assert labels(check, two) == [None, True, None]
    assert labels(check, not_three) == [None, None, False]
    assert labels(check, two, not_three) == [None, True, False]
    assert labels(check) is None


def test_a_row_that_was_met_can_be_decided_otherwise(check: CheckRun) -> None:
    assert labels(check, make_decision(check, "One", is_met=False)) == [False, None, None]


def test_the_newer_of_two_decisions_counts(check: CheckRun) -> None:
    older, newer = make_decision(check, "Two"), make_decision(check, "Two", is_met=False)
    assert labels(check, older, newer) == [None, False, None]


def test_without_evidence_there_is_no_case(check: CheckRun) -> None:
    check.evidence = {}
    assert labels(check, make_decision(check, "Two")) is None


def test_the_case_is_the_students_without_the_student(check: CheckRun, tmp_path: Path) -> None:
    check.student.last_name = "Petrova-Li"
    check.evidence["task"]["description"] = "For Anna Petrova-Li, by li@example.org"
    check.evidence["frames"] = [{"number": 1}]
    decision = make_decision(check, "Two", reason="anna is right, says Cy.")
    case = make_appeal_case(check, [decision])
    assert case.transcript[0].text == ("Hi, [name] here, [e-mail]. Write to [e-mail] as well.")
    assert case.transcript[1].text == (
        "Thank you, [name]. Hannah, Annabel and Joanna are somebody else."
    )
    assert case.task_description == "For [name], by [e-mail]"
    assert (case.note, case.tags) == ("[name] is right, says [name].", ("pictures-not-kept",))
    line = write_case(case)
    assert "petrova" not in line.lower() and "@" not in line
    path = tmp_path / "appeals.jsonl"
    path.write_text(line, encoding="utf-8")
    assert read_cases([path]) == [case]


@pytest.mark.django_db
def test_the_command_writes_decided_appeals(tmp_path: Path, capsys: Any) -> None:
    student, staff = factories.make_student(first_name="Mira"), factories.make_staff()
    action = factories.make_action(factories.make_plan(student))
    evidence = make_evidence_json(("student", "Mira did it."), rows=("One",))
    [row] = evidence["task"]["rows"]
    for is_met in (True, False, None):
        check = CheckRun.objects.create(
            action=action,
            student=student,
            trigger="check",
            outcome="failed",
            checklist=[{**row, "status": "not_met", "note": "", "evidence": []}],
            spec_version=1,
            judge_kind="gemini",
            prompt_version=1,
            prompt_hash="",
            evidence=evidence,
        )
        appeal = Appeal.objects.create(check_run=check, student=student, requirement_id=row["id"])
        if is_met is not None:
            key = uuid.UUID(row["id"])
            decide_row(appeal, key, by=staff, is_met=is_met, reason="Yes.")
    out = tmp_path / "appeals.jsonl"
    assert call("--export-appeals", out) == 0
    said = capsys.readouterr().out
    assert f"2 cases written to {out}." in said and "Read each case before you keep it." in said
    cases = read_cases([out])
    assert [case.all_met_label for case in cases] == [True, False]
    assert "Mira" not in out.read_text() and json.loads(out.read_text().splitlines()[0])


@pytest.mark.django_db
def test_a_decision_that_a_reopening_ended_is_not_exported() -> None:
    action = factories.make_action(factories.make_plan(factories.make_student()))
    evidence = make_evidence_json(("student", "I did it."), rows=("One",))
    [row] = evidence["task"]["rows"]
    checklist = [{**row, "status": "not_met"}]
    decide(add_run(action, "failed", evidence=evidence, checklist=checklist), True)
    complete(action, add_run(action, "passed", "tap"))
    assert len(export_appeals()) == 1
    staff = factories.make_staff()
    Action.objects.get(pk=action.pk).reopen(by=staff, reason="The decision was a mistake.")
    assert export_appeals() == []
