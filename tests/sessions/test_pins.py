"""Work that a student marked: no cap, no clock and no ring takes it from a check."""

import datetime
import uuid
from contextlib import nullcontext

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from judge.evidence import MOST_TURNS, read_task
from plans.models import FollowUp, Requirement
from sessions import frames, pins
from sessions.completion import check_session
from sessions.erasure import erase_person
from sessions.followups import run_followup
from sessions.images import CleanImage
from sessions.lifecycle import SessionClosed, end_session, open_session
from sessions.models import CopilotSession, Picture, Turn
from sessions.transcript import add_student_turn, read_evidence_turns
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer

SCREEN = CleanImage(b"jpeg bytes", is_black=False)


@pytest.fixture
def session():
    student = factories.make_student()
    rows = [("First screen", "shown"), ("Second screen", "shown")]
    action = factories.make_action(factories.make_plan(student), requirements=rows)
    return open_session(action, student)


@pytest.fixture
def rows(session):
    return list(session.action.requirements.order_by("position"))


def say_much(session, turns):
    start = session.turns.count()
    Turn.objects.bulk_create(
        Turn(session=session, number=start + place, role="student", text=f"words {place}")
        for place in range(1, turns + 1)
    )


@pytest.mark.django_db
class TestTurns:
    def test_a_marked_turn_is_never_cut(self, session):
        work = add_student_turn(session.pk, "my work", None)
        say_much(session, MOST_TURNS + 40)
        before, omitted = read_evidence_turns(session.action_id)
        assert "my work" not in [turn.text for turn in before] and omitted == 41
        pins.pin_turn(session, work.pk)
        after, omitted = read_evidence_turns(session.action_id)
        assert (after[0].text, after[0].number, after[0].is_pinned) == ("my work", 1, True)
        assert omitted == 40
        assert [turn.number for turn in after[1:]] == [turn.number for turn in before]

    def test_marking_twice_and_taking_it_off(self, session):
        work = add_student_turn(session.pk, "my work", None)
        assert (
            pins.pin_turn(session, work.pk).pinned_at == pins.pin_turn(session, work.pk).pinned_at
        )
        pins.unpin_turn(session, work.pk)
        pins.unpin_turn(session, work.pk)
        work.refresh_from_db()
        assert work.pinned_at is None

    def test_only_the_students_own_turns(self, session):
        Turn.objects.create(session=session, number=1, role="copilot", text="Praise.")
        for change in (pins.pin_turn, pins.unpin_turn):
            for turn_id in (Turn.objects.get().pk, uuid.uuid4()):
                with pytest.raises(Turn.DoesNotExist):
                    change(session, turn_id)

    def test_there_is_an_end_to_it(self, session):
        long = [add_student_turn(session.pk, "x" * 20_000, None) for _ in range(4)]
        for turn in long[:3]:
            pins.pin_turn(session, turn.pk)
        with pytest.raises(pins.PinRefused):
            pins.pin_turn(session, long[3].pk)
        turns, _ = read_evidence_turns(session.action_id)
        assert [turn.number for turn in turns] == [1, 2, 3, 4]

    def test_not_after_the_end(self, session):
        work = add_student_turn(session.pk, "my work", None)
        end_session(session, CopilotSession.EndReason.STUDENT)
        for change in (pins.pin_turn, pins.unpin_turn):
            with pytest.raises(SessionClosed):
                change(session, work.pk)


