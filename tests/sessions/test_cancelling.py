"""Cancelling a tap: it completes nothing any more, whenever the cancel comes; and which of two
checks that overlap is the newest."""

import threading

import pytest
from django.db import connection, transaction
from django.urls import reverse

from judge.audit import read_clock
from judge.card import latest_card
from judge.models import CheckRun
from plans.models import Action, Completion, FollowUp, How, Status
from sessions import completion
from sessions.completion import Cancelled, cancel_tap, check_session, complete_session
from sessions.lifecycle import open_session
from sessions.models import CopilotSession, SessionQuerySet
from sessions.transcript import add_student_turn
from sessions.views import NEWER
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.locks import wait_until_somebody_waits
from tests.pages.reading import ask, text_of

pytestmark = pytest.mark.django_db(transaction=True)
MET = replies.json(answer("met", text="seven riders"))
UNMET = replies.json(answer("not_met"))


@pytest.fixture
def session():
    student = factories.make_student()
    action = factories.make_action(
        factories.make_plan(student), requirements=[("Ask seven riders", "either")]
    )
    session = open_session(action, student)
    add_student_turn(session.pk, "I asked seven riders what they miss.", None)
    return session


def status_of(session):
    return Action.objects.get(pk=session.action_id).status


def while_it_thinks(gemini, work, then=MET):
    """Do the work, once, while the judge thinks about the first request that comes."""
    waiting = [work]

    def respond(request):
        if waiting:
            waiting.pop()()
            connection.close()
        return then

    gemini.respond = respond


@pytest.mark.parametrize("cancels", [True, False], ids=["cancelled", "control: never cancelled"])
def test_a_tap_cancelled_while_the_judge_thinks(session, gemini, cancels):
    while_it_thinks(gemini, lambda: cancels and cancel_tap(session))
    tap = complete_session(session)
    run = CheckRun.objects.get()
    assert (run.trigger, run.outcome) == ("tap", "passed"), "the run is kept as what it was"
    assert tap.completed is not cancels
    assert Completion.objects.exists() is not cancels
    if cancels:
        assert (tap.check.outcome, tap.check.reason) == ("undecided", "cancelled")
        assert tap.check.id == run.pk and "nothing was changed" in tap.check.summary
        assert status_of(session) == Status.NOT_STARTED
        assert not FollowUp.objects.exists()


def test_control_without_the_look_at_the_cancel_it_would_complete(session, gemini, monkeypatch):
    monkeypatch.setattr(completion, "_is_made_by", lambda made, result: False)
    while_it_thinks(gemini, lambda: cancel_tap(session))
    complete_session(session)
    assert status_of(session) == Status.COMPLETED


def test_a_cancel_stops_what_is_on_its_way_and_no_later_tap(session, gemini):
    cancel_tap(session)
    gemini.enqueue(MET)
    assert complete_session(session).completed


def test_a_cancel_that_comes_too_late_says_so(session, gemini):
    gemini.enqueue(MET)
    complete_session(session)
    assert cancel_tap(session) is True
    assert status_of(session) == Status.COMPLETED


def test_the_students_own_report_stands(session, gemini):
    """Reported done in another tab meanwhile: the cancelled tap wrote nothing and takes nothing."""
    action = Action.objects.get(pk=session.action_id)

    def report_and_cancel():
        action.update_status(Status.COMPLETED, by=session.student, confirmed=True)
        assert cancel_tap(session) is True

    while_it_thinks(gemini, report_and_cancel)
    assert complete_session(session).completed
    assert Completion.objects.get().how == How.SELF_REPORTED


@pytest.mark.parametrize("by_staff", [True, False])
def test_a_task_that_was_taken_back_meanwhile_stays_open(session, gemini, by_staff):
    """Complete by another tap and reopened, all while the judge of this one thinks."""

    def complete_and_reopen():
        action = Action.objects.get(pk=session.action_id)
        action.update_status(Status.COMPLETED, by=session.student, confirmed=True)
        action.reopen(by=factories.make_staff() if by_staff else session.student, reason="Not yet.")

    while_it_thinks(gemini, complete_and_reopen)
    tap = complete_session(session)
    assert (tap.completed, tap.check.reason) == (False, "reopened")
    assert "reopened while it was being checked" in tap.check.summary
    assert status_of(session) == Status.IN_PROGRESS and Completion.objects.count() == 1


class Beside(threading.Thread):
    """Work in a thread and on a connection of its own; `outcome` is what it returned or raised."""

    def __init__(self, work):
        super().__init__(daemon=True)
        self.work, self.outcome = work, None
        self.start()

    def run(self):
        try:
            self.outcome = self.work()
        except Cancelled as error:
            self.outcome = error
        finally:
            connection.close()


