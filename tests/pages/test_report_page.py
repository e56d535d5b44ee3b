"""Contesting a check, as a page and inside the card."""

import uuid

import pytest
from django.urls import reverse

from judge.models import Appeal, CheckRun
from tests.pages.reading import ask, box_of, buttons_of, ids_of, text_of


@pytest.fixture
def check(action, session, student):
    rows = action.requirements.all()
    return CheckRun.objects.create(
        action=action,
        student=student,
        session_id=session.pk,
        trigger="check",
        outcome="failed",
        checklist=[
            {"id": str(row.pk), "title": row.title, "status": "not_met", "note": "", "evidence": []}
            for row in rows
        ],
        spec_version=action.spec_version,
        judge_kind="gemini",
        prompt_version=1,
    )


@pytest.fixture
def url(check):
    return reverse("judge:report", args=[check.pk])


def test_the_page_lists_the_rows(client, url):
    text = text_of(client.get(url))
    assert "The check as a whole" in text and "Names two risks of the project" in text


def test_a_row_is_contested_once(client, url, check, session):
    row = check.checklist[0]["id"]
    for _ in range(2):
        response = client.post(url, {"requirement_id": row, "message": "It is there"}, follow=True)
    assert "A person will look at this check." in text_of(response)
    assert response.redirect_chain[0][0] == reverse("sessions:session", args=[session.pk])
    appeal = Appeal.objects.get()
    assert (str(appeal.requirement_id), appeal.message) == (row, "It is there")


def test_inside_the_card(client, url):
    form = ask(client, "get", url)
    assert ids_of(form)[0] == "report" and "Send to a person" in buttons_of(form)
    response = ask(client, "post", url, {"requirement_id": ""})
    assert "Thank you." in text_of(response) and b"<html" not in response.content
    assert Appeal.objects.get().requirement_id is None


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"requirement_id": str(uuid.uuid4())}, "This check has no such row."),
        ({"requirement_id": "r1"}, "This check has no such row."),
        ({"message": "x" * 2001}, "That is 2,001 characters"),
        ({"message": "a\x00b"}, "cannot be stored"),
    ],
)
def test_what_is_refused_is_given_back(client, url, data, sentence):
    response = client.post(url, data)
    assert response.status_code in (409, 422) and sentence in text_of(response)
    assert box_of(response, "message") == data.get("message", "")
    assert not Appeal.objects.exists()
