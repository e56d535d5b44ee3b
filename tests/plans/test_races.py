"""Races on the one writer, each first shown as a fault with the lock taken out."""

import contextlib
import threading

import pytest
from django.db import IntegrityError, connections
from django.db.models import QuerySet

from plans.models import Action, Completion, FollowUp, Plan, Status, Week
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 0.4


class Meeting:
    """Holds each thread at a point until both are there, or patience ends: with a lock in force
    the second never comes, without it both pass together."""

    def __init__(self) -> None:
        self._barrier = threading.Barrier(2)

    def wait(self) -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            self._barrier.wait(PATIENCE)


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def plan(student):
    return factories.make_plan(student)


def unlock(monkeypatch, *names):
    """Take row locks out of the named models."""
    real = QuerySet.select_for_update

    def maybe(self, *args, **kwargs):
        return self.all() if self.model.__name__ in names else real(self, *args, **kwargs)

    monkeypatch.setattr(QuerySet, "select_for_update", maybe)


def meet_before(monkeypatch, name):
    """Let both threads meet right before the method `name` of Action."""
    real, meeting = getattr(Action, name), Meeting()

    def method(self, *args):
        meeting.wait()
        return real(self, *args)

    monkeypatch.setattr(Action, name, method)


def tap_together(student, actions):
    """Complete each action in a thread of its own; the errors that came of it."""
    errors = []

    def tap(action):
        try:
            Action.objects.get(pk=action.pk).update_status(
                Status.COMPLETED, by=student, confirmed=True
            )
        except IntegrityError as error:
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=tap, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return errors


class TestDoubleTap:
    def test_control_without_locks_a_tap_is_lost(self, plan, student, monkeypatch):
        """Even then the unique row leaves one completion, but one tap gets an error."""
        action = factories.make_action(plan)
        unlock(monkeypatch, "Plan", "Action")
        meet_before(monkeypatch, "_complete")
        assert len(tap_together(student, [action, action])) == 1
        assert Completion.objects.count() == 1

    def test_every_tap_is_a_quiet_success(self, plan, student, monkeypatch):
        action = factories.make_action(plan)
        meet_before(monkeypatch, "_complete")
        assert tap_together(student, [action, action]) == []
        assert Completion.objects.count() == 1
        assert FollowUp.objects.count() == 2


class TestLastTwoOfAWeek:
    def test_control_without_the_plan_lock_the_week_stays_open(self, plan, student, monkeypatch):
        actions = [factories.make_action(plan), factories.make_action(plan)]
        unlock(monkeypatch, "Plan")
        meet_before(monkeypatch, "_close_week_and_plan")
        assert tap_together(student, actions) == []
        assert Action.objects.filter(status=Status.COMPLETED).count() == 2
        assert Week.objects.get().completed_at is None

    def test_the_week_and_the_plan_complete(self, plan, student, monkeypatch):
        actions = [factories.make_action(plan), factories.make_action(plan)]
        meet_before(monkeypatch, "_close_week_and_plan")
        assert tap_together(student, actions) == []
        assert Week.objects.get().completed_at
        assert Plan.objects.get().completed_at
