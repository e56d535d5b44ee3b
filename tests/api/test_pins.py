"""Pictures kept for a row and messages marked as one's work, over the API."""

import io
import uuid

import pytest
from PIL import Image

from plans.models import Requirement
from sessions.lifecycle import end_session
from sessions.models import CopilotSession, Picture, Turn
from sessions.pins import MOST_PICTURES
from sessions.transcript import add_student_turn
from tests import factories
from tests.api.calling import Caller, make_picture
from tests.sessions.hostile_images import HOSTILE, build

pytestmark = pytest.mark.django_db
REFUSED = sorted(name for name, (_, status) in HOSTILE.items() if status)


@pytest.fixture
def row(action) -> Requirement:
    return action.requirements.get(evidence_kind="either")


@pytest.fixture
def turn(session_id) -> Turn:
    return add_student_turn(uuid.UUID(session_id), "My work.", None)


@pytest.fixture
def path(session_id) -> str:
    return f"sessions/{session_id}/pictures"


def keep(caller, path, row, image=None):
    return caller.upload(path, image=image or make_picture(), requirementId=row.pk)


def end(session_id) -> None:
    end_session(CopilotSession.objects.get(pk=session_id), CopilotSession.EndReason.STUDENT)


def test_kept_listed_shown_removed(caller, path, row):
    got = keep(caller, path, row, make_picture(size=(3200, 100)))
    assert got.status_code == 201
    kept = got.json()
    assert set(kept) == {"id", "requirementId", "createdAt", "url"}
    assert kept["requirementId"] == str(row.pk)
    assert caller.get(path).json() == [kept]

    shown = caller.client.get(kept["url"])
    assert (shown.status_code, shown["Content-Type"]) == (200, "image/jpeg")
    with Image.open(io.BytesIO(shown.content)) as image:
        assert image.size == (1600, 50)

    for _ in range(2):
        got = caller.call("DELETE", f"{path}/{kept['id']}")
        assert (got.status_code, got.json()) == (200, [])
    assert caller.client.get(kept["url"]).status_code == 404


def test_the_next_session_has_them_too(caller, path, row, session_id, action):
    kept = keep(caller, path, row).json()
    end(session_id)
    again = caller.post(f"actions/{action.id}/sessions").json()["id"]
    [found] = caller.get(f"sessions/{again}/pictures").json()
    assert found["id"] == kept["id"] and again in found["url"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_picture_is_refused_with_a_reason(caller, path, row, name):
    file = io.BytesIO(build(name))
    file.name = "screen.png"
    got = keep(caller, path, row, file)
    assert (got.status_code, got.json()["code"]) == (HOSTILE[name][1], "image_refused")
    assert got.json()["detail"].endswith(".") and not Picture.objects.exists()


def test_rows_that_take_none(caller, path, action):
    written = action.requirements.get(evidence_kind="written")
    other = factories.make_action(action.week, requirements=[("A screen", "shown")])
    got = keep(caller, path, written)
    assert (got.status_code, got.json()["code"]) == (422, "picture_refused")
    assert keep(caller, path, other.requirements.get()).status_code == 404
    for sent in ({"requirementId": "x"}, {}, {"requirementId": ""}):
        got = caller.upload(path, image=make_picture(), **sent)
        assert got.status_code == 422 and "requirementId" in got.json()["fields"]
    assert caller.upload(path, requirementId=written.pk).status_code == 422
    assert not Picture.objects.exists()


def test_a_black_one_and_one_too_many(caller, path, row):
    got = keep(caller, path, row, make_picture(colour="black"))
    assert (got.status_code, got.json()["code"]) == (422, "picture_refused")
    for _ in range(MOST_PICTURES):
        assert keep(caller, path, row).status_code == 201
    got = keep(caller, path, row)
    assert (got.status_code, got.json()["code"]) == (409, "pin_refused")
    assert Picture.objects.count() == MOST_PICTURES


def test_a_closed_session_keeps_and_marks_nothing_but_lets_go(caller, path, row, session_id, turn):
    kept = keep(caller, path, row).json()
    end(session_id)
    pin = f"sessions/{session_id}/turns/{turn.pk}/pin"
    for got in (keep(caller, path, row), caller.post(pin), caller.call("DELETE", pin)):
        assert (got.status_code, got.json()["code"]) == (409, "session_closed")
    assert caller.call("DELETE", f"{path}/{kept['id']}").json() == []


def test_anothers_picture_and_message_are_missing(caller, path, row, session_id, turn):
    kept = keep(caller, path, row).json()
    stranger = factories.make_student()
    theirs = factories.make_action(factories.make_plan(stranger))
    other = Caller(stranger)
    other_id = other.post(f"actions/{theirs.id}/sessions").json()["id"]
    assert other.client.get(kept["url"]).status_code == 404
    assert other.client.get(f"/sessions/{other_id}/pictures/{kept['id']}/").status_code == 404
    assert other.call("DELETE", f"sessions/{other_id}/pictures/{kept['id']}").json() == []
    assert other.post(f"sessions/{other_id}/turns/{turn.pk}/pin").status_code == 404
    assert Picture.objects.exists()
    turn.refresh_from_db()
    assert turn.pinned_at is None
    # The control: their student's own calls find both.
    assert caller.client.get(kept["url"]).status_code == 200
    assert caller.post(f"sessions/{session_id}/turns/{turn.pk}/pin").status_code == 200


def test_marking_and_taking_the_mark_off(caller, session_id, turn):
    path = f"sessions/{session_id}/turns/{turn.pk}/pin"
    first, second = caller.post(path).json(), caller.post(path).json()
    assert first == second and first["id"] == str(turn.pk) and first["pinnedAt"]
    [read] = caller.get(f"sessions/{session_id}").json()["turns"]
    assert read == first
    for _ in range(2):
        got = caller.call("DELETE", path)
        assert (got.status_code, got.json()["pinnedAt"]) == (200, None)


def test_only_ones_own_words_are_marked(caller, session_id):
    reply = Turn.objects.create(session_id=session_id, number=1, role="copilot", text="Nice.")
    for method in ("POST", "DELETE"):
        got = caller.call(method, f"sessions/{session_id}/turns/{reply.pk}/pin")
        assert got.status_code == 404
