"""Races around a draft: one form sent several times at once, and a removal while a plan is
accepted. Each guard has a control that shows the fault without it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.http import Http404

from plans.making import drafts
from plans.models import Plan, PlanDraft
from sessions.erasure import erase_person
from tests import factories
from tests.locks import wait_for_a_blocked_query
from tests.plans.making.proposals import ANSWERS
from tests.sessions.together import run_together

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 6


@pytest.fixture
def student():
    return factories.make_student()


def unlock_people(monkeypatch):
    """Take the lock of the person's row out."""
    monkeypatch.setattr(drafts, "_lock_person", lambda user: user)


def ask(student, **changes):
    return drafts.ask_for_plan(student, **{**ANSWERS, **changes}).pk


def test_one_form_sent_at_once_makes_one_draft(student):
    made = run_together(AT_ONCE, lambda number: ask(student))
    assert made == [PlanDraft.objects.get().pk] * AT_ONCE


def test_other_numbers_sent_at_once_are_other_drafts(student):
    made = run_together(4, lambda number: ask(student, hours_per_week=5 + number % 2))
    assert sorted(draft.brief["hours_per_week"] for draft in PlanDraft.objects.all()) == [5, 6]
    assert made[0] == made[2] != made[1] == made[3]


def test_control_without_the_lock_one_form_makes_more(student, monkeypatch):
    """Everybody looks for the same brief before anybody keeps one."""
    real, looked = drafts._find_same, threading.Barrier(AT_ONCE)

    def look_together(*args):
        found = real(*args)
        looked.wait(20)
        return found

    unlock_people(monkeypatch)
    monkeypatch.setattr(drafts, "_find_same", look_together)
    monkeypatch.setattr(drafts, "MOST_DRAFTS", AT_ONCE)
    run_together(AT_ONCE, lambda number: ask(student))
    assert PlanDraft.objects.count() > 1


def accept_while_removed(student, monkeypatch):
    """A removal begins while the plan is written and its draft's row is held. Either way it has to
    wait somewhere: for the person's row, or past the plans, where it is too late."""
    draft = factories.make_draft(student)
    staff = factories.make_staff(is_superuser=True)
    real, written, go_on = drafts.write_plan, threading.Event(), threading.Event()

    def write_and_wait(*args):
        plan = real(*args)
        written.set()
        assert go_on.wait(30)
        return plan

    monkeypatch.setattr(drafts, "write_plan", write_and_wait)
    with ThreadPoolExecutor(2) as pool:
        accepted = pool.submit(and_close, drafts.accept_draft, student, draft.pk)
        assert written.wait(30)
        removed = pool.submit(and_close, erase_person, student, by=staff, reason="They asked.")
        wait_for_a_blocked_query()
        go_on.set()
        accepted.result(30)
        removed.result(30)
    return Plan.objects.get(owner=student)


def and_close(work, *args, **named):
    try:
        return work(*args, **named)
    finally:
        connection.close()


def test_a_removal_waits_for_the_plan_that_is_being_accepted(student, monkeypatch):
    plan = accept_while_removed(student, monkeypatch)
    assert plan.goal == "" and plan.archived_at is not None


def test_control_without_the_lock_the_plan_outlives_its_owner(student, monkeypatch):
    unlock_people(monkeypatch)
    plan = accept_while_removed(student, monkeypatch)
    assert plan.goal != "" and plan.archived_at is None


def test_whoever_was_removed_accepts_nothing(student):
    draft = factories.make_draft(student)
    drafts.User.objects.filter(pk=student.pk).update(is_active=False)
    with pytest.raises(Http404):
        drafts.accept_draft(student, draft.pk)
    assert not Plan.objects.exists()
