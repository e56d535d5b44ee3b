"""Who may call what: anonymous, without the CSRF token, other people, archived plans."""

import uuid

import pytest
from django.http import HttpResponse
from django.utils import timezone

from judge.models import CheckRun
from plans.examples import ROW_ID
from plans.models import Action, Plan, PlanDraft, Requirement
from sessions import pins, transcript
from sessions.images import CleanImage
from sessions.models import CopilotSession, MemorySummary
from tests import factories
from tests.api.calling import ROOT, Caller
from tests.api.operations import OPERATIONS, Operation

pytestmark = pytest.mark.django_db
every_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=str)
with_an_id = pytest.mark.parametrize(
    "operation", [each for each in OPERATIONS if each.id_name], ids=str
)
UNSAFE = [each for each in OPERATIONS if each.is_unsafe]


@pytest.fixture
def ids(plan: Plan, action: Action) -> dict[str, uuid.UUID]:
    """Ids of rows that exist, one of each kind, all the student's; the row of the examples too."""
    row = {"pk": ROW_ID, "evidence_kind": "shown", "position": 9, "title": "A screen"}
    Requirement.objects.create(action=action, **row)
    action.refresh_from_db()
    session = CopilotSession.objects.create(action=action, student=plan.owner)
    MemorySummary.objects.create(session=session, plan=plan, made="A map.")
    check = CheckRun.objects.create(
        action=action,
        student=plan.owner,
        session_id=session.id,
        trigger="check",
        outcome="undecided",
        spec_version=action.spec_version,
        judge_kind="rules",
        prompt_version=1,
    )
    return {
        "plan_id": plan.id,
        "action_id": action.id,
        "week_id": action.week_id,
        "session_id": session.id,
        "check_id": check.id,
        "turn_id": transcript.add_student_turn(session.id, "My work.", None).id,
        "picture_id": pins.keep_picture(session, ROW_ID, CleanImage(b"jpeg", False)).id,
        "draft_id": factories.make_draft(plan.owner).id,
    }


@pytest.fixture
def missing(caller: Caller) -> tuple[int, bytes, str]:
    got = facts(caller.get(f"plans/{uuid.uuid4()}"))
    assert got[0] == 404
    return got


def facts(response: HttpResponse) -> tuple[int, bytes, str]:
    return response.status_code, response.content, response["Content-Type"]


def test_all_operations_are_here():
    """The list that every test below walks is not empty by mistake."""
    assert len(OPERATIONS) == 34
    assert len(UNSAFE) == 26
    assert {each.id_name for each in OPERATIONS} == {
        "",
        "plan_id",
        "action_id",
        "week_id",
        "session_id",
        "check_id",
        "draft_id",
    }


@every_operation
def test_anonymous_is_told_to_log_in(ids, operation: Operation):
    for csrf in (False, True):
        got = operation.call(Caller(csrf=csrf), **ids)
        assert got.status_code == 401
        assert got.json() == {"detail": "Log in first, then try again.", "code": "not_logged_in"}


@every_operation
def test_a_switched_off_account_is_anonymous(ids, caller, student, operation: Operation):
    student.is_active = False
    student.save()
    assert operation.call(caller, **ids).status_code == 401


@pytest.mark.parametrize("operation", UNSAFE, ids=str)
def test_without_the_csrf_token_nothing_is_written(ids, student, operation: Operation):
    got = operation.call(Caller(student, csrf=True), **ids)
    assert (got.status_code, got.json()["code"]) == (403, "csrf_failed")


def test_with_the_csrf_token_it_is_taken(ids, student):
    """The control of the test above."""
    caller = Caller(student, csrf=True)
    token = "a" * 32
    caller.client.cookies["csrftoken"] = token
    path = f"sessions/{ids['session_id']}/end"
    headers = {"X-CSRFToken": token}
    assert caller.send("POST", path, b"", **headers).status_code == 200


@with_an_id
def test_a_missing_id(ids, caller, missing, operation: Operation):
    assert facts(operation.call(caller, **dict.fromkeys(ids, uuid.uuid4()))) == missing


@with_an_id
def test_somebody_elses_id_is_a_missing_one(ids, missing, operation: Operation):
    for user in (factories.make_student(), factories.make_staff()):
        assert facts(operation.call(Caller(user), **ids)) == missing


