"""Follow-ups: each effect once, whatever is delivered, fails or dies, and none of them lost."""

import datetime
import logging

import pytest
from django.db.models import F
from django.utils import timezone

from plans import outbox
from plans.models import FollowUp
from plans.status import self_report
from sessions import followups
from sessions.followups import CLAIM, HANDLERS, MOST_ATTEMPTS, run_followup, sweep_followups
from sessions.lifecycle import end_session, open_session
from sessions.models import CopilotSession, MemorySummary, ProgressReport
from sessions.transcript import add_student_turn
from tests import factories
from tests.fakes import replies
from tests.sessions.together import run_together

pytestmark = pytest.mark.django_db(transaction=True)
ENDS = CopilotSession.EndReason
KINDS = FollowUp.Kind


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def action(student):
    return factories.make_action(factories.make_plan(student))


@pytest.fixture
def session(action, student):
    session = open_session(action, student)
    add_student_turn(session.pk, "The site is named `Lanes`.", None)
    return session


def add(kind: str, plan_id, **about) -> FollowUp:
    outbox.add(f"test:{FollowUp.objects.count()}", plan_id, [kind], **about)
    return FollowUp.objects.latest("created_at")


def make_due() -> None:
    """Let every pause and every claim run out."""
    past = timezone.now() - datetime.timedelta(seconds=1)
    FollowUp.objects.filter(done_at=None).update(claimed_until=past)


def deliver_all(times: int) -> list[bool]:
    """Deliver every follow-up so often, and what comes of them too."""
    delivered, results = set(), []
    while fresh := set(FollowUp.objects.values_list("pk", flat=True)) - delivered:
        for pk in fresh:
            results += [run_followup(pk) for _ in range(times)]
        delivered |= fresh
    return results


class TestOnce:
    def test_a_completions_follow_ups_delivered_three_times(self, action, student, session, gemini):
        self_report(action, by=student)
        results = deliver_all(3)
        assert (results.count(True), results.count(False)) == (4, 8)
        session.refresh_from_db()
        assert session.end_reason == ENDS.COMPLETED
        assert MemorySummary.objects.get().session == session
        assert [row["title"] for row in ProgressReport.objects.get().content["done"]] == [
            action.title
        ]
        assert gemini.calls == 1
        assert FollowUp.objects.filter(done_at=None).count() == 0
        assert set(FollowUp.objects.values_list("attempts", flat=True)) == {1}

    def test_control_without_the_claim_the_model_is_asked_again(self, session, gemini, monkeypatch):
        end_session(session, ENDS.STUDENT)
        monkeypatch.setattr(followups, "_claim", lambda pk: FollowUp.objects.get(pk=pk))
        deliver_all(3)
        assert gemini.calls == 3

    def test_one_row_run_by_eight_threads(self, session, gemini):
        row = add(KINDS.REMEMBER_SESSION, session.action.week.plan_id, session_id=session.pk)
        gemini.respond = lambda request: replies.delay(0.2, gemini.brain(request))
        results = run_together(8, lambda _: run_followup(row.pk))
        assert (results.count(True), results.count(False)) == (1, 7)
        assert (gemini.calls, MemorySummary.objects.count()) == (1, 1)

    def test_control_eight_threads_without_the_claim(self, action, monkeypatch):
        row = add(KINDS.REFRESH_REPORT, action.week.plan_id)
        monkeypatch.setattr(followups, "_claim", lambda pk: FollowUp.objects.get(pk=pk))
        assert run_together(8, lambda _: run_followup(row.pk)) == [True] * 8

    def test_one_cause_leaves_one_set(self, action):
        for _ in range(2):
            outbox.add("completion:1", action.week.plan_id, [KINDS.REFRESH_REPORT])
        assert FollowUp.objects.count() == 1

    def test_an_unknown_id_is_nothing(self, action):
        assert run_followup(action.pk) is False


class TestFailing:
    @pytest.fixture
    def row(self, action):
        """A follow-up about a session that is not there."""
        return add(KINDS.REMEMBER_SESSION, action.week.plan_id, session_id=action.pk)

    def test_it_stays_open_and_is_tried_again_after_a_pause(self, row, action, student):
        assert run_followup(row.pk) is False
        row.refresh_from_db()
        assert (row.done_at, row.attempts) == (None, 1)
        assert "DoesNotExist" in row.last_error
        pause = (row.claimed_until - timezone.now()).total_seconds()
        assert 55 < pause <= 60
        assert (sweep_followups(), run_followup(row.pk)) == (0, False)
        make_due()
        FollowUp.objects.update(session_id=open_session(action, student).pk)
        assert sweep_followups() == 1
        row.refresh_from_db()
        assert (bool(row.done_at), row.attempts, row.last_error) == (True, 2, "")

    def test_the_pause_grows_to_about_an_hour_and_the_trying_ends(self, row):
        pauses = []
        for _ in range(MOST_ATTEMPTS + 3):
            make_due()
            sweep_followups()
            row.refresh_from_db()
            pauses.append(round((row.claimed_until - timezone.now()).total_seconds() / 60))
        assert row.attempts == MOST_ATTEMPTS
        assert pauses[:MOST_ATTEMPTS] == [1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64, 64]
        assert row.done_at is None

    def test_one_that_fails_holds_no_other_up(self, row, session):
        end_session(session, ENDS.STUDENT)
        assert sweep_followups() == 2

    def test_a_kind_that_nobody_knows_waits_for_who_does(self, row):
        FollowUp.objects.update(kind="from_the_future")
        assert run_followup(row.pk) is False
        row.refresh_from_db()
        assert (row.done_at, row.last_error) == (None, "KeyError('from_the_future')")

    def test_a_fault_is_logged_with_its_traceback(self, row, caplog):
        run_followup(row.pk)
        [record] = [each for each in caplog.records if each.name == "sessions.followups"]
        assert record.exc_info and record.levelno == logging.ERROR

    def test_a_late_failure_leaves_a_newer_claim_alone(self, row):
        stale = followups._claim(row.pk)
        make_due()
        newer = followups._claim(row.pk)
        followups._put_back(stale, ValueError("late"))
        row.refresh_from_db()
        assert (row.claimed_until, row.last_error) == (newer.claimed_until, "")


