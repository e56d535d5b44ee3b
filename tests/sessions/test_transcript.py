"""The transcript: what a turn may hold, how turns are numbered, and what a judge gets of them."""

import threading
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judge import evidence
from sessions import transcript
from sessions.chat import send_turn
from sessions.lifecycle import SessionClosed, end_session, open_session
from sessions.models import CopilotSession, Turn
from sessions.transcript import (
    PAGE,
    TextRefused,
    add_reply,
    add_student_turn,
    read_evidence_turns,
    read_page,
    read_recent_turns,
)
from tests import factories
from tests.sessions.together import run_together

STUDENT, COPILOT, TOOL = Turn.Role.STUDENT, Turn.Role.COPILOT, Turn.Role.TOOL


@pytest.fixture
def session():
    student = factories.make_student()
    return open_session(factories.make_action(factories.make_plan(student)), student)


def say(session, text: str = "Here it is.", reply: str = "") -> Turn:
    turn = add_student_turn(session.pk, text, uuid.uuid4().hex)
    if reply:
        add_reply(turn, reply, [])
    return turn


def make_turns(session, count: int, text: str = "Turn {}") -> None:
    """So many turns in one write, from the student and the copilot in turn."""
    first = session.turns.count() + 1
    Turn.objects.bulk_create(
        Turn(
            session=session,
            number=number,
            role=STUDENT if number % 2 else COPILOT,
            text=text.format(number),
        )
        for number in range(first, first + count)
    )


@pytest.mark.django_db
class TestText:
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("", "Write something first"),
            (" \n\t\u00a0", "Write something first"),
            ("x" * 20_001, "20,001 characters"),
            ("before\x00after", "cannot be stored"),
            ("before\ud800after", "cannot be stored"),
            ("before\udfffafter", "cannot be stored"),
        ],
    )
    def test_what_cannot_be_taken_is_refused_before_anything_is_stored(
        self, session, text, sentence
    ):
        with pytest.raises(TextRefused, match=sentence) as refused:
            send_turn(session, text)
        assert refused.value.status == 422
        assert not Turn.objects.exists()

    @pytest.mark.parametrize(
        "text",
        [
            "x",
            "ä" * 20_000,
            "😀" * 20_000,
            "<script>alert(1)</script> {{ 7 * 7 }} '; DROP TABLE turns; --",
            "right to left \u202e, zero width \u200b, \x01\x7f\ufffe",
        ],
    )
    def test_everything_else_is_stored_as_it_was_sent(self, session, text):
        add_student_turn(session.pk, text, None)
        assert Turn.objects.get().text == text

    def test_a_models_words_are_made_storable(self, session):
        turn = say(session)
        add_reply(turn, "Fine.", [("evil\x00" + "x" * 90, "no tool \ud800")])
        tool = Turn.objects.get(role=TOOL)
        assert tool.text == "no tool \ufffd"
        assert tool.tool_name == ("evil\ufffd" + "x" * 90)[:64]


@pytest.mark.django_db
class TestAdding:
    def test_numbers_go_from_one_without_gaps(self, session):
        turn = say(session)
        add_reply(turn, "Good.", [("a_tool", "Nothing was done."), ("a_tool", "Nothing.")])
        say(session)
        numbers = session.turns.values_list("number", "role")
        assert list(numbers) == [(1, STUDENT), (2, TOOL), (3, TOOL), (4, COPILOT), (5, STUDENT)]

    def test_the_same_client_id_is_the_same_turn(self, session):
        first = add_student_turn(session.pk, "Once.", "c1")
        assert add_student_turn(session.pk, "Once, again.", "c1") == first
        assert add_student_turn(session.pk, "Once.", "c2") != first
        assert Turn.objects.filter(client_id="c1").get().text == "Once."

    def test_a_client_id_belongs_to_its_session(self, session):
        other = open_session(factories.make_action(session.action.week), session.student)
        first = add_student_turn(session.pk, "Here.", "c1")
        assert add_student_turn(other.pk, "There.", "c1") != first

    def test_without_a_client_id_every_turn_is_new(self, session):
        for _ in range(2):
            add_student_turn(session.pk, "Again.", None)
        assert Turn.objects.count() == 2

    def test_a_closed_session_takes_no_turn_but_knows_its_own(self, session):
        known = add_student_turn(session.pk, "Before.", "c1")
        end_session(session, CopilotSession.EndReason.STUDENT)
        with pytest.raises(SessionClosed, match="Open the task again"):
            add_student_turn(session.pk, "After.", "c2")
        assert add_student_turn(session.pk, "Before.", "c1") == known
        assert add_reply(known, "A late reply.", []).number == 2

    def test_a_turn_is_answered_once(self, session):
        turn = say(session)
        first = add_reply(turn, "One.", [("a_tool", "Done.")])
        assert add_reply(turn, "Two.", [("a_tool", "Done.")]) == first
        assert Turn.objects.count() == 3

    def test_a_turn_shows_that_the_student_is_there(self, session):
        before = session.last_active_at
        say(session)
        session.refresh_from_db()
        assert session.last_active_at > before


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_the_same_client_id_from_eight_tabs_is_one_turn(self, session):
        turns = run_together(8, lambda _: add_student_turn(session.pk, "Once.", "c1"))
        assert {type(turn) for turn in turns} == {Turn}
        assert len({turn.pk for turn in turns}) == Turn.objects.count() == 1

    def test_numbers_have_no_gaps_and_no_doubles(self, session):
        def talk(number: int) -> None:
            for _ in range(3):
                say(session, f"From tab {number}.", reply="Good.")

        assert run_together(8, talk) == [None] * 8
        numbers = session.turns.order_by("number").values_list("number", flat=True)
        assert list(numbers) == list(range(1, 49))

    def test_control_without_the_lock_a_turn_is_lost(self, session, monkeypatch):
        """The database's own guard then refuses the second turn of a number."""
        meeting = threading.Barrier(4)

        def read_unlocked(session_id: uuid.UUID) -> CopilotSession:
            meeting.wait(10)
            return CopilotSession.objects.get(pk=session_id)

        monkeypatch.setattr(transcript, "_lock", read_unlocked)
        real = Turn.save

        def save_together(turn: Turn, **options) -> None:
            meeting.wait(10)
            real(turn, **options)

        monkeypatch.setattr(Turn, "save", save_together)
        errors = run_together(4, lambda _: add_student_turn(session.pk, "Once.", None))
        assert sum(isinstance(error, Exception) for error in errors) == 3
        assert Turn.objects.count() == 1