@pytest.mark.django_db(transaction=True)
def test_the_owner_is_let_in(ids, caller, student, missing, rules):
    """The control: the same calls with the same ids, by the owner. The check has no rows, so
    the report of one is refused for that; and a plan that is ready is not made again."""
    refused = {"POST checks/{check_id}/report", "POST plan-drafts/{draft_id}/retry"}
    last = ("/complete", "/end", "/status", "/accept")
    for operation in sorted(OPERATIONS, key=lambda each: each.path.endswith(last)):
        ids["draft_id"] = factories.make_draft(student).id
        got = operation.call(caller, **ids)
        assert got.status_code in (200, 201, 202) or str(operation) in refused, (
            operation,
            got.content,
        )
        PlanDraft.objects.all().delete()
        assert facts(got) != missing


@with_an_id
def test_what_is_archived_is_missing(ids, caller, missing, plan, action, operation: Operation):
    if operation.id_name == "draft_id":
        return  # A draft is dropped, never archived.
    if operation.id_name not in ("plan_id", "week_id"):
        Action.objects.filter(pk=action.pk).update(archived_at=timezone.now())
        assert facts(operation.call(caller, **ids)) == missing
        Action.objects.filter(pk=action.pk).update(archived_at=None)
    Plan.objects.filter(pk=plan.pk).update(archived_at=timezone.now())
    assert facts(operation.call(caller, **ids)) == missing


@with_an_id
def test_an_id_that_is_none_is_a_missing_one(caller, ids, missing, operation: Operation):
    garbage = ["x", "1", "null", "..", "%00", "%ff%fe", "%ED%A0%80", "a" * 3000, "{}", "-1"]
    for each in garbage:
        assert facts(operation.call(caller, **dict.fromkeys(ids, each))) == missing, each


@pytest.mark.parametrize(
    "path", ["", "nothing", "plans/", "plans/x/y", "actions", "sessions/%00/turns/1"]
)
def test_an_unknown_address_is_a_missing_one(caller, missing, path):
    assert facts(caller.get(path)) == missing
    assert facts(caller.post(path, {})) == missing
    assert Caller().get(path).status_code == 401


@every_operation
def test_another_method_is_refused_in_the_same_form(caller, ids, operation: Operation):
    method = "PUT" if operation.method == "PATCH" else "PATCH"
    got = caller.call(method, operation.path.format(**ids))
    assert (got.status_code, got.json()["code"]) == (405, "method_not_allowed")
    assert operation.method in got["Allow"]


def test_staff_reads_only_their_own_plans(plan):
    assert Caller(factories.make_staff()).get("plans").json() == []


def test_the_paths_of_the_contract():
    assert {str(each) for each in OPERATIONS} == {
        "GET plans",
        "GET plans/{plan_id}",
        "PATCH actions/{action_id}/status",
        "PATCH actions/{action_id}",
        "POST actions/{action_id}/move",
        "POST actions/{action_id}/drop",
        "POST actions/{action_id}/restore",
        "GET actions/{action_id}/history",
        "POST weeks/{week_id}/actions",
        "POST actions/{action_id}/sessions",
        "GET sessions/{session_id}",
        "POST sessions/{session_id}/turns",
        "POST sessions/{session_id}/frames",
        "GET sessions/{session_id}/pictures",
        "POST sessions/{session_id}/pictures",
        "DELETE sessions/{session_id}/pictures/{picture_id}",
        "POST sessions/{session_id}/turns/{turn_id}/pin",
        "DELETE sessions/{session_id}/turns/{turn_id}/pin",
        "POST sessions/{session_id}/check",
        "POST sessions/{session_id}/complete",
        "POST sessions/{session_id}/cancel",
        "POST sessions/{session_id}/end",
        "POST checks/{check_id}/report",
        "POST plan-drafts",
        "GET plan-drafts",
        "GET plan-drafts/{draft_id}",
        "PUT plan-drafts/{draft_id}/proposal",
        "POST plan-drafts/{draft_id}/retry",
        "POST plan-drafts/{draft_id}/accept",
        "DELETE plan-drafts/{draft_id}",
        "POST actions/{action_id}/agreement",
        "POST sessions/{session_id}/agreement/proposal",
        "GET plans/{plan_id}/memories",
        "DELETE plans/{plan_id}/memories/{session_id}",
    }
    assert ROOT == "/api/v1/"