class TestModelDown:
    def test_it_is_one_line_without_traceback(self, session, gemini, caplog):
        end_session(session, ENDS.STUDENT)
        gemini.enqueue(replies.error(503))
        caplog.set_level(logging.INFO)
        assert sweep_followups() == 1
        [record] = [each for each in caplog.records if each.name == "sessions.followups"]
        assert (record.levelno, record.exc_info) == (logging.WARNING, None)
        assert "\n" not in record.getMessage() and "overloaded" in record.getMessage()

    def test_no_memory_is_lost_and_the_models_comes_when_it_is_back(self, session, gemini):
        end_session(session, ENDS.STUDENT)
        gemini.enqueue(*[replies.error(503)] * 3)
        for _ in range(3):
            sweep_followups()
            make_due()
            assert "The student last wrote" in MemorySummary.objects.get().made
        sweep_followups()
        assert MemorySummary.objects.get().made == "A first version."
        assert not FollowUp.objects.filter(done_at=None).exists()
        assert gemini.calls == 4


class TestSweep:
    def test_it_does_what_nobody_was_told_of(self, action, student, session, rules):
        self_report(action, by=student)
        assert (sweep_followups(), sweep_followups(), sweep_followups()) == (2, 2, 0)
        session.refresh_from_db()
        assert session.ended_at and MemorySummary.objects.get().session == session

    def test_oldest_first_and_not_more_than_asked_for(self, action):
        rows = [add(KINDS.REFRESH_REPORT, action.week.plan_id) for _ in range(3)]
        assert sweep_followups(limit=2) == 2
        assert FollowUp.objects.get(done_at=None) == rows[2]

    def test_a_claimed_row_is_left_until_the_claim_runs_out(self, action):
        row = add(KINDS.REFRESH_REPORT, action.week.plan_id)
        assert followups._claim(row.pk)
        assert sweep_followups() == 0
        FollowUp.objects.update(claimed_until=F("claimed_until") - CLAIM)
        assert sweep_followups() == 1

    def test_two_sweeps_at_once_do_each_row_once(self, action):
        for _ in range(12):
            add(KINDS.REFRESH_REPORT, action.week.plan_id)
        assert sum(run_together(4, lambda _: sweep_followups())) == 12
        assert set(FollowUp.objects.values_list("attempts", flat=True)) == {1}

    def test_a_slow_model_does_not_let_it_run_into_the_time_limit(
        self, session, gemini, monkeypatch
    ):
        """The next sweep goes on where this one stopped."""
        monkeypatch.setattr(followups, "SWEEP_SECONDS", 0.1)
        gemini.respond = lambda _: replies.delay(0.2, replies.error(503))
        for _ in range(3):
            add(KINDS.REMEMBER_SESSION, session.action.week.plan_id, session_id=session.pk)
        for calls in (1, 2, 3):
            sweep_followups()
            assert gemini.calls == calls

    def test_the_limits_fit_together(self, settings):
        """No handler is killed by the time limit, and no claim runs out under a live one."""
        longest = followups.SWEEP_SECONDS + settings.COPILOT_DEADLINE_SECONDS
        assert longest < settings.CELERY_TASK_TIME_LIMIT < CLAIM.total_seconds()


class TestHandlers:
    def test_every_kind_has_one(self):
        assert set(HANDLERS) == set(KINDS)

    def test_a_late_run_leaves_a_reopened_tasks_session_alone(self, action, student, session):
        """The broker was down, the student took the completion back and works on."""
        self_report(action, by=student)
        action.reopen(by=student)
        deliver_all(1)
        session.refresh_from_db()
        assert session.ended_at is None

    def test_a_completion_closes_no_session_of_another_task(self, action, student, rules):
        other = open_session(factories.make_action(action.week), student)
        self_report(action, by=student)
        deliver_all(1)
        other.refresh_from_db()
        assert other.ended_at is None
