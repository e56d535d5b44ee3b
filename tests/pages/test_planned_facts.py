"""Hours, topics and what a task comes after, on the plan page and in the task's session."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from plans import editing
from plans.models import Action, Week
from plans.status import self_report
from sessions.lifecycle import open_session
from tests import factories
from tests.pages.reading import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def later(action):
    week = Week.objects.create(plan=action.week.plan, number=2, title="Later")
    facts = {"hours": 3, "topics": ["maps", "ink"], "depends_on": [str(action.pk)]}
    return factories.make_action(week, "Draw the map", **facts)


@pytest.fixture
def plan_url(action):
    return reverse("plans:plan", args=[action.week.plan_id])


@pytest.fixture
def session_url(later, student):
    return reverse("sessions:session", args=[open_session(later, student).pk])


def test_both_pages_say_them_in_words(client, later, plan_url, session_url):
    for url in (plan_url, session_url):
        assert "3 hours maps, ink after “ Know the risks ”" in text_of(client.get(url))


def test_only_what_is_known_is_said(client, action, plan_url):
    assert 'class="soft planned"' not in client.get(plan_url).content.decode()
    Action.objects.update(hours=1)
    text = text_of(client.get(plan_url))
    assert "1 hour" in text and "1 hours" not in text and "after " not in text


def test_a_finished_task_no_longer_says_them(client, student, later, plan_url):
    self_report(later, by=student)
    assert "maps, ink" not in text_of(client.get(plan_url))


def test_a_dropped_task_is_not_waited_for(client, student, action, later, plan_url, session_url):
    editing.drop_task(student, action.pk, close_week=True)
    for url in (plan_url, session_url):
        text = text_of(client.get(url))
        assert "3 hours maps, ink" in text and "Know the risks ”" not in text


@pytest.mark.parametrize("depends_on", [["nothing"], [7], [None], [], {}])
def test_odd_references_name_nothing(client, action, later, plan_url, session_url, depends_on):
    Action.objects.filter(pk=later.pk).update(depends_on=depends_on)
    for url in (plan_url, session_url):
        assert "after “" not in text_of(client.get(url))


def test_words_of_markup_are_shown_as_words(client, action, later, plan_url, session_url):
    Action.objects.filter(pk=later.pk).update(topics=["<script>window.x</script>"])
    Action.objects.filter(pk=action.pk).update(title="<script>window.y</script>")
    for url in (plan_url, session_url):
        assert "<script>window" not in client.get(url).content.decode()


def test_in_a_session_one_query_however_many_tasks_there_are(client, action, later, session_url):
    def count():
        with CaptureQueriesContext(connection) as queries:
            client.get(session_url)
        return len(queries)

    one = count()
    others = [factories.make_action(action.week) for _ in range(30)]
    Action.objects.filter(pk=later.pk).update(depends_on=[str(other.pk) for other in others])
    assert count() == one
    Action.objects.filter(pk=later.pk).update(depends_on=[])
    assert count() == one - 1
