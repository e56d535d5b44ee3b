"""The content security policy in a browser: it stops what got past the escaping, nothing else."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from plans.models import Completion
from tests import factories
from tests.e2e import faults
from tests.screens.scene import Scene, tasks_of
from tests.screens.visits import log_in, run_sites

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
INJECTED = "/screens/injected/"


@pytest.fixture
def staff_login(transactional_db, gemini):
    """The cookie of a staff member, who has a finished task to look at."""
    scene = Scene(gemini)
    with scene.answered_by("model"):
        scene.check_off(tasks_of(scene.make_plan())[0])
    return log_in(factories.make_staff(is_superuser=True))


@pytest.fixture
def completion_url(staff_login):
    return reverse("admin:plans_completion_change", args=[Completion.objects.get().pk])


def test_what_was_injected_does_not_run(transactional_db, gemini, browser):
    """And runs where a browser knows no policy: then the page shows what the policy stops."""
    page, control = browser.new_page(), browser.new_context(bypass_csp=True).new_page()
    heard = faults.watch(page)
    with run_sites(gemini) as address:
        page.goto(address("model") + INJECTED)
        control.goto(address("model") + INJECTED)
        control.wait_for_function("window.injected === 'handler'")
    assert page.evaluate("window.injected") is None
    assert len(heard) == 4, heard  # a script, a handler, a script as data, a style


def test_admin_and_api_pages_work_under_it(staff_login, completion_url, gemini, browser):
    context = browser.new_context()
    page = context.new_page()
    heard = faults.watch(page)
    with run_sites(gemini) as address:
        url = address("model")
        context.add_cookies([{"name": "sessionid", "value": staff_login, "url": url}])
        for path in (
            "/admin/",
            "/admin/plans/completion/",
            completion_url,
            "/admin/auth/user/add/",
        ):
            assert page.goto(url + path).status == 200, path
        page.goto(url + "/admin/password_change/")
        page.goto(url + "/api/v1/docs")
        page.get_by_text("/api/v1/plans").first.click()
        page.get_by_role("button", name="Try it out").click()
        page.get_by_role("button", name="Execute").click()
        expect(page.locator(".responses-inner .live-responses-table")).to_contain_text("200")
    assert heard == []
