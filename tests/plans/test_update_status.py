"""The one writer: what it takes, what it writes, and what it refuses."""

import uuid

import pytest

from plans import status as status_use_case
from plans.errors import (
    AlreadyCompleted,
    Archived,
    CompletionNotConfirmed,
    NotOwner,
    ReopenRefused,
    SpecChanged,
)
from plans.models import Action, Completion, FollowUp, How, Plan, Reopening, Status, Week
from plans.passed_check import CheckedRow, PassedCheck
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def action(student):
    plan = factories.make_plan(student)
    week = plan.weeks.first() or Week.objects.create(plan=plan, number=1, title="One")
    made = factories.make_action(week, requirements=[("Say what you saw", "written")])
    return Action.objects.get(pk=made.pk)


def passed(action, **changes):
    rows = [CheckedRow(row.pk, row.title, "met", "Seen.") for row in action.requirements.all()]
    values = {
        "action_id": action.pk,
        "spec_version": action.spec_version,
        "requirement_ids": frozenset(row.id for row in rows),
        "checklist": tuple(rows),
        "judge_kind": "gemini",
        "check_id": uuid.uuid4(),
    }
    return PassedCheck(**values | changes)


@pytest.mark.parametrize("confirmed", [False, None, 1, "true", "True", [True]])
def test_only_the_literal_true_confirms(action, student, confirmed):
    with pytest.raises(CompletionNotConfirmed):
        action.update_status(Status.COMPLETED, by=student, confirmed=confirmed)
    action.refresh_from_db()
    assert action.status == Status.NOT_STARTED


def test_a_passed_check_makes_a_checked_completion(action, student):
    check = passed(action)
    completion = action.update_status(Status.COMPLETED, by=student, confirmed=True, check=check)
    stored = Completion.objects.get()
    assert completion == stored == Action.objects.get().current_completion
    assert (stored.how, stored.judge_kind, stored.check_id) == (
        How.CHECKED,
        "gemini",
        check.check_id,
    )
    assert [row["status"] for row in stored.checklist] == ["met"]
    assert not stored.audit_missing


def test_a_check_without_audit_row_says_so(action, student):
    check = passed(action, check_id=None)
    action.update_status(Status.COMPLETED, by=student, confirmed=True, check=check)
    stored = Completion.objects.get()
    assert stored.audit_missing and stored.checklist


def test_without_a_check_it_is_self_reported(action, student):
    status_use_case.change_own_status(action, "completed", by=student, confirmed=True)
    assert Completion.objects.get().how == How.SELF_REPORTED


def test_again_is_a_quiet_success(action, student):
    first = action.update_status(Status.COMPLETED, by=student, confirmed=True)
    again = Action.objects.get().update_status(Status.COMPLETED, by=student, confirmed=True)
    assert again == first
    assert Completion.objects.count() == 1
    assert FollowUp.objects.count() == 2


def test_a_check_of_another_version_or_action_is_refused(action, student):
    other = factories.make_action(action.week, requirements=[("Say what you heard", "written")])
    check = passed(action)
    with pytest.raises(SpecChanged):
        other.update_status(Status.COMPLETED, by=student, confirmed=True, check=check)
    Action.objects.filter(pk=action.pk).update(description="Now something else.")
    with pytest.raises(SpecChanged):
        action.update_status(Status.COMPLETED, by=student, confirmed=True, check=check)
    assert not Completion.objects.exists()


def test_somebody_else_is_refused(action):
    stranger = factories.make_student(email="other@example.org")
    staff = factories.make_staff()
    for person in (stranger, staff):
        with pytest.raises(NotOwner):
            action.update_status(Status.COMPLETED, by=person, confirmed=True)
    with pytest.raises(NotOwner):
        action.update_status(Status.IN_PROGRESS, by=stranger)


def test_a_completed_action_is_not_simply_set_back(action, student):
    action.update_status(Status.COMPLETED, by=student, confirmed=True)
    with pytest.raises(AlreadyCompleted):
        action.update_status(Status.IN_PROGRESS, by=student)


@pytest.mark.parametrize("model", [Action, Plan])
def test_an_archived_action_does_not_change(action, student, model):
    model.objects.update(archived_at="2026-11-01T00:00Z")
    with pytest.raises(Archived):
        action.update_status(Status.IN_PROGRESS, by=student)


def test_an_unknown_status_is_a_value_error(action, student):
    with pytest.raises(ValueError):
        action.update_status("done", by=student, confirmed=True)


