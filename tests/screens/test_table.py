"""The table of states is complete, and its pictures come out; the browser tests judge the pages."""

import re

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.test.signals import template_rendered
from django.urls import resolve
from PIL import Image

from tests.access.routes import find_routes
from tests.e2e.browser import find_chromium
from tests.screens.shooting import shoot_all
from tests.screens.states import STATES
from tests.screens.visits import LOOKS, PHONE, make

PICTURES = sorted((settings.BASE_DIR / "docs/pictures").iterdir())
TEMPLATES = settings.BASE_DIR / "templates"
# Addresses that take a form, give a picture or stream words, and show no page of their own.
FORMS = {
    "logout/",
    "plans/drafts/<uuid:draft_id>/accept/",
    "plans/drafts/<uuid:draft_id>/retry/",
    "plans/<uuid:plan_id>/share/",
    "plans/<uuid:plan_id>/withdraw/",
    "actions/<uuid:action_id>/restore/",
    "actions/<uuid:action_id>/session/",
    "sessions/<uuid:session_id>/turns/",
    "sessions/<uuid:session_id>/live/",
    "sessions/<uuid:session_id>/stop/",
    "sessions/<uuid:session_id>/check/",
    "sessions/<uuid:session_id>/complete/",
    "sessions/<uuid:session_id>/cancel/",
    "sessions/<uuid:session_id>/end/",
    "sessions/<uuid:session_id>/pictures/",
    "sessions/<uuid:session_id>/pictures/<uuid:picture_id>/",
    "sessions/<uuid:session_id>/pictures/<uuid:picture_id>/remove/",
    "sessions/<uuid:session_id>/turns/<uuid:turn_id>/pin/",
    "sessions/<uuid:session_id>/agreement/",
    "sessions/<uuid:session_id>/proposal/",
}
# Shown only after what its state does on another page.
BY_ACT = {"403_csrf.html", "plans/_fill.html", "plans/making/unkept.html"}


@pytest.fixture
def made(transactional_db, gemini):
    return make(STATES, gemini)


def look_at(made):
    """Read the page as a browser does at first. Returns the pattern of its address."""
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = made.login
    key = "key" if made.state.site == "model" else ""
    with override_settings(
        DEBUG=made.state.site == "rules", GEMINI_API_KEY=key, ROOT_URLCONF="tests.screens.urls"
    ):
        response = client.get(made.path)
        assert response.status_code == made.state.status, made.state.name
        return resolve(made.path.split("?")[0]).route if made.state.status != 404 else ""


def test_every_state_has_a_name_of_its_own():
    assert len({state.name for state in STATES}) == len(STATES) > 60


def test_every_page_and_every_template_is_in_the_table(made):
    shown = set()

    def note(sender, template, **others):
        shown.add(template.name)

    template_rendered.connect(note)
    try:
        visited = {look_at(each) for each in made}
    finally:
        template_rendered.disconnect(note)
    routes = {route.path for route in find_routes("elivio.urls")}
    pages = {path for path in routes if not path.startswith(("admin/", "api/"))}
    assert pages - visited == FORMS
    ours = {path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html")}
    assert {name for name in ours if not name.startswith("admin/")} - shown == BY_ACT


def test_the_readme_shows_its_pictures_and_they_are_small():
    readme = (settings.BASE_DIR / "README.md").read_text("utf-8")
    shown = re.findall(
        r'!\[.{20,}?\]\((docs/pictures/.+?)\)|<img src="(.+?)".+?alt=".{20,}?"', readme
    )
    named = {first or second for first, second in shown}
    pictures = {path.relative_to(settings.BASE_DIR).as_posix(): path for path in PICTURES}
    assert named == set(pictures) and len(named) >= 3
    assert sum(path.stat().st_size for path in PICTURES) < 1_000_000


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_pictures_and_their_sheet_come_out(transactional_db, tmp_path):
    if find_chromium() is None:
        pytest.skip("No Chromium was found.")
    count = shoot_all(tmp_path / "screens", ["login-refused"])
    sheet = (tmp_path / "screens/index.html").read_text()
    for look in LOOKS:
        name = f"login-refused-{look}.png"
        with Image.open(tmp_path / "screens" / name) as picture:
            assert picture.width == look.width
        assert f'src="{name}"' in sheet
    assert count == len(LOOKS) + sum(look.width == PHONE for look in LOOKS)