@pytest.mark.django_db
class TestEvidence:
    def test_turns_of_all_sessions_are_numbered_through(self, session):
        say(session, "The first.", reply="And then?")
        add_reply(say(session, "The second."), "Hm.", [("mark_task_completed", "NOT_MARKED")])
        end_session(session, CopilotSession.EndReason.STUDENT)
        second = open_session(session.action, session.student)
        say(second, "The third.")
        turns, omitted = read_evidence_turns(session.action_id)
        assert omitted == 0
        assert [(turn.number, turn.role, turn.text) for turn in turns] == [
            (1, STUDENT, "The first."),
            (2, COPILOT, "And then?"),
            (3, STUDENT, "The second."),
            (4, COPILOT, "Hm."),
            (5, STUDENT, "The third."),
        ]

    def test_numbers_stay_when_turns_come(self, session):
        make_turns(session, 70)
        before, _ = read_evidence_turns(session.action_id)
        end_session(session, CopilotSession.EndReason.STUDENT)
        make_turns(open_session(session.action, session.student), 7)
        after, omitted = read_evidence_turns(session.action_id)
        assert [turn.number for turn in after] == list(range(18, 78))
        assert omitted == 17
        texts = {turn.number: turn.text for turn in before}
        assert all(texts[turn.number] == turn.text for turn in after if turn.number <= 70)

    def test_another_action_adds_nothing(self, session):
        make_turns(open_session(factories.make_action(session.action.week), session.student), 3)
        assert read_evidence_turns(session.action_id) == ((), 0)

    @pytest.mark.parametrize(("count", "kept"), [(0, 0), (1, 1), (60, 60), (61, 60), (200, 60)])
    def test_sixty_at_most_the_newest_of_them(self, session, count, kept):
        make_turns(session, count)
        turns, omitted = read_evidence_turns(session.action_id)
        assert omitted == count - kept
        assert [turn.text for turn in turns] == [
            f"Turn {number}" for number in range(count - kept + 1, count + 1)
        ]

    def test_whole_turns_within_the_characters_newest_first(self, session):
        long = "x" * 20_000
        say(session, "An old one that would fit.")
        for _ in range(4):
            say(session, long)
        turns, omitted = read_evidence_turns(session.action_id)
        assert 4 * len(long) == evidence.MOST_CHARACTERS
        assert ([turn.number for turn in turns], omitted) == ([2, 3, 4, 5], 1)
        say(session, "Short.")
        turns, omitted = read_evidence_turns(session.action_id)
        assert ([turn.number for turn in turns], omitted) == ([3, 4, 5, 6], 2)
        assert {len(turn.text) for turn in turns} == {20_000, 6}

    @pytest.mark.parametrize("count", [1, 150])
    def test_it_is_one_query(self, session, count, django_assert_num_queries):
        make_turns(session, count)
        with django_assert_num_queries(1):
            read_evidence_turns(session.action_id)


@pytest.mark.django_db
class TestPages:
    def test_pages_join_without_gap_or_overlap(self, session):
        make_turns(session, 2 * PAGE + 7)
        seen, before, queries = [], None, []
        while True:
            with CaptureQueriesContext(connection) as asked:
                turns, before = read_page(session, before)
            queries.append(len(asked))
            seen = [turn.number for turn in turns] + seen
            if before is None:
                break
        assert seen == list(range(1, 2 * PAGE + 8))
        assert queries == [1, 1, 1]

    @pytest.mark.parametrize(("count", "older"), [(0, None), (PAGE, None), (PAGE + 1, 2)])
    def test_the_newest_come_first(self, session, count, older):
        make_turns(session, count)
        turns, before = read_page(session)
        assert (len(turns), before) == (min(count, PAGE), older)

    def test_the_copilot_gets_the_newest_spoken_turns_up_to_the_one_it_answers(self, session):
        turn = say(session, "One.")
        add_reply(turn, "Two.", [("a_tool", "Nothing was done.")])
        third = say(session, "Three.")
        say(session, "Later.")
        for most, characters, texts, left_out in (
            (9, 99, ["One.", "Two.", "Three."], 0),
            (3, 99, ["One.", "Two.", "Three."], 0),
            # Never the copilot's words first: some providers take no such conversation.
            (2, 99, ["Three."], 2),
            (9, len("Two.Three."), ["Three."], 2),
            (9, 1, ["Three."], 2),
        ):
            shown, older = read_recent_turns(third, most, characters)
            assert ([row.text for row in shown], older) == (texts, left_out)
