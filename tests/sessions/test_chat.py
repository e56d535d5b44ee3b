"""The chat use case and the copilot, against the fake Gemini server; what a judge never sees."""

import threading
from dataclasses import replace

import pytest
from django.db import connections

from judge.models import CheckRun
from plans.models import Action, Completion, Status
from sessions import copilot, prompt, tools
from sessions.chat import get_session, send_turn
from sessions.completion import check_session
from sessions.conversation import read_conversation
from sessions.copilot import MOST_CALLS, read_context
from sessions.lifecycle import SessionClosed, end_session, open_session
from sessions.models import CopilotSession, MemorySummary, Turn
from sessions.prompt import build_system_prompt
from sessions.transcript import TextRefused
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.fakes.clock import Clock

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def session():
    student = factories.make_student()
    plan = factories.make_plan(student, title="A map of bikes", goal="Show where bikes run out.")
    action = factories.make_action(plan, requirements=[("Ask seven riders", "either")])
    return get_session(student, open_session(action, student).pk)


def test_a_turn_and_its_reply(session, gemini):
    gemini.enqueue(replies.text("What did they say?"))
    got = send_turn(session, "I asked them.", "c1")
    assert (got.turn.text, got.reply.text) == ("I asked them.", "What did they say?")
    assert got.reply.reply_to == got.turn
    assert [turn.number for turn in session.turns.all()] == [1, 2]


def test_the_same_client_id_is_the_same_turn(session, gemini):
    first = send_turn(session, "I asked them.", "c1")
    again = send_turn(session, "I asked them.", "c1")
    assert (again.turn, again.reply) == (first.turn, first.reply)
    assert (gemini.calls, Turn.objects.count()) == (1, 2)


def test_a_failed_reply_can_be_asked_for_again(session, gemini):
    gemini.enqueue(replies.error(503), replies.text("Here I am."))
    first = send_turn(session, "I asked them.", "c1")
    assert (first.reply, first.reason) == (None, "overloaded")
    assert "kept" in first.sentence
    assert send_turn(session, "I asked them.", "c1").reply.text == "Here I am."
    assert Turn.objects.filter(role="student").count() == 1


def test_two_tabs_get_one_reply(session, gemini):
    gemini.respond = lambda request: replies.delay(0.3, replies.text("One."))
    answers = []

    def send():
        answers.append(send_turn(session, "I asked them.", "c1"))
        connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(answers) == 2 and len({got.reply.pk for got in answers}) == 1
    assert (Turn.objects.count(), gemini.calls) == (2, 1)


@pytest.mark.parametrize(
    "reply, reason",
    [
        (replies.blocked(), "blocked"),
        (replies.safety(), "safety"),
        (replies.error(429), "rate_limited"),
        (replies.hang(), "timeout"),
        (replies.close_connection(), "unreachable"),
        (replies.empty(), "empty"),
    ],
)
def test_when_the_copilot_fails_the_turn_is_kept(session, gemini, settings, reply, reason):
    settings.COPILOT_DEADLINE_SECONDS = 1.0 if reason == "timeout" else 30.0
    gemini.respond = lambda request: reply
    got = send_turn(session, "I asked them.", None)
    assert (got.reply, got.reason) == (None, reason)
    assert got.sentence.endswith(".")
    assert Turn.objects.get().text == "I asked them."


@pytest.mark.parametrize("text", ["", "  \n ", "a\x00b", "a\ud800b", "x" * 20_001])
def test_texts_that_cannot_be_taken(session, gemini, text):
    with pytest.raises(TextRefused) as refusal:
        send_turn(session, text)
    assert str(refusal.value).endswith(".")
    assert not Turn.objects.exists()


def test_the_longest_text(session, gemini):
    assert len(send_turn(session, "x" * 20_000).turn.text) == 20_000


def test_a_closed_session(session, gemini):
    end_session(session, CopilotSession.EndReason.STUDENT)
    with pytest.raises(SessionClosed):
        send_turn(session, "Too late.")


def test_the_deadline_is_for_all_rounds(session, gemini, settings, monkeypatch):
    """With a deadline of its own each of the four rounds would end, and the reply be empty."""
    settings.COPILOT_DEADLINE_SECONDS = 60.0
    clock = Clock()
    monkeypatch.setattr(copilot, "time", clock)

    def take_long(request):
        clock.sleep(25)
        return replies.tool_call("mark_task_completed", {"reason": "x"})

    gemini.respond = take_long
    assert send_turn(session, "I am done.").reason == "timeout"
    assert gemini.calls == 3, "none is made when no time is left for it"


def test_an_odd_reply_is_made_storable(session, gemini):
    gemini.enqueue(replies.text("a\x00b" + "c" * 30_000))
    reply = send_turn(session, "Say something odd.").reply
    assert reply.text.startswith("a\ufffdb") and len(reply.text) == 20_000


