"""The daily ceilings: atomic, before the call, each purpose for itself, and a tap held back."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections
from django.db.models import QuerySet
from django.utils import timezone

from elivio.llm import gateway
from elivio.llm.errors import LLMError
from judge.models import CheckRun
from plans import editing, spending
from plans.models import Allowance, DailyUse, HeldTap, ModelSwitch, Plan, Purpose, Status
from plans.spending import Payer
from plans.status import self_report
from sessions import memory
from sessions.chat import send_turn
from sessions.completion import cancel_tap, check_session, complete_session
from sessions.lifecycle import open_session
from sessions.models import MemorySummary
from sessions.transcript import add_student_turn
from tests import factories
from tests.elivio.llm.asking import structured_request
from tests.fakes import replies
from tests.fakes.brain import answer

pytestmark = pytest.mark.django_db(transaction=True)
MET = replies.json(answer("met", text="seven riders"))
UNMET = replies.json(answer("not_met"))


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def open_task(student):
    """Return a function that opens a session on a new task, with the student's work in it."""
    plan = factories.make_plan(student)

    def make():
        action = factories.make_action(plan, requirements=[("Ask seven riders", "either")])
        session = open_session(action, student)
        add_student_turn(session.pk, "I asked seven riders what they miss.", None)
        return session

    return make


@pytest.fixture
def ceiling(settings):
    def set_ceiling(purpose, calls):
        settings.DAILY_MODEL_CALLS = {**settings.DAILY_MODEL_CALLS, purpose: calls}

    return set_ceiling


def ask(payer):
    """One model call on the payer's account: True when it was made."""
    try:
        gateway.structured("judge", structured_request(), deadline_seconds=20, spend=payer.spend)
    except LLMError as error:
        assert error.code == "budget_spent"
        return False
    finally:
        connections.close_all()
    return True


def test_of_a_hundred_at_once_exactly_the_ceiling_gets_through(student, gemini, ceiling):
    ceiling("chat", 60)
    payer = Payer(student.pk, Purpose.CHAT)
    barrier = threading.Barrier(100)
    with ThreadPoolExecutor(100) as pool:
        made = list(pool.map(lambda _: (barrier.wait(60), ask(payer))[1], range(100)))
    assert made.count(True) == gemini.calls == 60
    use = DailyUse.objects.get()
    assert (use.calls, use.refused, use.day) == (60, 40, timezone.localdate())


def test_control_without_the_lock_more_get_through(student, gemini, ceiling, monkeypatch):
    ceiling("chat", 1)
    DailyUse.objects.create(student=student, day=timezone.localdate(), purpose="chat")
    both_have_read = threading.Barrier(2)
    save = DailyUse.save

    def save_late(use, **kwargs):
        both_have_read.wait(30)
        save(use, **kwargs)

    monkeypatch.setattr(DailyUse, "save", save_late)
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **kwargs: rows)
    payer = Payer(student.pk, Purpose.CHAT)
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda _: ask(payer), range(2))) == [True, True]
    assert gemini.calls == 2


def test_each_student_day_and_purpose_counts_for_itself(student, gemini, ceiling):
    ceiling("chat", 1)
    assert ask(Payer(student.pk, Purpose.CHAT))
    assert not ask(Payer(student.pk, Purpose.CHAT))
    assert ask(Payer(student.pk, Purpose.BACKGROUND))
    assert ask(Payer(factories.make_student().pk, Purpose.CHAT))
    DailyUse.objects.update(day=timezone.localdate() - timezone.timedelta(days=1))
    assert ask(Payer(student.pk, Purpose.CHAT))


def test_a_call_that_fails_is_counted(student, gemini):
    gemini.enqueue(replies.error(503))
    with pytest.raises(LLMError):
        gateway.structured(
            "judge",
            structured_request(),
            deadline_seconds=5,
            spend=Payer(student.pk, Purpose.CHAT).spend,
        )
    assert DailyUse.objects.get().calls == 1


def test_plain_rules_are_not_counted(open_task, rules):
    check_session(open_task())
    assert not DailyUse.objects.exists() and not HeldTap.objects.exists()


def test_talking_never_uses_up_the_right_to_finish(open_task, gemini, ceiling):
    ceiling("chat", 1)
    session = open_task()
    send_turn(session, "Hello")
    refused = send_turn(session, "And again")
    assert (refused.reply, refused.reason) == (None, "budget_spent")
    assert "your checks have a count of their own" in refused.sentence
    assert session.turns.filter(text="And again").exists()
    gemini.enqueue(MET, MET)
    assert check_session(session).all_met
    assert complete_session(session).completed


def test_a_passed_check_holds_its_tap_back(open_task, gemini, ceiling):
    ceiling("check", 4)
    first, second = open_task(), open_task()
    gemini.enqueue(MET)
    assert check_session(first).all_met
    calls = gemini.calls
    card = check_session(second)
    assert (card.outcome, card.reason) == ("undecided", "budget_spent")
    assert "back tomorrow" in card.summary
    assert gemini.calls == calls
    assert CheckRun.objects.get(pk=card.id).reason == "budget_spent"
    gemini.enqueue(MET)
    assert complete_session(first).completed
    first.action.refresh_from_db()
    assert first.action.status == Status.COMPLETED
    assert not HeldTap.objects.exists()


def test_control_without_the_hold_the_tap_would_be_refused(open_task, gemini, ceiling, monkeypatch):
    monkeypatch.setattr(spending, "TAP_CALLS", 0)
    ceiling("check", 2)
    first, second = open_task(), open_task()
    gemini.enqueue(MET, UNMET)
    assert check_session(first).all_met
    assert check_session(second).outcome == "failed"
    assert complete_session(first).check.reason == "budget_spent"


