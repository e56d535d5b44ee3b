"""Every page and state, in every look: no fault of accessibility, layout, or content security."""

import pytest

from tests.e2e import faults
from tests.screens.states import STATES
from tests.screens.visits import LOOKS, PHONE, Look, Visits, make, run_sites, show

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# Two halves, so that two cores share the work; one site and one browser for many states each.
HALVES = [
    pytest.param(STATES[::2], marks=pytest.mark.xdist_group("browser"), id="one"),
    pytest.param(STATES[1::2], marks=pytest.mark.xdist_group("second browser"), id="two"),
]
NARROWEST = Look(320, "light")


def find_faults(page, heard):
    for look in LOOKS:
        show(page, look)
        is_first = look.theme == LOOKS[0].theme
        found = faults.find_axe_faults(page) if is_first else faults.find_colour_faults(page)
        found += faults.find_layout_faults(page)
        if look.width == PHONE:
            found += faults.find_small_targets(page)
        yield from (f"{look}: {fault}" for fault in found)
    show(page, NARROWEST)
    yield from (f"{NARROWEST}: {fault}" for fault in faults.find_layout_faults(page))
    yield from heard
    heard.clear()


@pytest.fixture
def made(transactional_db, gemini, states):
    """Made before the browser starts."""
    return make(states, gemini)


@pytest.mark.parametrize("states", HALVES)
def test_no_state_has_a_fault_in_any_look(made, gemini, browser):
    found = []
    with run_sites(gemini) as address:
        visits = Visits(browser, address)
        heard = faults.watch(visits.page)
        for each in made:
            page = visits.go(each)
            found += [f"{each.state.name} {fault}" for fault in find_faults(page, heard)]
    assert not found, "\n".join(found)