@pytest.mark.django_db
class TestPictures:
    def test_each_is_for_its_row_and_does_not_grow_old(self, session, rows):
        for row in rows:
            pins.keep_picture(session, row.pk, SCREEN)
        Picture.objects.update(created_at=timezone.now() - datetime.timedelta(days=3))
        task = read_task(session.action_id)
        kept = pins.pictures_as_evidence(task)
        assert [frame.pinned_to for frame in kept] == ["r1", "r2"]
        assert kept[0].counts_for(task.rows[0]) and not kept[0].counts_for(task.rows[1])

    def test_what_is_refused(self, session, rows):
        other = factories.make_action(session.action.week)
        with pytest.raises(Requirement.DoesNotExist):
            pins.keep_picture(session, other.requirements.get().pk, SCREEN)
        with pytest.raises(pins.PictureRefused, match="black"):
            pins.keep_picture(session, rows[0].pk, CleanImage(b"black", is_black=True))
        for _ in range(pins.MOST_PICTURES):
            pins.keep_picture(session, rows[0].pk, SCREEN)
        with pytest.raises(pins.PinRefused):
            pins.keep_picture(session, rows[0].pk, SCREEN)
        pins.remove_picture(session, Picture.objects.first().pk)
        pins.keep_picture(session, rows[0].pk, SCREEN)

    @pytest.mark.parametrize(("kind", "is_kept"), [("shown", 1), ("either", 1), ("written", 0)])
    def test_a_row_that_asks_for_words_takes_none(self, session, rows, kind, is_kept):
        """The judge's citations count none there, so keeping one would promise what is not so."""
        rows[0].evidence_kind = kind
        rows[0].save()
        with nullcontext() if is_kept else pytest.raises(pins.PictureRefused, match="own words"):
            pins.keep_picture(session, rows[0].pk, SCREEN)
        assert Picture.objects.count() == is_kept

    def test_listing_them_reads_no_bytes(self, session, rows):
        pins.keep_picture(session, rows[0].pk, SCREEN)
        with CaptureQueriesContext(connection) as queries:
            assert [picture.requirement_id for picture in pins.read_pictures(session)] == [
                rows[0].pk
            ]
        assert len(queries) == 1 and "jpeg" not in queries[0]["sql"]
        with CaptureQueriesContext(connection) as queries:
            pins.find_picture(session, Picture.objects.get().pk)
        assert "jpeg" in queries[-1]["sql"]

    def finish(self, session):
        session.action.update_status("completed", by=session.student, confirmed=True)
        return FollowUp.objects.get(kind="close_sessions").pk

    def test_they_go_when_the_task_is_done_and_so_do_the_frames(self, session, rows):
        pins.keep_picture(session, rows[0].pk, SCREEN)
        frames.store_frame(session.pk, SCREEN)
        assert run_followup(self.finish(session))
        assert not Picture.objects.exists()
        assert frames.read_frames(session.pk) == []

    def test_they_go_also_while_valkey_is_away(self, session, rows, settings):
        pins.keep_picture(session, rows[0].pk, SCREEN)
        settings.REDIS_URL = "redis://127.0.0.1:1/0"
        assert run_followup(self.finish(session))
        assert not Picture.objects.exists()

    def test_a_task_reopened_meanwhile_keeps_them(self, session, rows):
        """The control of the deletion, too: the very same follow-up, and they stay."""
        pins.keep_picture(session, rows[0].pk, SCREEN)
        frames.store_frame(session.pk, SCREEN)
        followup_id = self.finish(session)
        session.action.reopen(by=session.student)
        assert run_followup(followup_id)
        assert Picture.objects.exists()
        assert len(frames.read_frames(session.pk)) == 1

    def test_they_go_with_their_person(self, session, rows):
        pins.keep_picture(session, rows[0].pk, SCREEN)
        frames.store_frame(session.pk, SCREEN)
        removal = erase_person(session.student, by=factories.make_staff(), reason="Asked for it.")
        assert removal.frames_removed
        assert not Picture.objects.exists() and frames.read_frames(session.pk) == []


@pytest.mark.django_db(transaction=True)
def test_two_screens_are_shown_at_once(session, rows, gemini):
    """Kept pictures reach the judge, each cited for its own row; crossed over, none holds."""
    add_student_turn(session.pk, "Both screens are there.", None)
    for row in rows:
        pins.keep_picture(session, row.pk, SCREEN)
    right = answer("not_shown", "not_shown")
    for number, row in enumerate(right["rows"], start=1):
        row |= {"status": "met", "evidence": [{"frame": number}]}
    right["allMet"] = True
    crossed = {
        **right,
        "rows": [r | {"evidence": [{"frame": 3 - n}]} for n, r in enumerate(right["rows"], 1)],
    }
    gemini.enqueue(replies.json(right))
    assert check_session(session).all_met
    gemini.enqueue(replies.json(crossed), replies.json(crossed))
    assert [row.status for row in check_session(session).requirements] == ["not_shown"] * 2
