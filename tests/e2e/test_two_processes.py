"""Two web processes of one installation: what one is sent, the other knows."""

import base64

import pytest
from django.contrib.auth.models import User

from judge.models import CheckRun
from sessions.lifecycle import open_session
from sessions.transcript import add_student_turn
from tests import factories
from tests.api.calling import make_picture
from tests.e2e.site import Client, run_site
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini, FakeRequest

JPEG = b"\xff\xd8\xff"


def pictures_in(request: FakeRequest) -> list[bytes]:
    parts = [part for entry in request.body["contents"] for part in entry["parts"]]
    data = [part["inline_data"]["data"] for part in parts if "inline_data" in part]
    return [base64.urlsafe_b64decode(each) for each in data]


@pytest.fixture
def session(transactional_db: None, student: User):
    plan = factories.make_plan(student)
    action = factories.make_action(plan, requirements=[("Shows the map", "shown")])
    session = open_session(action, student)
    add_student_turn(session.pk, "I share my screen now.", None)
    return session


def test_a_picture_posted_to_one_is_in_the_check_of_the_other(
    gemini: FakeGemini, student: User, session
) -> None:
    row = {"id": "r1", "evidence": [{"frame": 1}], "note": "You show it.", "status": "met"}
    gemini.respond = lambda request: replies.json({"rows": [row], "allMet": True})
    keys = {"GEMINI_API_KEY": "test-key", "GOOGLE_GEMINI_BASE_URL": gemini.url}
    with run_site(**keys) as one, run_site(**keys) as other:
        first = Client(one).log_in(student.email, factories.PASSWORD)
        second = Client(other).log_in(student.email, factories.PASSWORD)
        # Control: without a picture the same answer of the judge meets nothing.
        status, card = second.call("POST", f"sessions/{session.pk}/check")
        assert (status, card["allMet"]) == (200, False)
        assert pictures_in(gemini.requests[-1]) == []

        picture = make_picture(size=(320, 200), colour="teal").read()
        assert first.upload(f"sessions/{session.pk}/frames", "image", picture)[0] == 201
        status, card = second.call("POST", f"sessions/{session.pk}/check")
        assert (status, card["allMet"]) == (200, True)
        [seen] = pictures_in(gemini.requests[-1])
        assert seen.startswith(JPEG)
        # And the tap at the first, after a check at the second.
        status, answer = first.call("POST", f"sessions/{session.pk}/complete")
        assert (status, answer["completed"]) == (200, True)
        assert pictures_in(gemini.requests[-1]) == [seen]
    assert [run.outcome for run in CheckRun.objects.order_by("started_at")] == [
        "failed",
        "passed",
        "passed",
    ]
