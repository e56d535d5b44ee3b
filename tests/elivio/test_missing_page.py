"""A student sees the product's own 404 page also on a developer's machine; a developer keeps the
report of a fault."""

import uuid

import pytest
from django.test import Client

from tests import factories

MIDDLEWARE = "elivio.missing_page.OwnMissingPage"
OURS = b"There is nothing at this address"
DJANGOS = b"DEBUG = True"
MISSING = uuid.UUID("0b1f7a52-6c1e-4c39-9d0c-2f3f5b1e7a01")


@pytest.fixture(autouse=True)
def debug(settings):
    settings.DEBUG = True
    assert MIDDLEWARE in settings.MIDDLEWARE


@pytest.fixture
def client(db):
    client = Client(raise_request_exception=False)
    client.force_login(factories.make_student())
    return client


PLACES = ["/nothing/here/", f"/plans/{MISSING}/"]


@pytest.mark.parametrize("path", PLACES)
def test_what_is_missing_is_said_in_the_products_words(client, path):
    response = client.get(path)
    assert response.status_code == 404
    assert OURS in response.content and DJANGOS not in response.content


@pytest.mark.parametrize("path", PLACES)
def test_control_without_it_django_shows_its_addresses(client, settings, path):
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if name != MIDDLEWARE]
    response = client.get(path)
    assert OURS not in response.content and DJANGOS in response.content


def test_the_rest_stays_as_it_was(client, settings):
    settings.ROOT_URLCONF = "tests.screens.urls"
    assert client.get("/login").headers["Location"] == "/login/"
    missing = client.get(f"/api/v1/plans/{MISSING}")
    assert missing.status_code == 404 and missing["Content-Type"].startswith("application/json")
    fault = client.get("/screens/500/")
    assert fault.status_code == 500 and b"Traceback" in fault.content


def test_without_debug_it_does_nothing(client, settings):
    settings.DEBUG = False
    response = client.get("/nothing/here/")
    assert response.status_code == 404 and OURS in response.content
