"""What follows from a completion, in a real Celery worker: done, once, and also after a kill."""

import datetime

import pytest
import redis
from django.conf import settings
from django.db.models import F
from django.utils import timezone

from elivio.celery import app
from plans import outbox
from plans.making import steps
from plans.models import FollowUp
from plans.outbox import TASK
from plans.status import self_report
from sessions.chat import get_session
from sessions.completion import complete_session
from sessions.copilot import read_context
from sessions.followups import CLAIM, sweep_followups
from sessions.lifecycle import end_session, open_session
from sessions.models import CopilotSession, MemorySummary, ProgressReport
from sessions.prompt import build_system_prompt, quote
from sessions.transcript import add_student_turn
from tests import factories
from tests.fakes import replies
from tests.sessions.worker_process import kill_worker, running_worker, wait_until

ENDS = CopilotSession.EndReason
WORDS = "I name two risks of the project: rain, and riders without time."


@pytest.fixture(scope="class")
def worker(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), running_worker() as process:
        yield process


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def plan(student):
    return factories.make_plan(student)


def open_with_words(plan, student, title: str) -> CopilotSession:
    session = open_session(factories.make_action(plan, title), student)
    add_student_turn(session.pk, WORDS, None)
    return get_session(student, session.pk)


def is_all_done() -> bool:
    return not FollowUp.objects.filter(done_at=None).exists()


@pytest.mark.django_db(transaction=True)
class TestAfterACompletion:
    """No beat runs here: what is done was handed to the worker at the tap."""

    def test_by_the_check(self, worker, plan, student, rules):
        session = open_with_words(plan, student, "Write down the risks")
        assert complete_session(session).completed
        assert wait_until(lambda: FollowUp.objects.count() == 4 and is_all_done())
        session.refresh_from_db()
        assert session.end_reason == ENDS.COMPLETED
        [row] = ProgressReport.objects.get(plan=plan).content["done"]
        assert (row["title"], row["how"]) == ("Write down the risks", "checked")
        following = open_session(factories.make_action(plan, "Ask the riders"), student)
        context = read_context(get_session(student, following.pk))
        memory = MemorySummary.objects.get(session=session).made
        assert WORDS in memory
        [told] = context.memories
        assert "“Write down the risks” (completed)" in told and memory in told
        assert f"## From earlier sessions\n{quote([told])}" in build_system_prompt(context)

    def test_by_self_report(self, worker, plan, student, rules):
        session = open_with_words(plan, student, "Read a book")
        self_report(session.action, by=student)
        assert wait_until(lambda: FollowUp.objects.count() == 4 and is_all_done())
        session.refresh_from_db()
        assert session.end_reason == ENDS.COMPLETED
        assert ProgressReport.objects.get(plan=plan).content["done"][0]["how"] == "self_reported"
        assert MemorySummary.objects.get().session == session

    def test_the_end_of_a_session_alone(self, worker, plan, student, rules):
        session = open_with_words(plan, student, "Read a book")
        end_session(session, ENDS.STUDENT)
        assert wait_until(lambda: FollowUp.objects.count() == 2 and is_all_done())
        assert MemorySummary.objects.get(session=session).made
        assert ProgressReport.objects.get(plan=plan).last_worked_at

    def test_a_message_that_comes_three_times_has_one_effect(self, worker, plan, student, rules):
        session = open_with_words(plan, student, "Read a book")
        row = FollowUp.objects.create(
            key="test:1", kind="remember_session", plan=plan, session_id=session.pk
        )
        for _ in range(3):
            outbox.enqueue([str(row.pk)] * 3)
        assert wait_until(is_all_done)
        assert wait_until(is_queue_empty)
        row.refresh_from_db()
        assert (row.attempts, MemorySummary.objects.count()) == (1, 1)

    def test_the_sweep_as_beat_sends_it(self, worker, plan, student, rules):
        session = open_with_words(plan, student, "Read a book")
        past = timezone.now() - datetime.timedelta(days=1)
        CopilotSession.objects.update(last_active_at=past)
        FollowUp.objects.create(key="test:1", kind="refresh_report", plan=plan)
        app.send_task("elivio.end_idle_sessions")
        app.send_task("elivio.sweep_followups")
        assert wait_until(lambda: FollowUp.objects.count() == 3 and is_all_done())
        session.refresh_from_db()
        assert session.end_reason == ENDS.IDLE

    def test_a_message_that_is_no_id_ends_no_worker(self, worker, plan, rules):
        app.send_task(TASK, ["not an id"])
        outbox.add("test:1", plan.pk, ["refresh_report"])
        assert wait_until(is_all_done)
        assert worker.poll() is None


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_loses_nothing(plan, student, gemini):
    gemini.respond = lambda _: replies.hang()
    session = open_with_words(plan, student, "Read a book")
    key = {"GEMINI_API_KEY": "test-key", "GOOGLE_GEMINI_BASE_URL": gemini.url}
    with running_worker(**key) as worker:
        end_session(session, ENDS.STUDENT)
        assert gemini.wait_for(1, timeout=30)
        assert wait_until(lambda: FollowUp.objects.get(done_at=None).kind == "remember_session")
        kill_worker(worker)
    gemini.respond = None
    row = FollowUp.objects.get(kind="remember_session")
    assert (row.done_at, row.attempts) == (None, 1)
    assert not MemorySummary.objects.exists()
    sweep_followups()
    row.refresh_from_db()
    assert (row.done_at, row.attempts) == (None, 1), "the claim still holds"
    FollowUp.objects.filter(pk=row.pk).update(claimed_until=F("claimed_until") - CLAIM)
    assert sweep_followups() == 1
    assert "A first version." in MemorySummary.objects.get(session=session).made
    assert is_all_done()


def test_beat_sends_only_tasks_that_a_worker_knows():
    app.loader.import_default_modules()
    planned = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert planned == {
        "elivio.sweep_followups",
        "elivio.end_idle_sessions",
        "elivio.clear_logins",
        "elivio.sweep_plan_drafts",
    }
    assert planned | {TASK, steps.TASK} <= set(app.tasks)


def test_a_worker_takes_json_alone_and_keeps_no_result():
    assert settings.CELERY_ACCEPT_CONTENT == ["json"]
    assert app.conf.task_serializer == "json"
    assert app.conf.task_ignore_result is True and app.conf.result_backend is None


def is_queue_empty() -> bool:
    return not redis.Redis.from_url(settings.REDIS_URL).exists("celery")
