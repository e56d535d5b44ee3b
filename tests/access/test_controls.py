"""The controls of `test_access`: with a faulty route in the product, each of its searches finds it,
and a sound route beside it is not blamed."""

from typing import Any

import pytest

from tests.access import faulty_urls
from tests.access.table import TABLE, Line, read_lines
from tests.access.test_access import find_gone, find_unlisted
from tests.access.trying import find_telling, find_untokened, find_ways_round, find_wrong

PROMISED = "login ok    404   404   404   404   login"
FAULTY = ("export", "rename", "archive", "peek", "half")
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("faulty")]


@pytest.fixture
def faulty(settings: Any) -> None:
    settings.ROOT_URLCONF = faulty_urls.__name__


def promise(name: str) -> list[Line]:
    """What the table would say of a sound route of this name."""
    path = f"plans/<uuid:plan_id>/{name}/"
    return read_lines("", (("GET", path, PROMISED), ("POST", path, PROMISED)))


SOUND = [line for line in TABLE if line.path == "plans/<uuid:plan_id>/progress/"]


def test_a_new_route_is_unlisted():
    added = {f"plans/<uuid:plan_id>/{name}/" for name in FAULTY}
    assert find_unlisted(TABLE) == find_unlisted(TABLE, faulty_urls.__name__) == added


def test_a_route_that_went_is_gone():
    assert find_gone([*TABLE, *promise("leave")]) == {"plans/<uuid:plan_id>/leave/"}


@pytest.mark.parametrize("actor", ["guest", "off"])
def test_a_view_without_a_login_check(actor):
    read, write = promise("export")
    assert find_wrong(actor, [read, write, *SOUND]) == [
        f"{read}: {actor} gets ok, not login",
        f"{write}: {actor} gets ok, not login",
    ]


@pytest.mark.parametrize("actor", ["other", "tutor", "staff", "root"])
def test_a_view_that_does_not_ask_whose_it_is(actor):
    read, write = promise("rename")
    got, wrote, *rest = find_wrong(actor, [write, *SOUND])
    assert got == f"{write}: {actor} gets ok, not 404"
    assert wrote.startswith(f'{write}: {actor} wrote: UPDATE "plans_plan"')
    assert rest == []
    assert f"{read}: {actor} gets ok, not 404" in find_wrong(actor, [read, *SOUND])


def test_a_page_that_writes_when_it_is_read():
    read, _ = promise("rename")
    [wrote] = find_wrong("owner", [read, *SOUND])
    assert wrote.startswith(f'{read}: owner wrote: UPDATE "plans_plan"')


def test_a_view_that_takes_a_form_without_its_token():
    _, write = lines = promise("archive")
    assert find_wrong("other", lines) == []
    found = find_untokened("other", [*lines, *SOUND])
    assert found == [f"{write}: other gets 404 without a token"]


@pytest.mark.parametrize("actor", ["other", "root"])
def test_a_404_that_tells(actor):
    lines = promise("peek")
    assert find_wrong(actor, lines) == []
    found = find_telling(actor, [*lines, *SOUND])
    assert [each.partition(": ")[0] for each in found] == [str(line) for line in lines]
    assert "can tell by" in found[0] and "body" in found[0]


def test_a_check_for_two_methods_alone():
    lines = promise("half")
    assert find_wrong("other", lines) == []
    found = find_ways_round("other", [*lines, *SOUND])
    names = ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE")
    assert found == [f"{name} {lines[0].path}: other gets ok; wrote: []" for name in names]
