"""Races on the one writer, each first shown as a fault with the lock taken out."""

import threading

import pytest
from django.db import IntegrityError, connections
from django.db.models import QuerySet

from plans.models import Action, Completion, FollowUp, Plan, Status, Week
from plans.passed_check import CheckedRow, PassedCheck
from tests import factories
from tests.locks import Meeting, is_somebody_waiting, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


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


def meet_at(monkeypatch, name):
    """Let both threads meet right before the method `name` of Action, and right after it: neither
    commits before the other has read."""
    real, before, after = getattr(Action, name), Meeting(), Meeting()

    def method(self, *args):
        before.wait()
        got = real(self, *args)
        after.wait()
        return got

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
        meet_at(monkeypatch, "_complete")
        assert len(tap_together(student, [action, action])) == 1
        assert Completion.objects.count() == 1

    def test_every_tap_is_a_quiet_success(self, plan, student, monkeypatch):
        action = factories.make_action(plan)
        meet_at(monkeypatch, "_complete")
        assert tap_together(student, [action, action]) == []
        assert Completion.objects.count() == 1
        assert FollowUp.objects.count() == 2


class TestLastTwoOfAWeek:
    def test_control_without_the_plan_lock_the_week_stays_open(self, plan, student, monkeypatch):
        actions = [factories.make_action(plan), factories.make_action(plan)]
        unlock(monkeypatch, "Plan")
        meet_at(monkeypatch, "_close_week_and_plan")
        assert tap_together(student, actions) == []
        assert Action.objects.filter(status=Status.COMPLETED).count() == 2
        assert Week.objects.get().completed_at is None

    def test_the_week_and_the_plan_complete(self, plan, student, monkeypatch):
        actions = [factories.make_action(plan), factories.make_action(plan)]
        meet_at(monkeypatch, "_close_week_and_plan")
        assert tap_together(student, actions) == []
        assert Week.objects.get().completed_at
        assert Plan.objects.get().completed_at


class TestEditUnderATap:
    """A check passed on version 1; the text changes between the writer's look and its write."""

    def tap(self, action, student, monkeypatch):
        rows = [CheckedRow(row.pk, row.title, "met") for row in action.requirements.all()]
        check = PassedCheck(
            action_id=action.pk,
            spec_version=action.spec_version,
            requirement_ids=frozenset(row.id for row in rows),
            checklist=tuple(rows),
            judge_kind="gemini",
        )
        real, editors = Completion.save, []

        def save(self, *args, **kwargs):
            editor = threading.Thread(target=edit)
            editor.start()
            assert wait_until(lambda: not editor.is_alive() or is_somebody_waiting())
            editors.append(editor)
            return real(self, *args, **kwargs)

        def edit():
            Action.objects.filter(pk=action.pk).update(description="Now something else.")
            connections.close_all()

        monkeypatch.setattr(Completion, "save", save)
        action.update_status(Status.COMPLETED, by=student, confirmed=True, check=check)
        editors[0].join(30)

    def test_control_without_the_action_lock_only_the_database_refuses(
        self, plan, student, monkeypatch
    ):
        unlock(monkeypatch, "Action")
        with pytest.raises(IntegrityError):
            self.tap(factories.make_action(plan), student, monkeypatch)

    def test_the_edit_waits_for_the_tap(self, plan, student, monkeypatch):
        action = factories.make_action(plan)
        self.tap(action, student, monkeypatch)
        action.refresh_from_db()
        assert action.status == Status.COMPLETED
        assert action.current_completion.spec_version == action.spec_version - 1
