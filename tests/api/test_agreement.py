"""What is agreed and what is remembered, as JSON."""

import pytest
from django.utils import timezone

from plans.status import self_report
from sessions.agreement import NOTHING_SAID
from sessions.examples import AGREED, MEMORY, PROPOSAL
from sessions.models import CopilotSession, MemorySummary
from tests import factories

pytestmark = pytest.mark.django_db
LINE = {"title": "You show one line you found", "evidenceKind": "shown"}


def test_agreeing_gives_the_task_with_the_new_row(caller, action):
    before = action.spec_version
    got = caller.post(f"actions/{action.id}/agreement", {"rows": [LINE]})
    task = got.json()
    assert (got.status_code, task.keys()) == (200, AGREED.keys())
    assert task["specVersion"] > before
    assert [row["origin"] for row in task["requirements"]] == ["plan", "plan", "agreed"]
    row = task["requirements"][-1]
    assert {name: row[name] for name in LINE} == LINE
    again = caller.post(f"actions/{action.id}/agreement", {"rows": [LINE]})
    assert again.json() == task
    none = caller.post(f"actions/{action.id}/agreement", {"rows": []})
    assert [row["origin"] for row in none.json()["requirements"]] == ["plan", "plan"]


def test_what_cannot_be_agreed_on_is_refused_with_a_sentence(caller, action, student):
    path = f"actions/{action.id}/agreement"
    for rows in ([LINE] * 4, [LINE, LINE], [{"title": ""}], [{"title": "x" * 301}]):
        got = caller.post(path, {"rows": rows})
        assert (got.status_code, got.json()["code"]) == (422, "agreement_refused")
        assert got.json()["detail"].endswith(".")
    for body in ({}, {"rows": [{**LINE, "origin": "plan"}]}, {"rows": [{**LINE, "id": "1"}]}):
        assert caller.post(path, body).status_code == 422
    self_report(action, by=student)
    assert caller.post(path, {"rows": [LINE]}).status_code == 409
    assert action.requirements.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_proposal(caller, checks_path, rules):
    path = checks_path("agreement/proposal")
    assert caller.post(path).json() == {"rows": [], "sentence": NOTHING_SAID, "reason": ""}
    caller.post(checks_path("turns"), {"text": "I will search the history."})
    got = caller.post(path).json()
    assert got.keys() == PROPOSAL.keys()
    assert got["rows"] == [{"title": "I will search the history.", "evidenceKind": "either"}]
    caller.post(checks_path("end"))
    assert caller.post(path).status_code == 409


def test_memories_and_deleting_one(caller, plan, student):
    for made in ("A list", "A map"):
        session = CopilotSession.objects.create(
            action=factories.make_action(plan, f"Task of {made}"),
            student=student,
            ended_at=timezone.now(),
        )
        MemorySummary.objects.create(session=session, plan=plan, made=made, decided="`Orange`")
    path = f"plans/{plan.id}/memories"
    newest, oldest = caller.get(path).json()
    assert newest.keys() == MEMORY.keys()
    assert (newest["title"], newest["made"], newest["decided"]) == (
        "Task of A map",
        "A map",
        "`Orange`",
    )
    for _ in range(2):
        got = caller.call("DELETE", f"{path}/{newest['sessionId']}")
        assert (got.status_code, got.json()) == (200, [oldest])
    assert caller.get(path).json() == [oldest]
    assert caller.call("DELETE", f"{path}/{plan.id}").status_code == 404
