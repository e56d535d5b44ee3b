"""Edits against taps and against each other, with real threads, each first shown as a fault with
the lock taken out."""

import threading

import pytest
from django.db import OperationalError, connections
from django.db.models import QuerySet

from plans import editing
from plans.editing import Changes
from plans.errors import TaskChanged, WeekBegun, WeekWouldClose
from plans.models import Action, ActionEdit, Plan, Status, Week
from tests import factories
from tests.locks import PATIENCE, Meeting, wait_until_somebody_waits
from tests.plans.editing.calls import find_inconsistent
from tests.plans.test_races import unlock
from tests.sessions.together import run_together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def plan(student):
    return factories.make_plan(student)


def tap(student, action):
    Action.objects.get(pk=action.pk).update_status(Status.COMPLETED, by=student, confirmed=True)


class TestTheLastTwoOfAWeek:
    """One is dropped while the other is completed."""

    def run(self, student, plan, monkeypatch):
        first, last = factories.make_action(plan), factories.make_action(plan)
        meeting, edit_note, complete = Meeting(), editing._note, Action._close_week_and_plan

        def note(*args):
            meeting.wait()
            return edit_note(*args)

        def close(action, plan):
            complete(action, plan)
            meeting.wait()

        monkeypatch.setattr(editing, "_note", note)
        monkeypatch.setattr(Action, "_close_week_and_plan", close)
        steps = (lambda: editing.drop_task(student, first.pk), lambda: tap(student, last))
        return [got for got in run_together(2, lambda at: steps[at]()) if got is not None]

    def test_control_without_the_plan_lock_the_week_stays_open(self, student, plan, monkeypatch):
        unlock(monkeypatch, "Plan")
        [edit] = self.run(student, plan, monkeypatch)
        assert isinstance(edit, ActionEdit)
        assert find_inconsistent(plan) == [Week.objects.get(), plan]

    def test_one_sees_the_other(self, student, plan, monkeypatch):
        [got] = self.run(student, plan, monkeypatch)
        assert isinstance(got, ActionEdit | WeekWouldClose)
        assert find_inconsistent(plan) == []
        is_dropped = isinstance(got, ActionEdit)
        assert (Plan.objects.get().completed_at is not None) == is_dropped


class TestTwoEditsOfOneVersion:
    def run(self, student, action, monkeypatch):
        meeting, change = Meeting(), editing._change

        def change_after_both_looked(*args):
            meeting.wait()
            return change(*args)

        monkeypatch.setattr(editing, "_change", change_after_both_looked)
        return run_together(
            2,
            lambda at: editing.edit_task(
                student,
                action.pk,
                Changes(title=f"Version of {at}"),
                expected_version=action.spec_version,
            ),
        )

    def test_control_without_locks_both_win(self, student, plan, monkeypatch):
        action = factories.make_action(plan)
        unlock(monkeypatch, "Plan", "Action")
        got = self.run(student, action, monkeypatch)
        assert [type(each) for each in got] == [ActionEdit, ActionEdit]

    def test_exactly_one_wins(self, student, plan, monkeypatch):
        action = factories.make_action(plan)
        got = self.run(student, action, monkeypatch)
        assert {type(each) for each in got} == {ActionEdit, TaskChanged}
        winner = next(each for each in got if isinstance(each, ActionEdit))
        action.refresh_from_db()
        assert action.title == winner.after["title"]
        assert action.spec_version == winner.spec_version


class TestWeekTextAgainstItsLastTap:
    """The text's trigger writes the week's tasks, the tap writes a task and then its week."""

    def run(self, student, plan, monkeypatch):
        action, week = factories.make_action(plan), plan.weeks.get()
        settle = Action._close_week_and_plan
        got = []

        def edit_week():
            try:
                got.append(editing.edit_week(student, week.pk, title="Other", description=""))
            except (WeekBegun, OperationalError) as error:
                got.append(error)
            finally:
                connections.close_all()

        editor = threading.Thread(target=edit_week)

        def settle_while_the_edit_waits(action, plan):
            editor.start()
            wait_until_somebody_waits()
            settle(action, plan)

        monkeypatch.setattr(Action, "_close_week_and_plan", settle_while_the_edit_waits)
        try:
            tap(student, action)
        except OperationalError as error:
            got.append(error)
        editor.join(PATIENCE)
        return got

    def test_control_without_the_plan_lock_they_deadlock(self, student, plan, monkeypatch):
        unlock(monkeypatch, "Plan")
        got = self.run(student, plan, monkeypatch)
        assert "deadlock detected" in " ".join(map(str, got))

    def test_the_edit_waits_and_sees_the_tap(self, student, plan, monkeypatch):
        [refusal] = self.run(student, plan, monkeypatch)
        assert isinstance(refusal, WeekBegun)
        assert Week.objects.get().completed_at and Week.objects.get().title == "First steps"
        assert find_inconsistent(plan) == []


def test_control_somebody_who_does_not_wait_is_not_seen(monkeypatch):
    monkeypatch.setattr("tests.locks.PATIENCE", 0.1)
    with pytest.raises(AssertionError, match="Nobody waited"):
        wait_until_somebody_waits()


def test_an_edit_locks_the_plan_first(student, plan, monkeypatch):
    action, real = factories.make_action(plan), []
    monkeypatch.setattr(
        QuerySet, "select_for_update", lambda self, *args, **how: (real.append(self), self.all())[1]
    )
    editing.drop_task(student, action.pk, close_week=True)
    assert [queryset.model.__name__ for queryset in real] == ["Plan", "Action"]