class TestAtTheSameMoment:
    """The tap is about to write: a cancel comes first, or waits and finds the task complete."""

    @pytest.fixture
    def write(self, session, gemini):
        """The tap's last step, after the judge."""
        started_at = read_clock()
        gemini.enqueue(MET)
        result = completion._judge(session, None, CheckRun.Trigger.TAP)
        action = Action.objects.get(pk=session.action_id)
        return lambda: completion._complete(action, session, result, started_at)

    def test_a_cancel_waits_for_the_tap_that_writes(self, session, write):
        with transaction.atomic():
            write()
            cancel = Beside(lambda: cancel_tap(session))
            wait_until_somebody_waits()
        cancel.join(20)
        assert cancel.outcome is True and status_of(session) == Status.COMPLETED

    def test_a_tap_waits_for_the_cancel_that_is_written(self, session, write):
        with transaction.atomic():
            assert cancel_tap(session) is False
            tap = Beside(write)
            wait_until_somebody_waits()
        tap.join(20)
        assert isinstance(tap.outcome, Cancelled) and status_of(session) == Status.NOT_STARTED

    def test_control_without_the_lock_the_cancel_would_not_be_true(
        self, session, write, monkeypatch
    ):
        monkeypatch.setattr(SessionQuerySet, "select_for_update", lambda self, **kinds: self)
        with transaction.atomic():
            write()
            cancel = Beside(lambda: cancel_tap(session))
            cancel.join(20)
        assert cancel.outcome is False and status_of(session) == Status.COMPLETED


class TestNewest:
    """Two checks overlap: the newest is the one that was started last, whichever answers first."""

    @pytest.fixture
    def overlapped(self, session, gemini):
        """The older one's card; the newer one passed while the older was thinking."""
        while_it_thinks(gemini, lambda: self.check_newer(session, gemini), then=UNMET)
        return check_session(session)

    def check_newer(self, session, gemini):
        gemini.enqueue(MET)
        check_session(session)

    def test_the_one_started_last_is_shown(self, session, overlapped):
        written_last = CheckRun.objects.latest("created_at")
        assert overlapped.id == written_last.pk, "the control: by the time of writing it is older"
        assert not overlapped.all_met and latest_card(session.action_id).all_met

    def test_on_the_plan_page_too(self, session, overlapped, client):
        client.force_login(session.student)
        url = reverse("plans:plan", args=[session.action.week.plan_id])
        assert "Ready to mark complete" in text_of(client.get(url))

    def test_the_older_ones_answer_shows_the_newer(self, session, gemini, client):
        client.force_login(session.student)
        while_it_thinks(gemini, lambda: self.check_newer(session, gemini), then=UNMET)
        page = reverse("sessions:session", args=[session.pk])
        url = reverse("sessions:check", args=[session.pk])
        text = text_of(ask(client, "post", url, page=page))
        assert NEWER in text and "Everything is there." in text
        assert NEWER not in text_of(ask(client, "post", url, page=page))

    def test_in_the_api_each_has_its_own_answer_and_the_session_the_newest(
        self, session, gemini, client
    ):
        client.force_login(session.student)
        while_it_thinks(gemini, lambda: self.check_newer(session, gemini), then=UNMET)
        own = client.post(f"/api/v1/sessions/{session.pk}/check").json()
        latest = client.get(f"/api/v1/sessions/{session.pk}").json()["latestCheck"]
        assert (own["allMet"], latest["allMet"]) == (False, True)

    def test_stuck_looks_at_those_started_before(self, session, gemini):
        """An older check that fails late is not the second failure in a row."""
        while_it_thinks(gemini, lambda: check_session(session), then=UNMET)
        assert not check_session(session).is_stuck
        assert check_session(session).is_stuck, "the control: the next one is"


def test_cancel_by_the_api(session, gemini, client):
    client.force_login(session.student)
    url = f"/api/v1/sessions/{session.pk}/cancel"
    assert client.post(url).json() == {"completed": False}
    assert CopilotSession.objects.get(pk=session.pk).cancelled_at
    gemini.enqueue(MET)
    complete_session(session)
    assert client.post(url).json() == {"completed": True}


class TestPage:
    @pytest.fixture
    def stop(self, session, client):
        client.force_login(session.student)
        page = reverse("sessions:session", args=[session.pk])
        url = reverse("sessions:cancel", args=[session.pk])
        return lambda: ask(client, "post", url, page=page)

    def test_it_gives_the_buttons_back(self, session, gemini, stop):
        gemini.enqueue(MET)
        check_session(session)
        response = stop()
        assert "Stopped. Nothing was changed." in text_of(response)
        assert b"autofocus>Check again</button>" in response.content
        assert "HX-Retarget" not in response

    def test_too_late_shows_the_complete_task(self, session, gemini, stop):
        gemini.enqueue(MET)
        complete_session(session)
        response = stop()
        assert response["HX-Retarget"] == "#session"
        assert "Task complete" in text_of(response) and "finished before" in text_of(response)
