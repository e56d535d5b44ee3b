"""The list of what a student has dropped, on the plan page: what it shows, restores and refuses."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from plans import editing
from plans.models import Action, Week
from tests import factories
from tests.pages.reading import buttons_of, ids_of, text_of

pytestmark = pytest.mark.django_db
LIST = "dropped-tasks"


@pytest.fixture
def other(action):
    return factories.make_action(action.week, "Draw the map")


@pytest.fixture
def plan_url(action):
    return reverse("plans:plan", args=[action.week.plan_id])


def test_nothing_dropped_is_no_list(client, other, plan_url):
    assert LIST not in ids_of(client.get(plan_url))


def test_each_is_named_with_its_week_and_when_and_comes_back(
    client, student, action, other, plan_url
):
    editing.drop_task(student, action.pk)
    Action.objects.filter(pk=action.pk).update(archived_at="2026-03-02T10:00Z")
    page = client.get(plan_url)
    text = text_of(page)
    assert "Tasks you dropped (1) Know the risks Week 1 · dropped 2 Mar" in text
    assert "opens week" not in text and "1 task " in text
    assert "Restore: Know the risks" in buttons_of(page)
    page = client.post(reverse("plans:restore", args=[action.pk]), follow=True)
    assert "This task is back in week 1." in text_of(page) and LIST not in ids_of(page)


def test_the_last_dropped_stands_first(client, student, action, other, plan_url):
    third = factories.make_action(action.week, "Print the map")
    for task in (action, third):
        editing.drop_task(student, task.pk)
    text = text_of(client.get(plan_url))
    listed = text[text.index("Tasks you dropped (2)") :]
    assert listed.index("Print the map") < listed.index("Know the risks")


def test_a_closed_week_is_said_before_and_after(client, student, action, plan_url):
    editing.drop_task(student, action.pk, close_week=True)
    assert "restoring it opens week 1 again" in text_of(client.get(plan_url))
    page = client.post(reverse("plans:restore", args=[action.pk]), follow=True)
    assert "back in week 1, which is open again." in text_of(page)
    assert Week.objects.get().completed_at is None


def test_a_full_week_refuses_with_what_to_do(client, student, action, other, monkeypatch):
    editing.drop_task(student, action.pk)
    monkeypatch.setattr(editing, "MOST_TASKS", 1)
    page = client.post(reverse("plans:restore", args=[action.pk]), follow=True)
    assert "Week 1 holds 1 tasks already. Move or drop one of them" in text_of(page)
    assert b'dropped-tasks" open' in page.content and "autofocus" in page.content.decode()


def test_what_staff_archived_and_what_came_back_are_not_listed(
    client, student, action, other, plan_url
):
    editing.drop_task(student, action.pk)
    editing.restore_task(student, action.pk)
    Action.objects.filter(pk__in=[action.pk, other.pk]).update(archived_at="2026-01-01T00:00Z")
    page = client.get(plan_url)
    assert LIST not in ids_of(page) and not any("Restore" in name for name in buttons_of(page))


def test_of_another_plan_nothing_is_listed(client, student, action, other):
    editing.drop_task(student, action.pk)
    second = factories.make_plan(student, title="A second one")
    assert LIST not in ids_of(client.get(reverse("plans:plan", args=[second.pk])))


def test_the_same_queries_for_one_and_for_fifty(client, student, action, other, plan_url):
    counts = []
    for number in (1, 50):
        while Action.objects.exclude(archived_at=None).count() < number:
            editing.drop_task(student, factories.make_action(action.week).pk)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(plan_url).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_title_of_markup_is_shown_as_words(client, student, action, other, plan_url):
    Action.objects.filter(pk=action.pk).update(title="<script>window.x</script>")
    editing.drop_task(student, action.pk)
    assert "<script>window" not in client.get(plan_url).content.decode()
