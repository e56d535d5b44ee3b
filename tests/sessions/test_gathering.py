"""The pictures of a check, and what the student is told of them: true in every case."""

import base64
import io
import json
import socket
import time

import pytest
import redis
from django.conf import settings as django_settings
from django.urls import reverse
from PIL import Image

from judge.evidence import read_task
from judge.models import CheckRun
from plans.models import Requirement
from plans.stored_checklist import read_checklist
from sessions import gathering, pins
from sessions.completion import check_session
from sessions.frames import store_frame
from sessions.gathering import gather_pictures
from sessions.images import CleanImage
from sessions.lifecycle import open_session
from sessions.transcript import add_student_turn
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.pages.reading import text_of

pytestmark = pytest.mark.django_db(transaction=True)
MET = replies.json(answer("met", text="seven riders"))
UNMET = replies.json(answer("not_met"))
NO_VALKEY = "redis://127.0.0.1:9/0"


def make_session(kind="either"):
    student = factories.make_student()
    plan = factories.make_plan(student)
    action = factories.make_action(plan, requirements=[("Ask seven riders", kind)])
    session = open_session(action, student)
    add_student_turn(session.pk, "I asked seven riders what they miss.", None)
    return session


@pytest.fixture
def session():
    return make_session()


@pytest.fixture
def hung():
    """A server that takes connections and never answers; gives how many it was asked for."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        server.settimeout(0)

        def count():
            taken = 0
            try:
                while True:
                    server.accept()
                    taken += 1
            except BlockingIOError:
                return taken

        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0", count


def png(color="white"):
    out = io.BytesIO()
    Image.new("RGB", (40, 30), color).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def share(session, age=0, *, is_black=False):
    """A shared picture of this age in seconds, as the newest."""
    head = {"isBlack": is_black, "receivedAt": time.time() - age}
    client = redis.Redis.from_url(django_settings.REDIS_URL)
    client.lpush(f"elivio:frames:{session.pk}", json.dumps(head).encode() + b"\njpeg")


def keep(session):
    row = session.action.requirements.get().pk
    pins.keep_picture(session, row, CleanImage(b"kept", is_black=False))


def gather(session, screenshot=None):
    return gather_pictures(session, read_task(session.action_id), screenshot)


def said(session, screenshot=None):
    """Notices and hints."""
    found = gather(session, screenshot)
    return [*found.notices], [*found.hints]


class TestWhatIsSaid:
    def test_nothing_shared(self, session):
        assert said(session) == ([], [])
        keep(session)
        assert said(session) == ([], [])

    def test_the_newest_counts(self, session):
        share(session, 700)
        share(session, 20)
        assert said(session) == ([gathering.USED_SHARED], [])

    def test_one_sent_with_the_check_needs_no_word(self, session):
        share(session, 700)
        assert said(session, png()) == ([], [])

    def test_too_old(self, session):
        share(session, 700)
        keep(session)
        assert said(session) == ([], [gathering.OLD])

    @pytest.mark.parametrize("is_sent", [True, False])
    def test_black(self, session, is_sent):
        share(session, 20)
        if not is_sent:
            share(session, is_black=True)
        screenshot = png("black") if is_sent else None
        assert said(session, screenshot) == ([], [gathering.BLACK])
        pictures = gather(session).pictures
        assert [frame.is_current for frame in pictures] == [True, False]

    @pytest.mark.parametrize("age", [20, 700])
    def test_nothing_where_no_row_takes_a_picture(self, age):
        session = make_session("written")
        share(session, age)
        assert said(session) == ([], [])
        assert said(session, "no picture") == ([gathering.UNREADABLE, gathering.USED_WORDS], [])

    @pytest.mark.parametrize(
        ("prepare", "then"),
        [
            (lambda session: None, gathering.USED_WORDS),
            (lambda session: share(session, 700), gathering.USED_WORDS),
            (lambda session: share(session, is_black=True), gathering.USED_WORDS),
            (keep, gathering.USED_KEPT),
            (lambda session: (keep(session), share(session, 700)), gathering.USED_KEPT),
            (lambda session: (keep(session), share(session, 20)), gathering.USED_OLDER),
            (
                lambda session: (share(session, 20), share(session, is_black=True)),
                gathering.USED_OLDER,
            ),
        ],
        ids=["nothing", "old", "black", "kept", "kept, old", "kept, shared", "good, then black"],
    )
    def test_what_is_used_in_place_of_an_unreadable_one(self, session, prepare, then):
        prepare(session)
        assert said(session, "no picture") == ([gathering.UNREADABLE, then], [])

    def test_a_kept_picture_of_a_row_that_asks_for_words_by_now(self, session):
        keep(session)
        Requirement.objects.update(evidence_kind="written")
        assert said(session, "no picture") == ([gathering.UNREADABLE, gathering.USED_WORDS], [])


class TestWithoutValkey:
    def test_it_is_said_where_a_picture_could_count(self, session, settings):
        settings.REDIS_URL = NO_VALKEY
        found = gather(session)
        assert not found.is_reachable
        assert found.notices == (gathering.UNREACHABLE, gathering.USED_WORDS)
        keep(session)
        assert gather(session).notices == (gathering.UNREACHABLE, gathering.USED_KEPT)

    def test_nothing_is_said_where_none_could(self, settings):
        session = make_session("written")
        settings.REDIS_URL = NO_VALKEY
        assert gather(session).notices == ()

    def test_a_screenshot_that_could_not_be_kept(self, session, settings):
        settings.REDIS_URL = NO_VALKEY
        assert gather(session, png()).notices == (gathering.UNAVAILABLE, gathering.USED_WORDS)

    @pytest.mark.parametrize("screenshot", [png(), None], ids=["with a screenshot", "without"])
    def test_a_check_waits_for_it_once(self, session, gemini, settings, hung, screenshot):
        keep(session)
        settings.REDIS_URL, count = hung
        settings.REDIS_SOCKET_SECONDS = 0.2
        gemini.enqueue(UNMET)
        with pytest.raises(redis.RedisError):
            redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.2).get("one call")
        of_one_call = count()
        assert check_session(session, screenshot).outcome == "failed"
        assert count() == of_one_call


class TestInACheck:
    def test_it_goes_to_the_judge(self, session, gemini):
        gemini.enqueue(replies.json(answer("not_shown")))
        check_session(session, png())
        assert 'frame number="1"' in gemini.requests[0].text

    def test_a_data_url_will_do(self, session, gemini):
        gemini.enqueue(UNMET)
        card = check_session(session, f"data:image/png;base64,{png()}")
        assert "screenshot" not in card.summary

    def test_an_unreadable_one_falls_back_and_says_so(self, session, gemini):
        gemini.enqueue(UNMET)
        store_frame(session.pk, CleanImage(b"screen", is_black=False))
        card = check_session(session, "no picture")
        assert gathering.UNREADABLE in card.summary and gathering.USED_OLDER in card.summary
        assert gemini.requests[-1].text.count("<frame") == 1

    @pytest.mark.parametrize(("reply", "is_said"), [(UNMET, True), (MET, False)])
    def test_what_could_help_is_said_where_something_is_missing(
        self, session, gemini, reply, is_said
    ):
        share(session, 700)
        gemini.enqueue(reply)
        assert (gathering.OLD in check_session(session).summary) is is_said

    def test_nothing_is_said_of_pictures_that_nobody_looked_at(self, session, gemini, settings):
        share(session, 20)
        settings.DAILY_MODEL_CALLS = {**settings.DAILY_MODEL_CALLS, "check": 0}
        card = check_session(session, "no picture")
        assert card.reason == "budget_spent" and gemini.calls == 0
        assert "picture" not in card.summary and "screenshot" not in card.summary

    def test_valkey_out_of_reach(self, session, gemini, settings):
        settings.REDIS_URL = NO_VALKEY
        gemini.enqueue(UNMET)
        card = check_session(session, png())
        assert card.outcome == "failed" and gathering.UNAVAILABLE in card.summary

    def test_the_card_tells_a_kept_picture_from_the_shared_screen(self, session, gemini, client):
        keep(session)
        share(session, 20)
        body = answer("met")
        body["rows"][0]["evidence"] = [{"frame": 1}, {"frame": 2}]
        gemini.enqueue(replies.json(body))
        (row,) = check_session(session).requirements
        assert [cited.get("isKept", False) for cited in row.evidence] == [True, False]
        client.force_login(session.student)
        text = text_of(client.get(reverse("sessions:session", args=[session.pk])))
        assert "The picture you kept for this row" in text and "Your shared picture" in text
        (stored,) = read_checklist(CheckRun.objects.get().checklist, {})
        assert ["kept by the student" in cited.place for cited in stored.citations] == [True, False]