def test_templates_cannot_call_the_writer():
    assert Action.update_status.alters_data and Action.reopen.alters_data


def test_week_and_plan_complete_with_their_last_action(action, student):
    other = factories.make_action(action.week, requirements=[("Show it", "shown")])
    action.update_status(Status.COMPLETED, by=student, confirmed=True)
    assert Week.objects.get().completed_at is None
    other.update_status(Status.COMPLETED, by=student, confirmed=True)
    assert Week.objects.get().completed_at and Plan.objects.get().completed_at


def test_an_archived_action_does_not_hold_a_week_open(action, student):
    factories.make_action(action.week)
    Action.objects.exclude(pk=action.pk).update(archived_at="2026-11-01T00:00Z")
    action.update_status(Status.COMPLETED, by=student, confirmed=True)
    assert Week.objects.get().completed_at


class TestReopen:
    def test_the_owner_takes_back_a_self_report(self, action, student):
        action.update_status(Status.COMPLETED, by=student, confirmed=True)
        status_use_case.change_own_status(action, "in_progress", by=student)
        action.refresh_from_db()
        assert (action.status, action.current_completion) == (Status.IN_PROGRESS, None)
        assert Reopening.objects.get().completion == Completion.objects.get()
        assert Week.objects.get().completed_at is None
        assert Plan.objects.get().completed_at is None

    def test_the_report_is_refreshed(self, action, student):
        action.update_status(Status.COMPLETED, by=student, confirmed=True)
        reopening = action.reopen(by=student)
        key = f"reopening:{reopening.pk}:refresh_report"
        assert FollowUp.objects.filter(key=key).count() == 1

    def test_the_owner_may_set_it_to_not_started(self, action, student):
        action.update_status(Status.COMPLETED, by=student, confirmed=True)
        status_use_case.change_own_status(action, "not_started", by=student)
        action.refresh_from_db()
        assert action.status == Status.NOT_STARTED

    def test_the_owner_cannot_take_back_a_check(self, action, student):
        action.update_status(Status.COMPLETED, by=student, confirmed=True, check=passed(action))
        with pytest.raises(ReopenRefused):
            action.reopen(by=student)

    def test_staff_need_a_reason(self, action, student):
        staff = factories.make_staff()
        action.update_status(Status.COMPLETED, by=student, confirmed=True, check=passed(action))
        with pytest.raises(ReopenRefused):
            action.reopen(by=staff, reason="  ")
        reopening = action.reopen(by=staff, reason="The wrong file was shown.")
        assert (reopening.by, reopening.reason) == (staff, "The wrong file was shown.")

    def test_a_stranger_learns_nothing(self, action, student):
        action.update_status(Status.COMPLETED, by=student, confirmed=True)
        with pytest.raises(NotOwner):
            action.reopen(by=factories.make_student(email="other@example.org"), reason="Because.")

    def test_an_archived_action_stays_as_it_is(self, action, student):
        action.update_status(Status.COMPLETED, by=student, confirmed=True)
        Plan.objects.update(archived_at="2026-11-01T00:00Z")
        with pytest.raises(Archived):
            action.reopen(by=factories.make_staff(), reason="The wrong file was shown.")

    def test_an_open_action_has_nothing_to_take_back(self, action, student):
        with pytest.raises(ReopenRefused):
            action.reopen(by=student)

    def test_it_can_be_completed_again(self, action, student):
        action.update_status(Status.COMPLETED, by=student, confirmed=True)
        action.reopen(by=student)
        action.update_status(Status.COMPLETED, by=student, confirmed=True)
        assert list(Completion.objects.order_by("sequence").values_list("sequence", flat=True)) == [
            1,
            2,
        ]


class TestPassedCheck:
    def test_it_cannot_be_built_wrong(self, action):
        row = passed(action).checklist[0]
        unmet = CheckedRow(row.id, row.title, "not_shown")
        unknown = CheckedRow(uuid.uuid4(), "Another", "met")
        for checklist in ((), (unmet,), (row, row), (row, unknown), (unknown,)):
            with pytest.raises(ValueError):
                passed(action, checklist=checklist)
        with pytest.raises(ValueError):
            passed(action, requirement_ids=frozenset())
        with pytest.raises(ValueError):
            passed(action, judge_kind="")

    def test_it_is_frozen(self, action):
        with pytest.raises(AttributeError):
            passed(action).spec_version = 99
