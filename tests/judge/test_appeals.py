"""Reports of a check: written for staff, complete nothing."""

import uuid

import pytest
from django.http import Http404

from judge.appeals import ReportRefused, report_check
from judge.decisions import decide_row
from judge.models import Appeal, CheckRun
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def check_run():
    action = factories.make_action(factories.make_plan(factories.make_student()))
    row = action.requirements.get()
    return CheckRun.objects.create(
        action=action,
        student=action.week.plan.owner,
        trigger="check",
        outcome="failed",
        checklist=[{"id": str(row.pk), "title": row.title, "status": "not_met"}],
        spec_version=action.spec_version,
        judge_kind="gemini",
        prompt_version=1,
    )


def test_one_appeal_a_row_and_no_word_is_lost(check_run):
    row = uuid.UUID(check_run.checklist[0]["id"])
    for message in ("It is there.", "It is there.", "", "See my second message."):
        report_check(check_run.pk, by=check_run.student, requirement_id=row, message=message)
    assert Appeal.objects.get().message == "It is there.\n\nSee my second message."
    report_check(check_run.pk, by=check_run.student)
    assert Appeal.objects.count() == 2
    check_run.action.refresh_from_db()
    assert check_run.action.status == "not_started"


def test_what_cannot_be_taken(check_run):
    with pytest.raises(ReportRefused):
        report_check(check_run.pk, by=check_run.student, requirement_id=uuid.uuid4())
    with pytest.raises(ReportRefused):
        report_check(check_run.pk, by=check_run.student, message="a\x00b")
    with pytest.raises(ReportRefused):
        report_check(check_run.pk, by=check_run.student, message="x" * 2001)
    with pytest.raises(Http404):
        report_check(check_run.pk, by=factories.make_staff())
    assert not Appeal.objects.exists()


def test_a_check_without_rows_is_not_contested(check_run):
    """Nobody could decide it: it would wait in the queue for good."""
    other = CheckRun.objects.create(**columns_of(check_run) | {"checklist": []})
    with pytest.raises(ReportRefused, match="no rows"):
        report_check(other.pk, by=check_run.student, message="It is there.")


@pytest.mark.parametrize("status", ["met", "undecided"])
def test_a_row_that_is_met_or_undecided_is_not_contested(check_run, status):
    """The check as a whole is, and so is the row while it is not met."""
    checklist = [{**check_run.checklist[0], "status": status}]
    other = CheckRun.objects.create(**columns_of(check_run) | {"checklist": checklist})
    row = uuid.UUID(checklist[0]["id"])
    with pytest.raises(ReportRefused):
        report_check(other.pk, by=check_run.student, requirement_id=row)
    report_check(other.pk, by=check_run.student)
    report_check(check_run.pk, by=check_run.student, requirement_id=row)
    assert Appeal.objects.count() == 2


def test_what_is_decided_takes_no_more_words(check_run):
    row = uuid.UUID(check_run.checklist[0]["id"])
    appeal = report_check(check_run.pk, by=check_run.student, requirement_id=row, message="One.")
    decide_row(appeal, row, by=factories.make_staff(), is_met=False, reason="No.")
    with pytest.raises(ReportRefused, match="decided this already"):
        report_check(check_run.pk, by=check_run.student, requirement_id=row, message="Two.")
    assert Appeal.objects.get().message == "One."


def columns_of(run):
    names = [field.attname for field in CheckRun._meta.fields if field.attname != "id"]
    return {name: getattr(run, name) for name in names}
