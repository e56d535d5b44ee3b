"""Plan making over the API: the whole way, refusals with sentences, and nothing typed lost."""

from typing import Any

import pytest

from plans.making import examples, steps
from plans.models import Plan, PlanDraft
from tests import factories
from tests.api.calling import Caller
from tests.plans.making.proposals import change

pytestmark = pytest.mark.django_db
BRIEF = {**examples.BRIEF, "targetDate": None}


@pytest.mark.django_db(transaction=True)
def test_from_a_description_to_a_plan(caller, student, rules):
    asked = caller.post("plan-drafts", BRIEF)
    assert asked.status_code == 202 and asked.json()["state"] == "asked"
    path = f"plan-drafts/{asked.json()['id']}"
    assert caller.get(path).json()["sentence"].endswith("nothing is lost.")
    while steps.advance(asked.json()["id"]):
        assert caller.get(path).json()["state"] in ("reviewing", "repairing")
    draft = caller.get(path).json()
    assert (draft["state"], draft["byRules"], draft["madeBy"]) == ("ready", True, "rules")
    assert draft["review"]["outcome"] == "undecided"
    edited = change(draft["proposal"], "title", "A page of my own")
    body = {"version": draft["version"], "proposal": edited}
    assert caller.call("PUT", f"{path}/proposal", body).json()["version"] == draft["version"] + 1
    plan_id = caller.post(f"{path}/accept").json()["planId"]
    assert caller.post(f"{path}/accept").json()["planId"] == plan_id
    plan = caller.get(f"plans/{plan_id}").json()
    assert plan["title"] == "A page of my own"
    actions = [action for week in plan["weeks"] for action in week["actions"]]
    assert all(action["hours"] and action["requirements"] for action in actions)
    assert actions[1]["dependsOn"] == [actions[0]["id"]]
    assert caller.get(path).json()["planId"] == plan_id
    assert caller.get("plan-drafts").json() == []


def test_two_tabs_get_a_sentence(caller, student):
    path = f"plan-drafts/{factories.make_draft(student).pk}/proposal"
    body = {"version": 3, "proposal": change(examples.PROPOSAL, "title", "First")}
    assert caller.call("PUT", path, body).status_code == 200
    got = caller.call("PUT", path, {**body, "proposal": examples.PROPOSAL})
    assert (got.status_code, got.json()["code"]) == (409, "draft_changed")
    assert "Compare what you typed" in got.json()["detail"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"description": "Short"}, "20 characters"),
        ({"weeks": 40}, "from 1 to 26"),
        ({"weeks": "4"}, "weeks"),
        ({"hoursPerWeek": 4.5}, "hoursPerWeek"),
        ({"level": "guru"}, "level must be"),
        ({"targetDate": "tomorrow"}, "as in 2026-03-30"),
        ({"targetDate": 5}, "targetDate"),
        ({"budget": 1}, "budget is not a field"),
    ],
)
def test_a_brief_that_cannot_be_taken(caller, changes: dict[str, Any], says):
    got = caller.post("plan-drafts", {**BRIEF, **changes})
    assert got.status_code == 422 and says in got.json()["detail"]
    assert not PlanDraft.objects.exists()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("title", ""),
        ("weeks", []),
        ("weeks.0.tasks.0.hours", "3"),
        ("weeks.0.tasks.0.hours", 99),
        ("weeks.0.tasks.0.requirements.0.evidenceKind", "seen"),
        ("weeks.0.tasks.0.status", "completed"),
    ],
)
def test_an_edit_that_cannot_be_taken_leaves_the_draft(caller, student, path, value):
    draft = factories.make_draft(student)
    body = {"version": 3, "proposal": change(examples.PROPOSAL, path, value)}
    got = caller.call("PUT", f"plan-drafts/{draft.pk}/proposal", body)
    assert got.status_code == 422 and got.json()["detail"].endswith(".")
    draft.refresh_from_db()
    assert (draft.version, draft.proposal) == (3, examples.PROPOSAL)


def test_the_sixth_draft_is_refused_with_a_sentence(caller, student):
    for _ in range(5):
        factories.make_draft(student)
    got = caller.post("plan-drafts", BRIEF)
    assert (got.status_code, got.json()["code"]) == (409, "too_many_drafts")


def test_dropping_is_final(caller, student):
    path = f"plan-drafts/{factories.make_draft(student, state='reviewing').pk}"
    assert caller.call("DELETE", path).json()["dropped"] is True
    assert caller.get(path).status_code == 404
    assert caller.call("DELETE", path).status_code == 404


def test_an_incomplete_plan_is_not_accepted(student):
    empty = change(examples.PROPOSAL, "weeks.0.tasks", [])
    draft = factories.make_draft(student, proposal=empty)
    got = Caller(student).post(f"plan-drafts/{draft.pk}/accept")
    assert (got.status_code, got.json()["code"]) == (409, "draft_incomplete")
    assert got.json()["detail"] == "Week 1: This week has no task."
    assert not Plan.objects.exists()
