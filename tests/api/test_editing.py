"""Editing as JSON: strict, bound to a spec version, and never past the end of a week unasked."""

import uuid

import pytest

from plans.examples import ADD_TASK, EDIT, EDITED
from plans.models import Action, ActionEdit, Completion, Week
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(action):
    return factories.make_action(action.week, "Use the terminal")


def test_a_task_is_edited_and_keeps_what_was_not_sent(caller, action):
    second = action.requirements.get(position=1)
    body = {
        "title": "Configure the shared terminal",
        "requirements": [
            {"id": str(second.id), "title": second.title, "evidenceKind": "shown"},
            {"title": "A new one"},
        ],
        "specVersion": action.spec_version,
    }
    got = caller.patch(f"actions/{action.id}", body)
    task = got.json()
    assert (got.status_code, task.keys()) == (200, EDITED.keys())
    assert task["title"] == "Configure the shared terminal"
    assert task["specVersion"] > action.spec_version
    rows = [(row["title"], row["evidenceKind"], row["origin"]) for row in task["requirements"]]
    assert rows == [(second.title, "shown", "plan"), ("A new one", "either", "plan")]
    assert task["requirements"][0]["id"] == str(second.id)

    again = caller.patch(f"actions/{action.id}", body)
    assert (again.status_code, again.json()) == (200, task), "sent twice"
    other = caller.patch(f"actions/{action.id}", {**body, "title": "Another"})
    assert (other.status_code, other.json()["code"]) == (409, "task_changed")


def test_what_cannot_be_kept_is_422_with_a_sentence(caller, action):
    for body in ({"title": " "}, {"requirements": []}, {"description": "a" * 5001}):
        got = caller.patch(f"actions/{action.id}", {**body, "specVersion": action.spec_version})
        assert (got.status_code, got.json()["code"]) == (422, "text_refused")
        assert got.json()["detail"].endswith(".")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"specVersion": "3"},
        {"specVersion": True},
        {"specVersion": 3, "status": "completed"},
        {"specVersion": 3, "title": 1},
        {"specVersion": 3, "requirements": [{"title": "x", "evidenceKind": "felt"}]},
        {"specVersion": 3, "requirements": [{"title": "x", "origin": "agreed"}]},
        {"specVersion": 3, "requirements": [{"id": "x", "title": "x"}]},
    ],
)
def test_types_are_strict(caller, action, body):
    assert caller.patch(f"actions/{action.id}", body).status_code == 422
    assert not ActionEdit.objects.exists()


def test_a_task_is_moved(caller, action, other, plan):
    caller.post(f"actions/{other.id}/move", {"after": None})
    week = caller.get(f"plans/{plan.id}").json()["weeks"][0]
    assert [task["id"] for task in week["actions"]] == [str(other.id), str(action.id)]
    to = plan.weeks.get(number=2)
    got = caller.post(f"actions/{other.id}/move", {"weekId": str(to.id)})
    assert (got.status_code, got.json()["specVersion"]) == (200, other.spec_version + 1)
    assert Action.objects.get(pk=other.pk).week == to
    for wrong in ({"after": "first"}, {"after": 1}, {"closeWeek": 1}, {"weekId": "x"}):
        assert caller.post(f"actions/{other.id}/move", wrong).status_code == 422
    gone = caller.post(f"actions/{other.id}/move", {"after": str(uuid.uuid4())})
    assert (gone.status_code, gone.json()["code"]) == (409, "place_gone")
    missing = caller.post(f"actions/{other.id}/move", {"weekId": str(uuid.uuid4())})
    assert missing.status_code == 404


def test_the_last_open_task_leaves_only_with_the_students_word(caller, action, plan):
    to = plan.weeks.get(number=2)
    for call, body in (("move", {"weekId": str(to.id)}), ("drop", {})):
        path = f"actions/{action.id}/{call}"
        for word in ({}, {"closeWeek": False}):
            got = caller.post(path, {**body, **word})
            assert (got.status_code, got.json()["code"]) == (409, "week_would_close")
        for word in ("true", 1, None):
            assert caller.post(path, {**body, "closeWeek": word}).status_code == 422
    got = caller.post(f"actions/{action.id}/drop", {"closeWeek": True})
    assert (got.status_code, got.json()["kind"], got.json().keys()) == (200, "dropped", EDIT.keys())
    assert Week.objects.get(number=1).completed_at
    assert caller.get(f"actions/{action.id}/history").status_code == 404
    back = caller.post(f"actions/{action.id}/restore")
    assert (back.status_code, back.json()["id"]) == (200, str(action.id))
    assert Week.objects.get(number=1).completed_at is None


def test_a_task_is_added(caller, action, plan):
    got = caller.post(f"weeks/{action.week_id}/actions", ADD_TASK)
    assert (got.status_code, got.json()["status"]) == (201, "not_started")
    week = caller.get(f"plans/{plan.id}").json()["weeks"][0]
    assert [task["title"] for task in week["actions"]][1] == "Label the cables"
    for wrong in ({"title": "x"}, {**ADD_TASK, "status": "completed"}, {**ADD_TASK, "title": None}):
        assert caller.post(f"weeks/{action.week_id}/actions", wrong).status_code == 422


def test_the_history(caller, action, student):
    body = {"title": "Other", "specVersion": action.spec_version}
    caller.patch(f"actions/{action.id}", body)
    [edit] = caller.get(f"actions/{action.id}/history").json()
    assert edit.keys() == EDIT.keys()
    assert (edit["kind"], edit["by"]) == ("edited", student.username)
    assert edit["specVersion"] == action.spec_version + 1
    change = {"what": "Title", "before": "Configure the terminal", "after": "Other"}
    assert edit["changes"] == [change]


def test_a_completed_task_is_refused(caller, action):
    status = {"status": "completed", "confirmed": True}
    assert caller.patch(f"actions/{action.id}/status", status).status_code == 200
    body = {"title": "Other", "specVersion": action.spec_version}
    calls = [
        caller.patch(f"actions/{action.id}", body),
        caller.post(f"actions/{action.id}/move", {"after": None}),
        caller.post(f"actions/{action.id}/drop", {"closeWeek": True}),
    ]
    assert [(got.status_code, got.json()["code"]) for got in calls] == [
        (409, "already_completed")
    ] * 3
    assert Completion.objects.count() == 1
