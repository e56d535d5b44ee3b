"""Who may see and do what: somebody else's thing is a missing thing, and no form goes without
its token."""

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from judge.models import CheckRun
from plans.models import Status
from sessions.models import CopilotSession, Turn
from tests import factories
from tests.pages.reading import box_of, text_of

TOKEN = re.compile(rb'value="\w{64}"')
GETS = ("plans:plan", "plans:status", "sessions:progress", "sessions:session", "judge:report")
POSTS = (
    "plans:status",
    "sessions:start",
    "sessions:turn",
    "sessions:check",
    "sessions:complete",
    "sessions:end",
    "judge:report",
)


@pytest.fixture
def ids(action, session, student):
    check = CheckRun.objects.create(
        action=action,
        student=student,
        trigger="check",
        outcome="failed",
        spec_version=action.spec_version,
        judge_kind="rules",
        prompt_version=1,
    )
    return {
        "plan": action.week.plan_id,
        "status": action.pk,
        "start": action.pk,
        "progress": action.week.plan_id,
        "report": check.pk,
    }


def url_of(name, ids, session):
    return reverse(name, args=[ids.get(name.split(":")[1], session.pk)])


@pytest.fixture
def stranger(db):
    client = Client()
    client.force_login(factories.make_student())
    return client


@pytest.mark.parametrize("name", GETS)
def test_anothers_page_is_a_missing_page(client, stranger, ids, session, name):
    url = url_of(name, ids, session)
    assert client.get(url).status_code == 200
    theirs, missing = stranger.get(url), stranger.get(reverse(name, args=[uuid.uuid4()]))
    assert theirs.status_code == missing.status_code == 404
    assert TOKEN.sub(b"", theirs.content) == TOKEN.sub(b"", missing.content)


@pytest.mark.parametrize("name", POSTS)
def test_nothing_of_anothers_can_be_done(stranger, ids, session, action, name):
    data = {"status": "completed", "confirmed": "true", "text": "Mine now."}
    response = stranger.post(url_of(name, ids, session), data)
    assert response.status_code == 404
    action.refresh_from_db()
    assert action.status == Status.NOT_STARTED
    assert not Turn.objects.exists() and not CopilotSession.objects.exclude(ended_at=None).exists()


@pytest.mark.parametrize("name", [*GETS, *POSTS])
def test_a_visitor_goes_to_the_login(ids, session, name):
    visitor = Client()
    ask = visitor.get if name in GETS else visitor.post
    response = ask(url_of(name, ids, session))
    assert response.status_code == 302 and response["Location"].startswith("/login/")


@pytest.mark.parametrize("name", POSTS)
def test_no_form_goes_without_its_token(student, ids, session, action, name):
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(student)
    data = {"status": "completed", "confirmed": "true", "text": "Kept?", "message": "Kept?"}
    response = careful.post(url_of(name, ids, session), data)
    assert response.status_code == 403
    action.refresh_from_db()
    assert action.status == Status.NOT_STARTED and not Turn.objects.exists()


def test_what_was_typed_comes_back_without_the_token(student, session):
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(student)
    text = "A long </textarea><script>alert(1)</script> text"
    data = {"text": text, "password": "secret", "client_id": "abc-id"}
    response = careful.post(reverse("sessions:turn", args=[session.pk]), data)
    page = response.content.decode()
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page
    assert "secret" not in page and "abc-id" not in page
    assert text in text_of(response)


def test_the_same_form_goes_with_its_token(student, session):
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(student)
    page = careful.get(reverse("sessions:session", args=[session.pk]))
    assert box_of(page) == ""
    token = careful.cookies["csrftoken"].value
    end = reverse("sessions:end", args=[session.pk])
    assert careful.post(end, {"csrfmiddlewaretoken": token}).status_code == 302
    session.refresh_from_db()
    assert session.ended_at


@pytest.mark.parametrize("name", ["turn", "check", "complete", "end"])
def test_reading_the_address_of_a_form_leads_to_its_page(client, session, name):
    response = client.get(reverse(f"sessions:{name}", args=[session.pk]))
    assert response["Location"] == reverse("sessions:session", args=[session.pk])
    session.refresh_from_db()
    assert session.ended_at is None and not CheckRun.objects.exists()
