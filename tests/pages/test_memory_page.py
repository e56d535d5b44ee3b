"""What is remembered: read, deleted one by one or all together, and by its owner alone."""

import pytest
from django.urls import reverse
from django.utils import timezone

from sessions.models import CopilotSession, MemorySummary
from tests import factories
from tests.pages.reading import buttons_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def plan(action):
    return action.week.plan


@pytest.fixture
def page_url(plan):
    return reverse("sessions:memory", args=[plan.pk])


def remember(plan, student, made, **parts):
    session = CopilotSession.objects.create(
        action=factories.make_action(plan, f"Task of {made}"),
        student=student,
        ended_at=timezone.now(),
    )
    return MemorySummary.objects.create(session=session, plan=plan, made=made, **parts)


def test_empty_it_leads_on(client, page_url, plan):
    page = text_of(client.get(page_url))
    assert "Nothing is remembered" in page and "Delete all" not in page
    response = client.get(reverse("sessions:forget_everything", args=[plan.pk]))
    assert response["Location"] == page_url


def test_the_three_parts_newest_first(client, page_url, plan, student):
    remember(plan, student, "A list <b>", decided="`Orange`", left_open="The key")
    remember(plan, student, "A map")
    page = client.get(page_url)
    words = text_of(page)
    assert words.index("Task of A map") < words.index("Task of A list <b>")
    for part in ("Made A list <b>", "Decided Orange", "Left open The key"):
        assert part in words
    assert words.count("Decided") == 1 and b"<b>" not in page.content.split(b"<main")[1]


@pytest.mark.parametrize("page", ["plans:plan", "sessions:session"])
def test_plan_and_session_lead_there(client, page, plan, session, page_url):
    pk = plan.pk if page == "plans:plan" else session.pk
    assert f'href="{page_url}"' in client.get(reverse(page, args=[pk])).content.decode()


def test_one_is_deleted_after_a_question(client, page_url, plan, student):
    gone, kept = remember(plan, student, "A list"), remember(plan, student, "A map")
    url = reverse("sessions:forget", args=[plan.pk, gone.pk])
    asked = client.get(url)
    assert "Delete this memory?" in text_of(asked) and "Delete" in buttons_of(asked)
    assert MemorySummary.objects.kept().count() == 2
    assert client.post(url)["Location"] == page_url
    page = text_of(client.get(page_url))
    assert "A map" in page and "A list" not in page
    assert MemorySummary.objects.kept().get() == kept
    assert client.get(url).status_code == 404
    assert client.post(url)["Location"] == page_url  # a second tap, from an old page


def test_all_of_them(client, page_url, plan, student):
    remember(plan, student, "A list"), remember(plan, student, "A map")
    url = reverse("sessions:forget_everything", args=[plan.pk])
    assert "Delete all 2 memories" in text_of(client.get(url))
    client.post(url)
    assert "Nothing is remembered" in text_of(client.get(page_url))


def test_of_another_student_nothing_is_shown_and_nothing_deleted(client, page_url, plan):
    """The plan changed hands; the memory did not."""
    before = remember(plan, factories.make_student(), "Of another")
    assert "Of another" not in text_of(client.get(page_url))
    assert client.post(reverse("sessions:forget", args=[plan.pk, before.pk])).status_code == 404
    client.post(reverse("sessions:forget_everything", args=[plan.pk]))
    assert MemorySummary.objects.kept().get() == before