def test_a_failed_check_gives_the_tap_back(open_task, gemini, ceiling):
    ceiling("check", 4)
    gemini.enqueue(UNMET, UNMET)
    assert check_session(open_task()).outcome == "failed"
    assert not HeldTap.objects.exists()
    assert check_session(open_task()).outcome == "failed"


def test_a_held_tap_outlives_a_lowered_ceiling_and_a_busy_provider(
    open_task, student, gemini, ceiling
):
    ceiling("check", 10)
    session = open_task()
    gemini.enqueue(MET)
    assert check_session(session).all_met
    staff = factories.make_staff()
    Allowance.objects.create(
        student=student, purpose="check", daily_calls=0, reason="A loop", by=staff
    )
    gemini.enqueue(replies.error(400))
    assert complete_session(session).check.outcome == "undecided"
    gemini.enqueue(MET)
    assert complete_session(session).completed


def held():
    return list(HeldTap.objects.values_list("calls", flat=True))


def report_done(student, action):
    self_report(action, by=student)


def drop(student, action):
    editing.drop_task(student, action.pk)


def archive(student, action):
    Plan.objects.filter(weeks__actions=action).update(archived_at=timezone.now())


def edit(student, action):
    changes = editing.Changes(title="Another one")
    editing.edit_task(student, action.pk, changes, expected_version=action.spec_version)


@pytest.mark.parametrize("end", [report_done, drop, archive, edit])
def test_nothing_is_held_for_a_task_that_cannot_be_tapped(open_task, student, gemini, ceiling, end):
    ceiling("check", 4)
    first, second = open_task(), open_task()
    gemini.enqueue(MET)
    assert check_session(first).all_met
    end(student, first.action)
    gemini.enqueue(MET)
    assert check_session(second).all_met


def test_a_check_without_a_verdict_holds_nothing(open_task, gemini, ceiling):
    ceiling("check", 5)
    gemini.enqueue(replies.error(503), replies.error(503))
    assert check_session(open_task()).outcome == "undecided"
    assert held() == []
    gemini.enqueue(MET)
    assert check_session(open_task()).all_met


def test_an_older_check_that_ends_late_takes_no_passed_ones_tap(open_task, gemini, ceiling):
    ceiling("check", 6)
    session, newer = open_task(), []

    def respond(request):
        if newer:
            return MET
        newer.append(None)
        newer[0] = check_session(session)
        connection.close()
        return UNMET

    gemini.respond = respond
    assert check_session(session).outcome == "failed" and newer[0].all_met
    assert held() == [2]


def test_a_check_without_a_verdict_takes_no_passed_ones_tap(open_task, gemini, ceiling):
    ceiling("check", 5)
    session = open_task()
    gemini.enqueue(MET, replies.error(503), replies.error(503))
    assert check_session(session).all_met
    assert check_session(session).outcome == "undecided"
    assert check_session(session).reason == "budget_spent"
    assert held() == [2]
    gemini.enqueue(MET)
    assert complete_session(session).completed


@pytest.mark.parametrize(("most", "reason"), [(5, ""), (3, "budget_spent")])
def test_a_tap_without_a_verdict_holds_the_next_one_while_there_is_room(
    open_task, gemini, ceiling, most, reason
):
    ceiling("check", most)
    session = open_task()
    gemini.enqueue(MET, replies.error(503), replies.error(503))
    assert check_session(session).all_met
    assert complete_session(session).check.outcome == "undecided"
    assert held() == ([0] if reason else [2])
    gemini.enqueue(MET)
    again = complete_session(session)
    assert again.completed is not bool(reason)
    assert not reason or again.check.reason == reason


def test_a_cancelled_tap_holds_the_next_one(open_task, gemini, ceiling):
    ceiling("check", 4)
    session = open_task()
    gemini.enqueue(MET)
    assert check_session(session).all_met

    def cancel_and_pass(request):
        cancel_tap(session)
        connection.close()
        return MET

    gemini.respond = cancel_and_pass
    assert complete_session(session).check.reason == "cancelled"
    assert held() == [2]


def test_a_check_out_of_calls_is_never_stuck(open_task, gemini, ceiling):
    ceiling("check", 1)
    session = open_task()
    assert [check_session(session).is_stuck for _ in range(3)] == [False] * 3
    assert gemini.calls == 0


def test_the_newest_allowance_counts(student, gemini, ceiling):
    ceiling("chat", 0)
    payer, staff = Payer(student.pk, Purpose.CHAT), factories.make_staff()
    signed = {"student": student, "purpose": "chat", "reason": "A big project", "by": staff}
    assert not ask(payer)
    Allowance.objects.create(daily_calls=1, **signed)
    assert ask(payer) and not ask(payer)
    Allowance.objects.create(daily_calls=2, **signed)
    assert ask(payer) and not ask(payer)
    assert ask(Payer(student.pk, Purpose.CHECK))


def test_the_switch_ends_every_call_and_lifts_again(open_task, gemini):
    staff, session = factories.make_staff(), open_task()
    ModelSwitch.objects.create(is_off=True, reason="The bill", by=staff)
    assert check_session(session).reason == "switched_off"
    assert send_turn(session, "Hello").reason == "switched_off"
    assert complete_session(session).check.reason == "switched_off"
    assert gemini.calls == 0
    ModelSwitch.objects.create(is_off=False, reason="Paid", by=staff)
    gemini.enqueue(MET)
    assert check_session(session).all_met


def test_a_session_is_remembered_by_its_excerpt(open_task, gemini, ceiling):
    ceiling("background", 0)
    session = open_task()
    memory.remember_session(session)
    assert "seven riders" in MemorySummary.objects.get().made
    assert gemini.calls == 0
