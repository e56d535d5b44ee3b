"""The content security policy stands on every answer, whoever gives it."""

import pytest
from django.test import Client

from elivio.security_headers import POLICY
from tests import factories


@pytest.fixture
def client(db):
    client = Client(raise_request_exception=False)
    client.force_login(factories.make_student())
    return client


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/login/", 302),
        ("/nothing/here/", 404),
        ("/static/app.css", 200),
        ("/api/v1/plans", 200),
        ("/api/v1/docs", 200),
        ("/api/v1/plans/0b1f7a52-6c1e-4c39-9d0c-2f3f5b1e7a01", 404),
        ("/admin/", 302),
        ("/screens/403/", 403),
        ("/screens/500/", 500),
    ],
)
def test_every_answer_carries_it(client, settings, path, status):
    settings.ROOT_URLCONF = "tests.screens.urls"
    response = client.get(path)
    assert response.status_code == status
    assert response["Content-Security-Policy"] == POLICY


def test_a_developers_report_of_a_fault_is_shown_whole(client, settings):
    settings.ROOT_URLCONF = "tests.screens.urls"
    settings.DEBUG = True
    report = client.get("/screens/500/")
    assert report.status_code == 500 and b"Traceback" in report.content
    assert "Content-Security-Policy" not in report
    assert client.get("/nothing/here/")["Content-Security-Policy"] == POLICY


def test_it_lets_nothing_in_by_default():
    rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in POLICY and "http" not in POLICY and "*" not in POLICY
