"""The product keeps to the table, for every actor, and the table leaves out no route."""

import logging

import pytest

from tests.access.asking import EXAMPLES, SAFE
from tests.access.routes import find_routes
from tests.access.table import ACTORS, OTHER_RECORDS, TABLE, Line
from tests.access.trying import find_telling, find_untokened, find_ways_round, find_wrong

NO_OWNER = [actor for actor in ACTORS if actor != "owner"]
# The owner asks models too, and those calls refuse to happen inside a test's transaction.
every_actor = pytest.mark.parametrize(
    "actor",
    [pytest.param("owner", marks=pytest.mark.django_db(transaction=True)), *NO_OWNER],
)
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rules")]
# What is the same for every model in the admin is tried at the first of them alone.
SAMPLE = [line for line in TABLE if not line.path.startswith(OTHER_RECORDS)]


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    """Thousands of refusals, each with its traceback, take longer to write than to ask for."""
    for name in ("django.request", "django.security.csrf"):
        caplog.set_level(logging.CRITICAL, logger=name)


def find_unlisted(table: list[Line], urlconf: str | None = None) -> set[str]:
    return {route.path for route in find_routes(urlconf)} - {line.path for line in table}


def find_gone(table: list[Line], urlconf: str | None = None) -> set[str]:
    return {line.path for line in table} - {route.path for route in find_routes(urlconf)}


def test_every_route_is_listed():
    assert find_unlisted(TABLE) == set()


def test_every_listed_route_is_there():
    assert find_gone(TABLE) == set()


def test_each_route_has_one_line_for_reading_and_one_for_each_way_of_writing():
    lines = [(line.path, line.method) for line in TABLE]
    assert len(lines) == len(set(lines))
    reading = [line.path for line in TABLE if line.method in SAFE]
    writing = {line.path for line in TABLE if line.method not in SAFE}
    assert sorted(reading) == sorted(writing)


def test_each_operation_of_the_api_has_a_line():
    assert set(EXAMPLES) <= {(line.method, line.path) for line in TABLE}


@every_actor
def test_each_actor_gets_what_the_table_says(actor):
    assert find_wrong(actor, TABLE) == []


@pytest.mark.parametrize("actor", NO_OWNER)
def test_what_is_refused_to_a_page_is_refused_to_its_scripts(actor):
    """HTMX asks for the same addresses, and is answered in another way."""
    refused = [line for line in SAMPLE if line.expected[actor] in ("login", "403", "404")]
    assert find_wrong(actor, refused, htmx=True) == []


@every_actor
def test_no_other_method_gets_further(actor):
    assert find_ways_round(actor, SAMPLE) == []


@every_actor
def test_nothing_is_written_without_the_token(actor):
    """The control is the table itself: there the same requests carry it."""
    assert find_untokened(actor, TABLE) == []


@pytest.mark.parametrize("actor", ["other", "tutor", "staff", "root"])
def test_somebody_elses_is_a_missing_one(actor):
    assert find_telling(actor, TABLE) == []
