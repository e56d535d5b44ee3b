"""A sentence after a redirect: at its place, else at the top, and once."""

import pytest
from django.urls import reverse

from plans import editing
from tests import factories
from tests.pages.reading import text_of
from tests.pages.test_editing import form_of

pytestmark = pytest.mark.django_db
NOTHING = "Nothing was different, so nothing was changed."


@pytest.fixture
def edit_url(action):
    return reverse("plans:edit", args=[action.pk])


@pytest.fixture
def plan_url(action):
    return reverse("plans:plan", args=[action.week.plan_id])


def tops_of(page):
    """What stands at the top of the page."""
    return [str(each) for each in page.context["messages"]]


def test_at_its_place_and_once(client, action, edit_url, plan_url):
    page = client.post(edit_url, form_of(action), follow=True)
    assert page.redirect_chain == [(f"{plan_url}?at={action.pk}", 302)]
    assert text_of(page).count(NOTHING) == 1 and tops_of(page) == []
    assert NOTHING not in text_of(client.get(page.redirect_chain[-1][0]))


@pytest.mark.parametrize("at", ["", "x", "\0", "dropped", "00000000-0000-0000-0000-000000000000"])
def test_no_sentence_is_lost_where_the_page_has_no_such_place(
    client, action, edit_url, plan_url, at
):
    client.post(edit_url, form_of(action))
    page = client.get(plan_url, {"at": at})
    assert text_of(page).count(NOTHING) == 1 and tops_of(page) == [NOTHING]


def test_on_any_other_page_it_stands_at_the_top(client, action, edit_url):
    client.post(edit_url, form_of(action))
    assert text_of(client.get(reverse("plans:home"))).count(NOTHING) == 1


def test_other_sentences_stay_at_the_top(client, action, edit_url, plan_url):
    other = factories.make_action(action.week, "Draw the map")
    client.post(reverse("plans:edit", args=[other.pk]), form_of(other))
    page = client.post(edit_url, form_of(action), follow=True)
    assert text_of(page).count(NOTHING) == 2 and tops_of(page) == [NOTHING]


def test_a_restore_of_nothing_leads_to_the_task(client, student, action, plan_url):
    restore = reverse("plans:restore", args=[action.pk])
    assert client.post(restore).url == f"{plan_url}?at={action.pk}"
    editing.drop_task(student, action.pk, close_week=True)
    page = client.get(restore, follow=True)
    assert page.status_code == 200 and "Tasks you dropped" in text_of(page)
