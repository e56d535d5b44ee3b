"""What holds for all templates: each fragment belongs to its page, and nothing skips escaping."""

import re

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.test import Client

TEMPLATES = settings.BASE_DIR / "templates"
OURS = sorted(
    path for path in TEMPLATES.rglob("*.html") if path.relative_to(TEMPLATES).parts[0] != "admin"
)
INCLUDE = re.compile(r'{% include "([^"]+)"')


def names(paths):
    return [path.relative_to(TEMPLATES).as_posix() for path in paths]


def test_every_fragment_is_included_by_a_page():
    included = {name for path in OURS for name in INCLUDE.findall(path.read_text())}
    fragments = {name for name in names(OURS) if "/_" in name}
    assert fragments and fragments == included


@pytest.mark.parametrize("name", names(OURS))
def test_templates_load_and_hold_no_scripts_or_styles_of_their_own(name):
    get_template(name)
    text = (TEMPLATES / name).read_text()
    assert not re.search(r"\|safe\b|autoescape off|<style|\sstyle=|\son\w+=|hx-on", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


def test_pages_speak_calmly():
    for path in OURS:
        words = re.sub(r"{[{%#].*?[}%#]}|<[^>]*>", " ", path.read_text(), flags=re.DOTALL)
        assert "!" not in words and "invalid" not in words.lower(), path.name


def test_a_missing_page_is_said_in_words(db):
    response = Client().get("/nothing/here/")
    assert response.status_code == 404 and b"There is nothing at this address" in response.content


def test_the_page_of_a_fault_needs_nothing():
    assert "Something went wrong on our side" in get_template("500.html").render()
