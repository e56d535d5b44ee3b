"""The check and complete use cases, with the fake Gemini server and with the rules."""

import threading

import pytest
from django.db import connection, connections

from judge.evidence import read_task
from judge.models import CheckRun
from plans.models import Action, Completion, How, Status
from sessions.completion import check_session, complete_session
from sessions.lifecycle import SessionClosed, end_idle_sessions, end_session, open_session
from sessions.models import CopilotSession
from sessions.transcript import add_student_turn
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer

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


def test_a_check_never_completes(session, gemini):
    gemini.enqueue(MET)
    assert check_session(session).all_met
    assert status_of(session) == Status.NOT_STARTED
    assert CheckRun.objects.get().trigger == "check"


def test_a_tap_checks_again_and_completes(session, gemini):
    gemini.enqueue(MET, MET)
    check_session(session)
    answer_ = complete_session(session)
    assert answer_.completed and answer_.check.all_met
    completion = Completion.objects.get()
    tap = CheckRun.objects.get(trigger="tap")
    assert (completion.how, completion.judge_kind, completion.check_id) == (
        How.CHECKED,
        "gemini",
        tap.pk,
    )
    assert gemini.calls == 2


def test_a_tap_after_a_green_card_is_judged_anew(session, gemini):
    gemini.enqueue(MET, UNMET)
    assert check_session(session).all_met
    answer_ = complete_session(session)
    assert not answer_.completed and answer_.check.outcome == "failed"
    assert status_of(session) == Status.NOT_STARTED


def test_a_check_counts_as_activity(session, gemini):
    CopilotSession.objects.update(last_active_at="2026-01-01T00:00Z")
    gemini.enqueue(UNMET)
    check_session(session)
    assert end_idle_sessions() == 0


def test_already_complete_asks_nobody(session, gemini):
    gemini.enqueue(MET)
    complete_session(session)
    session = end_session(session, CopilotSession.EndReason.COMPLETED)
    again = complete_session(session)
    assert (again.completed, again.check, gemini.calls) == (True, None, 1)


def test_a_closed_session_is_refused(session, gemini):
    session = end_session(session, CopilotSession.EndReason.STUDENT)
    for use_case in (check_session, complete_session):
        with pytest.raises(SessionClosed):
            use_case(session)
    assert gemini.calls == 0


@pytest.mark.parametrize("edit", ["description", "requirement", "week"])
def test_an_edit_while_the_judge_thinks(session, gemini, edit):
    def edit_and_pass(request):
        action = Action.objects.select_related("week").get(pk=session.action_id)
        if edit == "description":
            Action.objects.filter(pk=action.pk).update(description="Now something else.")
        elif edit == "requirement":
            action.requirements.create(title="One more", position=9)
        else:
            action.week.title = "Another week"
            action.week.save()
        connection.close()
        return MET

    gemini.respond = edit_and_pass
    answer_ = complete_session(session)
    assert not answer_.completed
    assert (answer_.check.outcome, answer_.check.reason) == ("undecided", "spec_changed")
    assert "has changed" in answer_.check.summary
    assert not Completion.objects.exists()


def test_an_edit_after_the_judge_is_found_under_the_lock(session, gemini, monkeypatch):
    """The edit comes between the end of the check and the lock: the writer itself looks again."""
    real = Action.update_status

    def edit_first(self, *args, **kwargs):
        Action.objects.filter(pk=self.pk).update(description="Now something else.")
        return real(self, *args, **kwargs)

    monkeypatch.setattr(Action, "update_status", edit_first)
    gemini.enqueue(MET)
    answer_ = complete_session(session)
    assert not answer_.completed and answer_.check.reason == "spec_changed"
    assert answer_.check.spec_version == read_task(session.action_id).spec_version
    assert not Completion.objects.exists()


def test_with_the_rules(session, rules):
    assert check_session(session).all_met
    assert complete_session(session).completed
    completion = Completion.objects.get()
    assert completion.by_rules and completion.how == How.CHECKED


def test_a_hostile_judge_completes_nothing_alone(session, gemini):
    """It says "all met" whatever comes, with quotes it makes up; no tap, no completion, and a tap
    finds no row met."""
    gemini.respond = lambda request: replies.json(answer("met", text="what nobody wrote"))
    for _ in range(3):
        assert not check_session(session).all_met
    assert not complete_session(session).completed
    assert not Completion.objects.exists()


def test_slow_checks_leave_the_pool_free(session, gemini, settings):
    """One more slow check than the pool is large, and another page still gets a connection."""
    size = settings.DATABASES["default"]["OPTIONS"]["pool"]["max_size"]
    release = threading.Event()

    def think(request):
        release.wait(20)
        return UNMET

    gemini.respond = think
    cards = []

    def check():
        cards.append(check_session(session))
        connections.close_all()

    checks = [threading.Thread(target=check) for _ in range(size + 1)]
    for thread in checks:
        thread.start()
    try:
        assert gemini.wait_for(size + 1, timeout=15)
        assert Action.objects.filter(pk=session.action_id).exists()
    finally:
        release.set()
        for thread in checks:
            thread.join(20)
    assert [card.outcome for card in cards] == ["failed"] * (size + 1)


def test_control_held_connections_would_starve_the_pool(session, gemini, settings, monkeypatch):
    monkeypatch.setattr("elivio.llm.gateway.release_connections", lambda: None)
    size = settings.DATABASES["default"]["OPTIONS"]["pool"]["max_size"]
    release = threading.Event()
    gemini.respond = lambda request: (release.wait(20), UNMET)[1]

    def check():
        try:
            check_session(session)
        finally:
            connections.close_all()

    connection.close()
    checks = [threading.Thread(target=check, daemon=True) for _ in range(size)]
    for thread in checks:
        thread.start()
    try:
        assert gemini.wait_for(size, timeout=15)
        stats = connection.pool.get_stats()
        assert stats["pool_available"] == 0
    finally:
        release.set()
        for thread in checks:
            thread.join(20)
