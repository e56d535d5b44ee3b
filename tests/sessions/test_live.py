"""A reply while it is made: who asks for it, who follows it, how it is stopped, what it costs."""

import asyncio
import threading
from contextlib import contextmanager

import pytest
from asgiref.sync import async_to_sync
from django.db import connection, connections
from django.test import AsyncClient, Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from plans.models import DailyUse, Status
from sessions import answering, live, live_views
from sessions.chat import SENTENCES, get_session, send_turn
from sessions.lifecycle import open_session
from sessions.live import StopUnavailable, ask_to_stop, follow, key_of
from sessions.models import Turn
from tests import factories
from tests.fakes import replies

pytestmark = pytest.mark.django_db(transaction=True)
NOWHERE = "redis://127.0.0.1:9/0"
CALL = {"functionCall": {"name": "mark_task_in_progress", "args": {}, "id": "call-1"}}


@pytest.fixture
def session():
    student = factories.make_student()
    action = factories.make_action(factories.make_plan(student))
    return get_session(student, open_session(action, student).pk)


@pytest.fixture
def gate():
    gate = threading.Event()
    yield gate
    gate.set()


@contextmanager
def sending(session, got, count=1):
    """The same turn sent by so many requests at once, on their way in this block."""

    def send():
        got.append(send_turn(session, "I asked them.", "c1"))
        connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(count)]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(20)


def read_events(turn, after="0-0"):
    """What a follower gets, as (id, name, data)."""

    async def collect():
        return b"".join([part async for part in follow(key_of(turn), after)]).decode()

    events = []
    for block in asyncio.run(collect()).split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            events.append((fields.get("id"), fields["event"], fields.get("data", "")))
    return events


