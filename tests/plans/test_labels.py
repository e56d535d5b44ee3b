"""How a completion is called, everywhere alike: who judged it, and how many rows staff decided."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from plans.models import Completion
from plans.models.completion import CountStaffRows
from sessions.report import refresh_report
from tests import factories
from tests.api.calling import Caller
from tests.finishing import finish
from tests.pages.reading import text_of

pytestmark = pytest.mark.django_db
ROWS = [("One", "written"), ("Two", "written"), ("Three", "written")]
LABELS = [
    ("checked", 0, "Checked"),
    ("checked", 1, "Checked, 1 row decided by staff"),
    ("checked", 2, "Checked, 2 rows decided by staff"),
    ("by_rules", 1, "Checked by plain rules (demo), 1 row decided by staff"),
    ("self_reported", 0, "Self-reported"),
]


@pytest.fixture
def plan():
    return factories.make_plan(factories.make_student())


@pytest.mark.parametrize(("kind", "by_staff", "label"), LABELS)
def test_the_same_words_everywhere(plan, kind, by_staff, label):
    action = factories.make_action(plan, requirements=ROWS)
    completion = finish(action, kind, by_staff=by_staff)
    assert completion.label == label
    assert Completion.objects.annotate(n=CountStaffRows("checklist")).get().n == by_staff
    client = Client()
    client.force_login(plan.owner)
    how, _, decided = label.partition(", ")
    page = text_of(client.get(reverse("plans:plan", args=[plan.pk]))).replace(" ,", ",")
    assert label in page
    refresh_report(plan.pk)
    page = text_of(client.get(reverse("sessions:progress", args=[plan.pk])))
    assert how in page and decided in page
    [task] = Caller(plan.owner).get(f"plans/{plan.pk}").json()["weeks"][0]["actions"]
    assert task["completion"]["staffRows"] == by_staff
    assert task["completion"]["label"].lower() == label.lower()
    staff = Client()
    staff.force_login(factories.make_staff(is_superuser=True))
    for page in ("completion", "action"):
        assert label in text_of(staff.get(reverse(f"admin:plans_{page}_changelist")))
    for page in ("change", "reopen"):
        url = reverse(f"admin:plans_completion_{page}", args=[completion.pk])
        assert label in text_of(staff.get(url))


def test_a_list_of_staff_counts_without_reading_the_checklists(plan):
    finish(factories.make_action(plan, requirements=ROWS), by_staff=1)
    staff = Client()
    staff.force_login(factories.make_staff(is_superuser=True))
    with CaptureQueriesContext(connection) as queries:
        staff.get(reverse("admin:plans_completion_changelist"))
    selected = [query["sql"].partition(" FROM ")[0] for query in queries]
    counted = 'jsonb_path_query_array("plans_completion"."checklist"'
    assert sum(counted in columns for columns in selected) == 1
    assert not any('"checklist"' in columns.replace(counted, "") for columns in selected)
