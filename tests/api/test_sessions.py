"""Sessions as JSON: opening, turns, paging, ending."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from plans.models import FollowUp
from sessions import transcript
from sessions.examples import ENDED, PAGE, TURN, TURN_ANSWER
from sessions.models import CopilotSession, Turn
from tests.fakes import replies

pytestmark = pytest.mark.django_db
asks_a_model = pytest.mark.django_db(transaction=True)


def fill(session_id: str, last: int, *, first: int = 1) -> None:
    Turn.objects.bulk_create(
        Turn(session_id=session_id, number=number, role="student", text=f"Note {number}")
        for number in range(first, last + 1)
    )


def test_opening_again_gives_the_open_session(caller, action):
    first = caller.post(f"actions/{action.id}/sessions")
    again = caller.post(f"actions/{action.id}/sessions", {})
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json() == {"id": str(CopilotSession.objects.get().id)}


def test_no_session_on_a_completed_task(caller, action):
    caller.patch(f"actions/{action.id}/status", {"status": "completed", "confirmed": True})
    got = caller.post(f"actions/{action.id}/sessions")
    assert (got.status_code, got.json()["code"]) == (409, "already_completed")


def test_a_new_session(caller, session_id, action):
    got = caller.get(f"sessions/{session_id}").json()
    assert got.keys() == PAGE.keys()
    assert (got["status"], got["endReason"], got["endedAt"]) == ("open", "", None)
    assert (got["actionId"], got["turns"], got["nextBefore"]) == (str(action.id), [], None)
    assert got["latestCheck"] is None


def test_paging_goes_back_to_the_first_turn_and_misses_none(caller, session_id):
    fill(session_id, transcript.PAGE * 2 + 1)
    seen, before = [], None
    for _ in range(3):
        query = {} if before is None else {"before": before}
        page = caller.get(f"sessions/{session_id}", **query).json()
        numbers = [turn["number"] for turn in page["turns"]]
        assert numbers == sorted(numbers)
        seen, before = numbers + seen, page["nextBefore"]
    assert (seen, before) == (list(range(1, transcript.PAGE * 2 + 2)), None)


def test_the_query_count_is_the_same_for_2_and_120_turns(caller, session_id):
    counts = []
    for first, last in ((1, 2), (3, 120)):
        fill(session_id, last, first=first)
        with CaptureQueriesContext(connection) as queries:
            assert caller.get(f"sessions/{session_id}").status_code == 200
        counts.append(len(queries))
    # Login session, user, copilot session with task and plan, turns, latest check.
    assert counts == [5, 5]


@pytest.mark.parametrize("before", [1, 2**31, 2**63, 10**30])
def test_any_number_pages(caller, session_id, before):
    fill(session_id, 2)
    got = caller.get(f"sessions/{session_id}", before=before)
    assert (got.status_code, len(got.json()["turns"])) == (200, 0 if before == 1 else 2)


@pytest.mark.parametrize("before", ["0", "-1", "x", "", "1.5", "\0", "9" * 5000, "null"])
def test_before_is_a_whole_number_from_1(caller, session_id, before):
    got = caller.get(f"sessions/{session_id}", before=before)
    assert (got.status_code, got.json()["code"]) == (422, "invalid")
    assert got.json()["fields"]["before"].startswith("before ")


@asks_a_model
def test_a_turn_and_its_reply(caller, checks_path, rules):
    got = caller.post(checks_path("turns"), {"text": "<b>First</b> thoughts", "clientId": "c-1"})
    answer = got.json()
    assert (got.status_code, answer.keys()) == (201, TURN_ANSWER.keys())
    assert answer["turn"].keys() == answer["reply"].keys() == TURN.keys()
    turn, reply = answer["turn"], answer["reply"]
    assert (turn["text"], turn["clientId"]) == ("<b>First</b> thoughts", "c-1")
    assert (turn["role"], turn["channel"], reply["role"]) == ("student", "text", "copilot")
    assert (answer["reason"], answer["sentence"]) == ("", "")


@asks_a_model
def test_the_same_client_id_is_the_same_turn(caller, checks_path, rules):
    sent = {"text": "First thoughts", "clientId": "c-1"}
    first = caller.post(checks_path("turns"), sent)
    again = caller.post(checks_path("turns"), sent)
    other = caller.post(checks_path("turns"), {**sent, "clientId": "c-2"})
    assert (again.status_code, again.json()) == (201, first.json())
    assert other.json()["turn"]["id"] != first.json()["turn"]["id"]
    assert Turn.objects.filter(role="student").count() == 2


@asks_a_model
def test_a_turn_is_kept_when_the_copilot_fails(caller, checks_path, session_id, gemini):
    gemini.respond = lambda request: replies.error(503)
    sent = {"text": "First thoughts", "clientId": "c-1"}
    got = caller.post(checks_path("turns"), sent)
    answer = got.json()
    assert (got.status_code, answer["reply"], answer["reason"]) == (201, None, "overloaded")
    assert answer["sentence"].endswith(".")
    assert caller.get(f"sessions/{session_id}").json()["turns"] == [answer["turn"]]

    gemini.respond = None
    again = caller.post(checks_path("turns"), sent).json()
    assert again["turn"] == answer["turn"]
    assert again["reply"]["text"]


def test_ending_closes_the_session_and_leaves_its_follow_ups(caller, checks_path, session_id):
    got = caller.post(checks_path("end"))
    assert (got.status_code, got.json().keys()) == (200, ENDED.keys())
    assert (got.json()["status"], got.json()["endReason"]) == ("ended", "student")
    assert FollowUp.objects.filter(session_id=session_id).count() == 2
    again = caller.post(checks_path("end"), {})
    assert (again.status_code, again.json()) == (200, got.json())
    assert FollowUp.objects.filter(session_id=session_id).count() == 2


@pytest.mark.parametrize(
    ("call", "body"),
    [("turns", {"text": "More"}), ("check", None), ("complete", {})],
)
def test_a_closed_session_answers_409_with_a_sentence(caller, checks_path, call, body):
    caller.post(checks_path("end"))
    got = caller.post(checks_path(call), body)
    assert (got.status_code, got.json()["code"]) == (409, "session_closed")
    assert got.json()["detail"].endswith(".")


@asks_a_model
def test_the_copilot_cannot_complete(caller, checks_path, gemini, action):
    """It asks for its tool as models love to do; nothing is written."""
    caller.post(checks_path("turns"), {"text": "I am done"})
    turns = caller.get(checks_path("")[:-1]).json()["turns"]
    assert "tool" in [turn["role"] for turn in turns]
    action.refresh_from_db()
    assert action.status != "completed"
