"""Plans as JSON, and the status a student changes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from plans.examples import CHECKED, PLAN, SELF_REPORTED
from plans.models import Completion, Status
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_plan_with_its_weeks_tasks_and_requirements(caller, plan, action):
    got = caller.get(f"plans/{plan.id}").json()
    assert got.keys() == PLAN.keys()
    assert (got["id"], got["hoursPerWeek"], got["completedAt"]) == (str(plan.id), 6, None)
    assert got["progress"] == {"total": 1, "done": 0, "checked": 0, "selfReported": 0}
    assert [week["number"] for week in got["weeks"]] == [1, 2]
    assert got["weeks"][0].keys() == PLAN["weeks"][0].keys()
    task = got["weeks"][0]["actions"][0]
    assert task.keys() == CHECKED.keys()
    assert (task["status"], task["completion"], task["specVersion"]) == ("not_started", None, 3)
    row = action.requirements.order_by("position")[1]
    assert task["requirements"][1] == {
        "id": str(row.id),
        "title": row.title,
        "evidenceKind": "written",
        "origin": "plan",
    }


def test_the_list_holds_your_own_plans_alone(caller, plan, action, student):
    factories.make_plan(factories.make_student())
    gone = factories.make_plan(student, title="Archived", archived_at=plan.created_at)
    got = caller.get("plans").json()
    assert [each["id"] for each in got] == [str(plan.id)]
    assert got[0] == caller.get(f"plans/{plan.id}").json()
    assert caller.get(f"plans/{gone.id}").status_code == 404


def test_an_archived_task_is_not_listed(caller, plan, action):
    factories.make_action(plan, archived_at=plan.created_at)
    assert len(caller.get("plans").json()[0]["weeks"][0]["actions"]) == 1


def test_the_query_count_is_the_same_for_1_and_30_tasks(caller, plan, action):
    def count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert caller.get("plans").status_code == 200
        return len(queries)

    before = count()
    for week in plan.weeks.all():
        for _ in range(15):
            done = factories.make_action(week)
            done.update_status(Status.COMPLETED, by=plan.owner, confirmed=True)
    # Session, user, plans, weeks, actions with completions, requirements.
    assert (before, count()) == (6, 6)


def test_completed_needs_confirmed(caller, action):
    path = f"actions/{action.id}/status"
    for body in ({"status": "completed"}, {"status": "completed", "confirmed": False}):
        got = caller.patch(path, body)
        assert (got.status_code, got.json()["code"]) == (409, "completion_not_confirmed")
        assert got.json()["detail"].endswith(".")
    assert not Completion.objects.exists()


def test_a_self_report_and_taking_it_back(caller, action, plan):
    path = f"actions/{action.id}/status"
    got = caller.patch(path, {"status": "completed", "confirmed": True})
    task = got.json()
    assert (got.status_code, task.keys()) == (200, SELF_REPORTED.keys())
    assert task["completion"].keys() == SELF_REPORTED["completion"].keys()
    assert task["completion"]["label"] == "self-reported"
    again = caller.patch(path, {"status": "completed", "confirmed": True})
    assert (again.status_code, again.json()) == (200, task)
    progress = caller.get("plans").json()[0]["progress"]
    assert progress == {"total": 1, "done": 1, "checked": 0, "selfReported": 1}

    got = caller.patch(path, {"status": "not_started"})
    assert (got.status_code, got.json()["status"]) == (200, "not_started")
    assert got.json()["completion"] is None
    assert Completion.objects.count() == 1


def test_starting_a_task(caller, action):
    got = caller.patch(f"actions/{action.id}/status", {"status": "in_progress"})
    assert (got.status_code, got.json()["status"]) == (200, "in_progress")
    action.refresh_from_db()
    assert action.status == Status.IN_PROGRESS