class TestTools:
    def test_in_progress_is_written(self, session, gemini):
        gemini.enqueue(replies.tool_call("mark_task_in_progress", {}, "a"), replies.text("Go on."))
        send_turn(session, "I begin.")
        assert Action.objects.get().status == Status.IN_PROGRESS
        assert [turn.role for turn in session.turns.all()] == ["student", "tool", "copilot"]

    def test_completed_is_only_a_signal(self, session, gemini):
        gemini.enqueue(
            replies.tool_call("mark_task_completed", {"reason": "They say so."}, "a"),
            replies.text("I have marked it complete."),
        )
        send_turn(session, "I am done.")
        assert Action.objects.get().status == Status.NOT_STARTED
        assert not Completion.objects.exists()
        sent = gemini.requests[1].body["contents"][-1]["parts"][0]["function_response"]
        assert "NOT_MARKED" in str(sent)

    def test_no_argument_names_another_student(self, session, gemini):
        other = factories.make_action(factories.make_plan(factories.make_student()))
        gemini.enqueue(
            replies.tool_call(
                "mark_task_in_progress",
                {"action_id": str(other.pk), "student_id": other.week.plan.owner_id},
                "a",
            ),
            replies.text("Go on."),
        )
        send_turn(session, "I begin.")
        other.refresh_from_db()
        assert other.status == Status.NOT_STARTED
        assert Action.objects.get(pk=session.action_id).status == Status.IN_PROGRESS

    def test_what_was_run_is_on_record_without_a_reply(self, session, gemini):
        gemini.enqueue(
            replies.tool_call("mark_task_in_progress", {}, "a"),
            replies.error(503),
            replies.text("Go on."),
        )
        assert send_turn(session, "I begin.", "c1").reply is None
        assert Action.objects.get().status == Status.IN_PROGRESS
        assert [turn.role for turn in session.turns.all()] == ["student", "tool"]
        (waiting,) = read_conversation(session).turns
        assert waiting.is_waiting and waiting.trouble
        assert send_turn(session, "I begin.", "c1").reply.text == "Go on."

    def test_a_flood_of_calls_is_answered_and_not_run(self, session, gemini):
        call = {"function_call": {"name": "mark_task_in_progress", "args": {}}}
        gemini.enqueue(replies.parts(*[call] * 50), replies.text("Go on."))
        assert send_turn(session, "I begin.").reply.text == "Go on."
        assert Turn.objects.filter(role="tool").count() == MOST_CALLS
        results = [
            part["function_response"]["response"]
            for content in gemini.requests[-1].body["contents"]
            for part in content["parts"]
            if "function_response" in part
        ]
        assert len(results) == 50 and "did nothing" in str(results[-1])

    def test_a_model_that_only_calls_tools_is_a_failed_reply(self, session, gemini):
        gemini.respond = lambda request: replies.tool_call("mark_task_completed", {"reason": "x"})
        got = send_turn(session, "I am done.")
        assert (got.reply, got.reason) == (None, "empty")
        assert gemini.calls <= 4


class TestContext:
    def test_what_the_copilot_knows(self, session, gemini):
        gemini.enqueue(replies.json(answer("not_met")))
        check_session(session)
        MemorySummary.objects.create(
            session=CopilotSession.objects.create(
                action=factories.make_action(session.action.week), student=session.student
            ),
            plan=session.action.week.plan,
            made="Earlier: chose seven riders.",
        )
        text = build_system_prompt(read_context(session))
        for words in (
            "A map of bikes",
            "Show where bikes run out.",
            "Ask seven riders",
            "Earlier: chose seven riders.",
            "A note on row 1.",
            "Not started. Not complete.",
        ):
            assert words in text

    def test_the_prompt_says_who_decides(self):
        for words in ("never say that a task is done", "never write the deliverable"):
            assert words in " ".join(prompt.PERSONA.split())

    def test_another_students_memory_stays_theirs(self, session):
        other = factories.make_student()
        action = factories.make_action(factories.make_plan(other))
        MemorySummary.objects.create(
            session=open_session(action, other), plan=action.week.plan, made="Not for you."
        )
        assert "Not for you." not in build_system_prompt(read_context(session))


class TestTheJudgeNeverSees:
    """Canaries in all that shapes the copilot; none may be in a judge's request."""

    CANARY = "canary-7391"

    @pytest.fixture
    def planted(self, session, monkeypatch):
        monkeypatch.setattr(prompt, "PERSONA", f"{prompt.PERSONA} {self.CANARY}-persona")
        marked = [replace(tool, description=f"{self.CANARY}-{tool.name}") for tool in tools.TOOLS]
        monkeypatch.setattr(tools, "TOOLS", tuple(marked))
        monkeypatch.setattr(tools, "NOT_MARKED", f"{tools.NOT_MARKED} {self.CANARY}-result")
        MemorySummary.objects.create(
            session=CopilotSession.objects.create(
                action=factories.make_action(session.action.week), student=session.student
            ),
            plan=session.action.week.plan,
            made=f"{self.CANARY}-memory",
        )
        session.action.week.plan.goal = f"{self.CANARY}-goal"
        session.action.week.plan.save()
        return session

    def test_no_canary(self, planted, gemini):
        gemini.enqueue(
            replies.json(answer("not_met")),
            replies.tool_call("mark_task_completed", {"reason": "They say so."}, "a"),
            replies.text("Run the check."),
            replies.json(answer("not_met")),
        )
        first = check_session(planted)
        send_turn(planted, "I am done.")
        check_session(planted)
        judged, chatted = gemini.requests[3], gemini.requests[1:3]
        assert "I am done." in str(judged.raw)
        assert self.CANARY not in str(judged.raw)
        assert first.summary not in str(judged.raw) and "A note on row" not in str(judged.raw)
        assert all(
            f"{self.CANARY}-{part}" in str([request.raw for request in chatted])
            for part in (
                "persona",
                "mark_task_completed",
                "mark_task_in_progress",
                "result",
                "memory",
                "goal",
            )
        ), "a control: the canaries do reach the copilot"
        assert self.CANARY not in str(list(CheckRun.objects.values()))
