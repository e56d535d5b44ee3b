"""Opening and ending a session: at most one open, ended once, and only idle ones swept."""

import datetime
import threading

import pytest
from django.db import connection, transaction
from django.utils import timezone

from plans.errors import Refused
from plans.models import FollowUp
from plans.status import self_report
from sessions.lifecycle import end_idle_sessions, end_session, open_session
from sessions.models import CopilotSession
from tests import factories
from tests.locks import wait_until_somebody_waits
from tests.sessions.together import run_together

ENDS = CopilotSession.EndReason
RACES = 20


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def action(student):
    return factories.make_action(factories.make_plan(student))


@pytest.fixture
def two_may_be_open():
    """Takes the database's guard away for one test."""
    guard = next(c for c in CopilotSession._meta.constraints if c.name == "one_open_session")
    with connection.schema_editor() as editor:
        editor.remove_constraint(CopilotSession, guard)
    yield
    CopilotSession.objects.all().delete()
    with connection.schema_editor() as editor:
        editor.add_constraint(CopilotSession, guard)


def make_idle(session: CopilotSession, minutes: int) -> None:
    past = timezone.now() - datetime.timedelta(minutes=minutes)
    CopilotSession.objects.filter(pk=session.pk).update(last_active_at=past)


@pytest.mark.django_db
class TestOpen:
    def test_again_is_the_open_one(self, action, student):
        assert open_session(action, student) == open_session(action, student)
        assert CopilotSession.objects.count() == 1

    def test_after_the_end_it_is_a_new_one(self, action, student):
        first = end_session(open_session(action, student), ENDS.STUDENT)
        second = open_session(action, student)
        assert second != first and second.ended_at is None

    def test_each_action_has_its_own(self, action, student):
        other = factories.make_action(action.week)
        assert open_session(action, student) != open_session(other, student)

    def test_a_completed_action_refuses_a_new_one(self, action, student):
        self_report(action, by=student)
        with pytest.raises(Refused, match="Take back your own report"):
            open_session(action, student)
        assert not CopilotSession.objects.exists()
        action.reopen(by=student)
        assert open_session(action, student)


@pytest.mark.django_db(transaction=True)
class TestOpenAtOnce:
    def test_eight_threads_get_one(self, action, student):
        opened = run_together(8, lambda _: open_session(action, student))
        assert {type(each) for each in opened} == {CopilotSession}
        assert len({each.pk for each in opened}) == 1
        assert CopilotSession.objects.count() == 1

    def test_control_without_the_databases_guard_they_get_several(
        self, action, student, two_may_be_open
    ):
        for _ in range(RACES):
            run_together(8, lambda _: open_session(action, student))
            if CopilotSession.objects.count() > 1:
                return
            CopilotSession.objects.all().delete()
        pytest.fail("The race never happened, so the test above proves nothing.")


@pytest.mark.django_db
class TestEnd:
    def test_it_leaves_two_follow_ups(self, action, student):
        ended = end_session(open_session(action, student), ENDS.STUDENT)
        assert (ended.end_reason, bool(ended.ended_at)) == (ENDS.STUDENT, True)
        rows = FollowUp.objects.filter(session_id=ended.pk)
        assert {row.kind for row in rows} == {"remember_session", "refresh_report"}
        assert {row.plan_id for row in rows} == {action.week.plan_id}

    def test_again_changes_nothing(self, action, student):
        session = open_session(action, student)
        first = end_session(session, ENDS.STUDENT)
        again = end_session(session, ENDS.IDLE)
        assert (again.ended_at, again.end_reason) == (first.ended_at, ENDS.STUDENT)
        assert FollowUp.objects.count() == 2

    def test_a_reopened_sitting_leaves_follow_ups_of_its_own(self, action, student):
        for _ in range(2):
            end_session(open_session(action, student), ENDS.STUDENT)
        assert FollowUp.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_ended_by_eight_threads_it_has_one_end(action, student):
    session = open_session(action, student)
    reasons = list(ENDS.values)
    ended = run_together(8, lambda number: end_session(session, reasons[number % 3]))
    assert len({(row.ended_at, row.end_reason) for row in ended}) == 1
    assert FollowUp.objects.count() == 2


@pytest.mark.django_db
class TestIdle:
    def test_only_idle_ones_are_ended(self, action, student, settings):
        settings.SESSION_IDLE_MINUTES = 120
        idle = open_session(action, student)
        busy = open_session(factories.make_action(action.week), student)
        over = end_session(open_session(factories.make_action(action.week), student), ENDS.STUDENT)
        make_idle(idle, 121)
        make_idle(busy, 119)
        make_idle(over, 500)
        assert end_idle_sessions() == 1
        reasons = CopilotSession.objects.values_list("pk", "end_reason")
        assert dict(reasons) == {idle.pk: ENDS.IDLE, busy.pk: "", over.pk: ENDS.STUDENT}
        assert end_idle_sessions() == 0
        assert FollowUp.objects.filter(session_id=idle.pk).count() == 2


@pytest.mark.django_db(transaction=True)
class TestBackAtTheLastMoment:
    def sweep_while_the_student_returns(self, session, sweep) -> None:
        """The student's turn holds the row while `sweep` waits for it, and is stored first."""
        make_idle(session, 500)
        sweeping = threading.Thread(target=lambda: (sweep(), connection.close()))
        with transaction.atomic():
            CopilotSession.objects.select_for_update().get(pk=session.pk)
            sweeping.start()
            wait_until_somebody_waits()
            CopilotSession.objects.filter(pk=session.pk).update(last_active_at=timezone.now())
        sweeping.join(30)
        session.refresh_from_db()

    def test_the_session_stays_open(self, action, student):
        session = open_session(action, student)
        self.sweep_while_the_student_returns(session, end_idle_sessions)
        assert session.ended_at is None

    def test_control_without_a_second_look_it_is_ended(self, action, student):
        session = open_session(action, student)
        self.sweep_while_the_student_returns(session, lambda: end_session(session, ENDS.IDLE))
        assert session.end_reason == ENDS.IDLE
