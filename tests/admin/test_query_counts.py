"""The number of queries of each admin page: committed, and the same for 5 rows and for 500."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judge.models import CheckRun
from plans.models import Week
from sessions.models import Turn
from tests import factories
from tests.admin.many_records import add_many
from tests.admin.query_counts import HEALTH, LISTS, PAGES
from tests.admin.records import MODELS, add_record, admin_of, url_of

pytestmark = pytest.mark.django_db


def count_queries(client, url):
    with CaptureQueriesContext(connection) as queries:
        response = client.get(url)
    assert response.status_code == 200
    return len(queries)


def count_lists(client):
    return {
        model._meta.label: count_queries(client, reverse(url_of(model, "changelist")))
        for model in MODELS
    }


def count_pages(client):
    """The most that a page of the model takes: a reopened completion, a turn that is a reply."""
    return {
        model._meta.label: max(
            count_queries(client, reverse(url_of(model, "change"), args=[row.pk]))
            for row in model.objects.all()
        )
        for model in MODELS
    }


def test_lists_with_5_and_with_500_rows(root):
    records = [add_record(f"Task {number}") for number in range(5)]
    assert all(model.objects.count() >= 5 for model in MODELS)
    count_lists(root)  # content types and templates are read once per process
    few = count_lists(root)
    health = reverse("admin:judge_checkrun_health")
    assert count_queries(root, health) == HEALTH
    add_many(records[0], 495)
    assert all(model.objects.count() >= 500 for model in MODELS)
    assert few == count_lists(root) == LISTS
    assert count_queries(root, health) == HEALTH


def test_control_without_the_joins_a_list_asks_per_row(root, monkeypatch):
    monkeypatch.setattr(admin_of(CheckRun), "list_select_related", ())
    url = reverse(url_of(CheckRun, "changelist"))
    add_record()
    few = count_queries(root, url)
    for _ in range(4):
        add_record()
    assert count_queries(root, url) > few > LISTS["judge.CheckRun"]


def test_pages_of_one_record(root, record):
    count_pages(root)
    assert count_pages(root) == PAGES


@pytest.mark.parametrize("number", [5, 200])
def test_pages_with_much_in_them(root, record, number):
    """A plan of many actions in many weeks, an action's week, and a long session."""
    root.get(reverse("admin:index"))
    for week in range(2, 7):
        made = Week.objects.create(plan=record.plan, number=week, title=f"Week {week}")
        for position in range(number // 5):
            factories.make_action(made, f"Task {position}", position=position)
    Turn.objects.bulk_create(
        Turn(session=record.session, number=place, role="student", text="x")
        for place in range(10, 10 + number)
    )
    for row in (record.plan, record.plan.weeks.last(), record.session):
        url = reverse(url_of(type(row), "change"), args=[row.pk])
        assert count_queries(root, url) == PAGES[row._meta.label]


def test_every_model_has_its_numbers():
    assert set(LISTS) == set(PAGES) == {model._meta.label for model in MODELS}
