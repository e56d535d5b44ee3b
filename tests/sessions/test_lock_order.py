"""A tap that writes, beside whatever else takes a lock in the same session: neither is lost, and
nobody waits in a circle."""

import threading

import pytest
from django.db import OperationalError, connection, transaction

from judge.audit import read_clock
from judge.models import CheckRun
from plans import editing
from plans.editing import Changes
from plans.models import Action, Completion, Requirement, Status
from plans.task_text import RowText
from sessions import completion, pins
from sessions.images import CleanImage
from sessions.lifecycle import end_session, open_session
from sessions.models import CopilotSession, Picture
from sessions.transcript import add_student_turn
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.locks import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
MET = replies.json(answer("met", text="seven riders"))
IMAGE = CleanImage(b"a picture", is_black=False)


@pytest.fixture
def session():
    student = factories.make_student()
    action = factories.make_action(
        factories.make_plan(student), requirements=[("Ask seven riders", "either")]
    )
    session = open_session(action, student)
    add_student_turn(session.pk, "I asked seven riders what they miss.", None)
    return session


@pytest.fixture
def write(session, gemini):
    """The tap's last step, after the judge."""
    started_at = read_clock()
    gemini.enqueue(MET)
    result = completion._judge(session, None, CheckRun.Trigger.TAP)
    action = Action.objects.get(pk=session.action_id)
    return lambda: completion._complete(action, session, result, started_at)


class Beside(threading.Thread):
    """Work in a thread and on a connection of its own; `fault` is what it raised."""

    def __init__(self, work):
        super().__init__(daemon=True)
        self.work, self.fault, self.backend = work, None, None
        self.start()

    def run(self):
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                self.backend = cursor.fetchone()[0]
            self.work()
        except Exception as error:
            self.fault = error
        finally:
            connection.close()

    def waits_or_ended(self):
        """Whether it has come to a lock that somebody else holds, or to its end."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", [self.backend or 0])
            return cursor.fetchone()[0] or not self.is_alive()


def keep_picture(session):
    pins.keep_picture(session, session.action.requirements.get().pk, IMAGE)


def end(session):
    end_session(session, CopilotSession.EndReason.STUDENT)


WORKS = pytest.mark.parametrize("work", [keep_picture, end])


def start_when_completed(session, work, monkeypatch):
    """Start the other work the moment that the tap has written COMPLETED, not yet committed."""
    real, started = Action.update_status, []

    def write_then_start(self, *args, **kinds):
        made = real(self, *args, **kinds)
        started.append(Beside(lambda: work(session)))
        assert wait_until(started[0].waits_or_ended)
        return made

    monkeypatch.setattr(Action, "update_status", write_then_start)
    return started


@WORKS
def test_neither_is_lost(session, write, work, monkeypatch):
    started = start_when_completed(session, work, monkeypatch)
    write()
    started[0].join(20)
    assert started[0].fault is None
    assert Completion.objects.count() == 1


@WORKS
def test_control_with_the_sessions_row_last_they_wait_in_a_circle(session, work, monkeypatch):
    started = start_when_completed(session, work, monkeypatch)
    with pytest.raises(OperationalError, match="deadlock"), transaction.atomic():
        session.action.update_status(Status.COMPLETED, by=session.student, confirmed=True)
        list(CopilotSession.objects.select_for_update(no_key=True).filter(pk=session.pk))
        started[0].join(20)
        raise started[0].fault or AssertionError("nobody waited in a circle")


def remove_by_edit(session):
    action = Action.objects.get(pk=session.action_id)
    changes = Changes(rows=[RowText(None, "Say what they miss", "written")])
    editing.edit_task(session.student, action.pk, changes, expected_version=action.spec_version)


def remove_by_agreement(session):
    editing.agree_on(session.student, session.action, [])


@pytest.mark.parametrize(
    ("remove", "origin"), [(remove_by_edit, "plan"), (remove_by_agreement, "agreed")]
)
def test_a_row_that_goes_after_a_picture_that_is_being_kept(session, remove, origin):
    row = session.action.requirements.get()
    Requirement.objects.filter(pk=row.pk).update(origin=origin)
    with transaction.atomic():
        pins.keep_picture(session, row.pk, IMAGE)
        edit = Beside(lambda: remove(session))
        assert wait_until(edit.waits_or_ended)
    edit.join(20)
    assert edit.fault is None
    assert not Picture.objects.exists() and not Requirement.objects.filter(pk=row.pk).exists()


def test_a_row_that_goes_while_its_picture_is_sent(session):
    rows = session.action.requirements.all()
    pk = rows.get().pk
    with transaction.atomic():
        rows.delete()
        upload = Beside(lambda: pins.keep_picture(session, pk, IMAGE))
        assert wait_until(upload.waits_or_ended)
    upload.join(20)
    assert isinstance(upload.fault, Requirement.DoesNotExist)
    assert not Picture.objects.exists()
