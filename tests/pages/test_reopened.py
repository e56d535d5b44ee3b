"""A task that staff have reopened: its student reads why, and checks again."""

import pytest
from django.urls import reverse

from plans.models import Action
from sessions.completion import check_session, complete_session
from sessions.lifecycle import open_session
from sessions.transcript import add_student_turn
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = "Rain, and too few bikes."
REASON = "The second risk is <b>no</b> risk."


@pytest.fixture
def session(action, student, gemini):
    gemini.respond = lambda request: replies.json(answer("met", "met", text=WORDS))
    session = open_session(action, student)
    add_student_turn(session.pk, WORDS, None)
    return session


@pytest.fixture
def pages(client, action, student, session):
    client.force_login(student)
    plan = reverse("plans:plan", args=[action.week.plan_id])
    page = reverse("sessions:session", args=[session.pk])
    return lambda: [client.get(url).content.decode() for url in (plan, page)]


def complete(session):
    session.refresh_from_db()
    assert complete_session(session).completed


def test_the_reason_stands_there_and_the_old_check_does_not(session, action, pages):
    assert check_session(session).all_met
    assert "Ready to mark complete" in pages()[0]
    complete(session)
    Action.objects.get(pk=action.pk).reopen(by=factories.make_staff(), reason=REASON)
    for html in pages():
        assert "Reopened by staff:" in html and "“The second risk is &lt;b&gt;no&lt;" in html
        assert "Ready to mark complete" not in html and "Tap Mark complete" not in html
        assert "Mark complete is ready once" in html or 'id="plan"' in html


def test_it_goes_when_the_task_is_complete_again(session, action, pages):
    complete(session)
    Action.objects.get(pk=action.pk).reopen(by=factories.make_staff(), reason=REASON)
    assert check_session(session).all_met
    assert "Ready to mark complete" in pages()[0]
    assert all("Reopened by staff" in html for html in pages())
    complete(session)
    assert not any("Reopened by staff" in html for html in pages())


def test_what_the_student_took_back_is_not_said(action, student, session, pages):
    assert check_session(session).all_met
    action.update_status("completed", by=student, confirmed=True)
    action.reopen(by=student)
    assert not any("Reopened by staff" in html for html in pages())
    assert "Ready to mark complete" in pages()[0], "nobody has found the check wrong"
