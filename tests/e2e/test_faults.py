"""The rules that judge the pages do find what they are there for."""

import re

import pytest
from django.conf import settings

from tests.e2e import faults
from tests.e2e.browser import run_browser

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
PAGE = """<!doctype html><html lang="en"><head><title>A page</title><style>{style}</style></head>
<body><main><h1>A page</h1><div aria-live="polite"></div>{body}</main><script></script></body>
</html>"""
BUTTON = ".button { display: inline-block; padding: 14px; }"
FINE = '<p>Words, and <a href="#">a link in them</a>.</p><button class="button">Send</button>'


@pytest.fixture(scope="module")
def browser():
    """One for all tests here: they need no database, beside which it could not stay open."""
    with run_browser() as browser:
        yield browser


@pytest.fixture
def show(browser):
    page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()

    def set_content(body, style=BUTTON):
        page.set_content(PAGE.format(body=body, style=style))
        return page

    return set_content


def find_all(page):
    return [
        *faults.find_axe_faults(page),
        *faults.find_layout_faults(page),
        *faults.find_small_targets(page),
    ]


def test_a_fine_page_has_none(show):
    assert find_all(show(FINE)) == []


@pytest.mark.parametrize(
    ("body", "style", "found"),
    [
        ('<p class="pale">Too pale</p>', ".pale { color: #bbb; }", "color-contrast"),
        ('<input type="text">', "input { height: 44px; }", "label"),
        ('<p class="wide">.</p>', ".wide { width: 500px; }", "508 px wide in 360"),
        ('<button class="button">Mark complete</button>', ".button { width: 90px; }", "wraps"),
        (
            '<button class="button">Mark complete</button>',
            ".button { width: 90px; white-space: nowrap; overflow: hidden; }",
            "is cut",
        ),
        ('<button class="button">x</button>', ".button { padding: 4px; }", "<button"),
        ('<div role="status"></div>', "", "2 live regions"),
    ],
)
def test_a_fault_is_found(show, body, style, found):
    assert any(found in fault for fault in find_all(show(body, style)))


@pytest.mark.parametrize(
    ("body", "style"),
    [
        ('<p class="pale">Too pale</p>', ".pale { color: #bbb; }"),
        ('<p>Words, and <a href="#">a link</a>.</p>', "a { color: #222; text-decoration: none; }"),
    ],
)
def test_what_a_theme_can_spoil_is_found_by_its_colours(show, body, style):
    assert faults.find_colour_faults(show(FINE)) == []
    assert faults.find_colour_faults(show(body, style))


def test_a_theme_changes_colours_alone():
    """Or every rule would have to be asked again in it."""
    sheets = {path.name: path.read_text() for path in (settings.BASE_DIR / "static").glob("*.css")}
    queried = {name for name, sheet in sheets.items() if "prefers-color-scheme" in sheet}
    assert queried == {"tokens.css", "admin_records.css"}, "the second is not in the table"
    [dark] = re.findall(r"prefers-color-scheme: dark\) \{(.+?)\n\}", sheets["tokens.css"], re.S)
    assert re.sub(r"--[\w-]+: #[0-9a-f]{6};", "", dark).split() == [":root", "{", "}"]


def test_what_scripts_do_is_heard(browser):
    page = browser.new_page()
    heard = faults.watch(page)
    page.set_content("<script>alert(1); missing()</script>")
    assert heard[0] == "opened alert" and "missing is not defined" in heard[1]