class TestOneRequestAsks:
    def test_at_a_time(self, session, gemini, gate):
        gemini.enqueue(replies.streamed("What ", gate, "did they say?"))
        got = []
        with sending(session, got, 3):
            assert gemini.wait_for(1)
            turn = Turn.objects.get()
            assert answering.is_being_answered(turn) and not answering.claim_turn(turn)
            gate.set()
        assert {each.reply.text for each in got} == {"What did they say?"}
        assert (gemini.calls, Turn.objects.count()) == (1, 2)
        assert not answering.is_being_answered(Turn.objects.get(pk=turn.pk))

    def test_control_without_the_claim_each_asks(self, session, gemini, gate, monkeypatch):
        monkeypatch.setattr(answering, "claim_turn", lambda turn: True)
        gemini.respond = lambda request: replies.streamed("What ", gate, "did they say?")
        with sending(session, [], 2):
            assert gemini.wait_for(2)
            gate.set()

    def test_and_its_failure_is_the_others_too(self, session, gemini, gate):
        gemini.enqueue(replies.streamed(gate, finish="SAFETY"))
        got = []
        with sending(session, got, 2):
            assert gemini.wait_for(1)
            gate.set()
        assert [each.reason for each in got] == ["safety", "safety"]
        assert {each.sentence for each in got} == {SENTENCES["safety"]}
        assert gemini.calls == 1

    def test_until_the_claim_is_too_old(self, session, gemini):
        """A process that died: the turn is free after its deadline."""
        gemini.enqueue(replies.error(503))
        turn = send_turn(session, "I asked them.", "c1").turn
        Turn.objects.update(asked_until=timezone.now())
        assert send_turn(session, "I asked them.", "c1").reply
        assert Turn.objects.get(pk=turn.pk).tries == 2

    def test_and_a_fault_of_our_own_frees_the_turn(self, session, gemini, monkeypatch):
        monkeypatch.setattr("elivio.llm.gemini_chat.to_contents", lambda messages: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            send_turn(session, "I asked them.", "c1")
        turn = Turn.objects.get()
        assert (turn.asked_until, turn.no_reply_reason) == (None, "unknown")


class TestReasons:
    def test_the_code_is_kept_for_staff_until_there_is_a_reply(self, session, gemini):
        gemini.enqueue(replies.error(429))
        send_turn(session, "I asked them.", "c1")
        assert Turn.objects.get().no_reply_reason == "rate_limited"
        send_turn(session, "I asked them.", "c1")
        assert Turn.objects.get(role="student").no_reply_reason == ""

    def test_the_providers_words_do_not_reach_the_student(self, session, gemini):
        """They may name the key, the model or the address."""
        gemini.enqueue(replies.error(400, message="API key test-key is odd"))
        got = send_turn(session, "I asked them.", "c1")
        assert (got.reason, "test-key" in got.sentence) == ("rejected", False)

    def test_staff_find_it(self, session, gemini):
        gemini.enqueue(replies.error(429))
        send_turn(session, "I asked them.", "c1")
        client = Client()
        client.force_login(factories.make_staff(is_superuser=True))
        address = reverse("admin:copilot_sessions_turn_changelist")
        for query, count in (("rate_limited", 1), ("any", 1), ("timeout", 0)):
            page = client.get(address, {"no_reply_reason": query})
            assert page.context["cl"].result_count == count


class TestFollowing:
    def test_words_in_order_and_the_end(self, session, gemini):
        gemini.enqueue(replies.streamed("Hm.\n", CALL), replies.streamed("What é", '\n"now"?'))
        turn = send_turn(session, "I begin.", "c1").turn
        events = read_events(turn)
        assert [data for _, name, data in events if name == "words"] == [
            '"Hm.\\n"',
            '"\\n\\nWhat \\u00e9"',
            '"\\n\\"now\\"?"',
        ]
        assert events[-1][1] == "end"
        resumed = read_events(turn, after=events[0][0])
        assert resumed == events[1:]
        assert read_events(turn, after="no id") == events

    def test_each_try_has_words_of_its_own(self, session, gemini):
        gemini.enqueue(replies.broken_stream("Half "), replies.streamed("Whole."))
        send_turn(session, "I begin.", "c1")
        turn = send_turn(session, "I begin.", "c1").turn
        assert [data for _, name, data in read_events(turn) if name == "words"] == ['"Whole."']

    def test_by_address(self, session, gemini):
        send_turn(session, "I begin.", "c1")
        client = AsyncClient()
        client.force_login(session.student)
        address = reverse("sessions:live", args=[session.pk])

        async def ask(query):
            response = await client.get(address, query)
            parts = [part async for part in response] if response.streaming else []
            return response, b"".join(parts).decode()

        response, text = async_to_sync(ask)({"turn": "c1", "try": "1"})
        assert response["Content-Type"] == "text/event-stream"
        assert (response["Cache-Control"], response["X-Accel-Buffering"]) == ("no-store", "no")
        assert "event: words" in text and "event: end" in text
        for query in ({}, {"turn": "c1", "try": "x"}, {"turn": "a\0", "try": "1"}, {"turn": "c1"}):
            assert async_to_sync(ask)(query)[0].status_code == 204

    def test_holds_no_connection(self, session, monkeypatch):
        request = RequestFactory().get("/")
        request.user = session.student

        def count_taken():
            live_views._require_session(request, session.pk)
            stats = connection.pool.get_stats()
            return stats["pool_size"] - stats["pool_available"]

        assert count_taken() == 0
        monkeypatch.setattr(live_views, "release_connections", lambda: None)
        assert count_taken() == 1, "a control"

    def test_ends_by_itself_when_no_reply_comes(self, session, settings, monkeypatch):
        settings.COPILOT_DEADLINE_SECONDS = 0.1
        monkeypatch.setattr(live, "BLOCK_SECONDS", 0.1)
        turn = Turn(session=session, client_id="never sent", tries=1)
        assert [name for _, name, _ in read_events(turn)] == ["end"]


class TestStopping:
    def test_what_has_come_is_the_reply(self, session, gemini, gate):
        gemini.enqueue(
            replies.streamed("Good.", CALL), replies.streamed("Count them. ", gate, "Then write.")
        )
        got = []
        with sending(session, got):
            assert gemini.wait_for(2)
            ask_to_stop(Turn.objects.get())
        reply = got[0].reply
        assert (reply.text, reply.is_stopped) == ("Good.\n\nCount them.", True)
        assert gemini.requests[1].closed.wait(5)
        session.action.refresh_from_db()
        assert session.action.status == Status.IN_PROGRESS, "a tool that ran stays run"
        assert [turn.role for turn in session.turns.all()] == ["student", "tool", "copilot"]
        assert DailyUse.objects.get().calls == 2

    def test_before_the_first_word_there_is_none(self, session, gemini, gate):
        gemini.enqueue(replies.streamed(gate, "Then write."))
        got = []
        with sending(session, got):
            assert gemini.wait_for(1)
            ask_to_stop(Turn.objects.get())
        assert (got[0].reply, got[0].reason) == (None, "stopped")
        assert "You stopped" in got[0].sentence
        assert send_turn(session, "I asked them.", "c1").reply, "the next try is a new one"

    def test_by_address(self, session, gemini):
        gemini.enqueue(replies.error(503))
        turn = send_turn(session, "I begin.", "c1").turn
        client = Client()
        client.force_login(session.student)
        address = reverse("sessions:stop", args=[session.pk])
        swapped = client.post(address, {"turn": "c1"}, headers={"HX-Request": "true"})
        assert (swapped.status_code, b"Stopping." in swapped.content) == (200, True)
        assert live.Preview(key_of(turn))._publish({}) is True
        for odd in ("", "nobody's", "a\0"):
            refused = client.post(address, {"turn": odd}, headers={"HX-Request": "true"})
            assert (refused.status_code, b"cannot be stopped" in refused.content) == (409, True)
        plain = client.post(address, {"turn": "c1"})
        assert plain["Location"].endswith(f"/sessions/{session.pk}/#end")


class TestWithoutValkey:
    def test_the_reply_arrives_whole(self, session, gemini, settings):
        settings.REDIS_URL = NOWHERE
        assert send_turn(session, "I asked them.", "c1").reply.text
        with pytest.raises(StopUnavailable):
            ask_to_stop(Turn.objects.get(role="student"))

    def test_followers_are_told(self, session, gemini, settings):
        turn = send_turn(session, "I asked them.", "c1").turn
        settings.REDIS_URL = NOWHERE
        assert [name for _, name, _ in read_events(turn)] == ["quiet"]


def test_a_call_whose_reply_failed_does_not_break_the_next(session, gemini):
    gemini.enqueue(replies.streamed("Good.", CALL), replies.error(503))
    assert send_turn(session, "I begin.", "c1").reply is None
    assert send_turn(session, "Are you there?", "c2").reply
    assert "function" not in str(gemini.requests[-1].body["contents"])


def test_a_broken_stream_is_counted_and_keeps_nothing(session, gemini):
    gemini.enqueue(replies.broken_stream("Half a sentence "))
    got = send_turn(session, "I asked them.", "c1")
    assert (got.reply, got.reason, DailyUse.objects.get().calls) == (None, "unreachable", 1)
    assert not Turn.objects.filter(role="copilot").exists()
