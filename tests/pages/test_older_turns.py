"""Paging to the older turns of a long session, with and without HTMX."""

import pytest
from django.urls import reverse

from sessions.models import Turn
from tests.pages.reading import ask, box_of, text_of


@pytest.fixture
def url(session):
    turns = [
        Turn(session=session, number=number, role="student", text=f"Turn number {number}.")
        for number in range(1, 121)
    ]
    Turn.objects.bulk_create(turns)
    return reverse("sessions:session", args=[session.pk])


def test_the_newest_come_first_with_a_way_back(client, url):
    page = client.get(url)
    assert "Turn number 120." in text_of(page) and "Turn number 100." not in text_of(page)
    assert b'href="?before=101"' in page.content

    older = client.get(f"{url}?before=101")
    text = text_of(older)
    assert "Turn number 100." in text and "Turn number 101." not in text
    assert "Back to the newest messages" in text and box_of(older) is None
    assert "Earlier messages" not in text_of(client.get(f"{url}?before=21"))


def test_under_htmx_only_the_turns_come(client, url):
    older = ask(client, "get", f"{url}?before=101", page=url)
    assert older.content.lstrip().startswith(b'<li class="older">')
    assert b"<html" not in older.content and b'id="check"' not in older.content
    assert "The conversation begins here." in text_of(ask(client, "get", f"{url}?before=21"))


@pytest.mark.parametrize("before", ["abc", "-1", "99999999999999999999", "1.5", "٣", ""])
def test_a_strange_number_counts_as_none(client, url, before):
    response = client.get(url, {"before": before})
    assert response.status_code == 200 and "Turn number 120." in text_of(response)


def test_a_claim_on_the_older_page_still_marks_its_reply(client, session, url):
    Turn.objects.filter(session=session, number=100).update(
        role="tool", tool_name="mark_task_completed"
    )
    Turn.objects.filter(session=session, number=101).update(role="copilot")
    assert "Not marked" in text_of(client.get(url))
    Turn.objects.filter(session=session, number=100).update(tool_name="mark_task_in_progress")
    assert "Not marked" not in text_of(client.get(url))
