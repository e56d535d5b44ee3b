"""Logging in and out, and where an expired login leads."""

from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.pages.reading import ask, text_of

PLAN_PAGES = ("plans:plan", "sessions:progress")


@pytest.fixture
def visitor():
    return Client()


def log_in(visitor, email, password=factories.PASSWORD, **more):
    return visitor.post(reverse("login"), {"username": email, "password": password, **more})


def test_the_email_may_be_typed_in_any_case(visitor, student):
    response = log_in(visitor, "  MIRA@Example.ORG ")
    assert response.status_code == 302 and response["Location"] == "/"


def test_a_wrong_password_says_what_to_do(visitor, student):
    response = log_in(visitor, "mira@example.org", "wrong")
    assert response.status_code == 200
    assert "do not belong together. Check both, then try again." in text_of(response)


def test_nothing_typed_says_what_is_missing(visitor, db):
    text = text_of(log_in(visitor, "", ""))
    assert "Enter your e-mail." in text and "Enter your password." in text


def test_an_inactive_student_stays_outside(visitor, student):
    student.is_active = False
    student.save()
    assert log_in(visitor, "mira@example.org").status_code == 200
    assert visitor.get("/").status_code == 302


@pytest.mark.parametrize("next_url", ["https://evil.example/", "//evil.example/x"])
def test_login_leads_nowhere_else(visitor, student, next_url):
    response = log_in(visitor, "mira@example.org", next=next_url)
    assert response["Location"] == "/"


def test_a_page_leads_to_the_login_and_back(visitor, action, student):
    url = reverse("plans:plan", args=[action.week.plan_id])
    response = visitor.get(url)
    assert response["Location"] == f"/login/?next={url}"
    assert log_in(visitor, "mira@example.org", next=url)["Location"] == url


def test_an_expired_login_under_htmx_is_a_full_redirect(visitor, session):
    page = reverse("sessions:session", args=[session.pk]) + "?before=9"
    response = ask(visitor, "post", reverse("sessions:check", args=[session.pk]), page=page)
    assert response["HX-Redirect"] == f"/login/?next={quote(page)}"
    assert response.content == b""


def test_a_foreign_current_page_is_not_returned_to(visitor, session):
    headers = {"HX-Request": "true", "HX-Current-URL": "https://evil.example/phish/"}
    response = visitor.post(reverse("sessions:check", args=[session.pk]), headers=headers)
    assert response["HX-Redirect"] == "/login/?next=/"


def test_demo_logins_are_shown_on_a_developers_machine_alone(visitor, settings, db):
    factories.make_student("student@example.org")
    settings.DEBUG = True
    assert "elivio-demo" in text_of(visitor.get(reverse("login")))
    settings.DEBUG = False
    assert "elivio-demo" not in text_of(visitor.get(reverse("login")))


def test_logging_out_takes_a_post(client):
    assert client.get(reverse("logout")).status_code == 405
    assert client.get("/").status_code == 200
    client.post(reverse("logout"))
    assert client.get("/").status_code == 302
