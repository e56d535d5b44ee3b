"""How objections stand, row by row, as the card tells the student."""

import pytest

from judge.appeals import report_check
from judge.decisions import decide_row
from judge.models import CheckRun
from judge.standing import Standing, find_answered, read_standings
from plans.models import Action
from tests import factories
from tests.finishing import finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def action():
    plan = factories.make_plan(factories.make_student())
    return factories.make_action(plan, requirements=[("First", "written"), ("Second", "written")])


@pytest.fixture
def staff():
    return factories.make_staff()


def rows_of(action):
    return [row.pk for row in action.requirements.order_by("position")]


def contest(action, row=None):
    run = CheckRun.objects.create(
        action=action,
        student=action.week.plan.owner,
        trigger="check",
        outcome="failed",
        checklist=[{"id": str(pk), "title": "Row", "status": "not_met"} for pk in rows_of(action)],
        spec_version=action.spec_version,
        judge_kind="gemini",
        prompt_version=1,
    )
    return report_check(run.pk, by=run.student, requirement_id=row, message="Look again.")


def read(action):
    action.refresh_from_db()
    return read_standings(action.pk, action.spec_version)


def test_nothing_contested(action, django_assert_num_queries):
    with django_assert_num_queries(1):
        standings = read_standings(action.pk, action.spec_version)
    assert (standings.rows, standings.is_waiting) == ({}, False)


def test_a_row_waits_and_is_decided(action, staff):
    first, second = rows_of(action)
    appeal = contest(action, first)
    assert read(action).rows == {str(first): Standing(is_waiting=True)}
    decide_row(appeal, first, by=staff, is_met=True, reason="It is there.")
    stand = read(action).rows[str(first)]
    assert (stand.is_waiting, stand.is_decided, stand.is_met) == (False, True, True)
    assert (stand.reason, stand.judged, stand.check_id) == (
        "It is there.",
        "not_met",
        appeal.check_run_id,
    )
    assert str(second) not in read(action).rows


def test_a_whole_check_waits_until_its_last_row(action, staff):
    appeal = contest(action)
    first, second = rows_of(action)
    assert read(action).is_waiting
    decide_row(appeal, first, by=staff, is_met=True, reason="Yes.")
    assert read(action).is_waiting and read(action).rows[str(first)].is_met
    decide_row(appeal, second, by=staff, is_met=False, reason="No.")
    assert not read(action).is_waiting and not read(action).rows[str(second)].is_met


def test_the_newest_decision_counts_and_a_new_objection_waits_beside_it(action, staff):
    first, _ = rows_of(action)
    decide_row(contest(action, first), first, by=staff, is_met=False, reason="No.")
    again = contest(action, first)
    stand = read(action).rows[str(first)]
    assert stand.is_waiting and stand.is_decided and not stand.is_met
    decide_row(again, first, by=staff, is_met=True, reason="Now it is.")
    stand = read(action).rows[str(first)]
    assert (stand.is_waiting, stand.is_met, stand.reason) == (False, True, "Now it is.")


def test_after_a_change_of_the_task_nothing_is_said(action, staff):
    first, _ = rows_of(action)
    decide_row(contest(action, first), first, by=staff, is_met=True, reason="Yes.")
    plan_id = action.week.plan_id
    assert find_answered(plan_id) == {action.pk}
    Action.objects.filter(pk=action.pk).update(description="Now something else.")
    assert read(action).rows == {} and find_answered(plan_id) == set()


def test_a_task_is_answered_until_it_is_complete(action, staff):
    first, second = rows_of(action)
    plan_id = action.week.plan_id
    decide_row(contest(action, second), second, by=staff, is_met=False, reason="No.")
    assert find_answered(plan_id) == set()
    decide_row(contest(action, first), first, by=staff, is_met=True, reason="Yes.")
    assert find_answered(plan_id) == {action.pk}
    finish(action)
    assert find_answered(plan_id) == set()


def test_what_a_reopening_ended_is_not_said_any_more(action, staff):
    first, _ = rows_of(action)
    decide_row(contest(action, first), first, by=staff, is_met=True, reason="Yes.")
    finish(action)
    action.refresh_from_db()
    action.reopen(by=staff, reason="The decision was a mistake.")
    assert read(action).rows == {} and find_answered(action.week.plan_id) == set()
    again = contest(action, first)
    assert read(action).rows == {str(first): Standing(is_waiting=True)}
    decide_row(again, first, by=staff, is_met=True, reason="Now it is.")
    assert read(action).rows[str(first)].reason == "Now it is."
    assert find_answered(action.week.plan_id) == {action.pk}
