"""A copilot's words as HTML: the one place that marks a model's text as safe.

Safe because the library makes every tag itself: HTML in the text is shown as text, there are no
pictures, and links lead by http, https or mailto alone. No rule here may copy text unescaped.
"""

import functools
from collections.abc import Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

DEEPEST = 20
# Rows times columns: beyond it a table of a few characters a row costs a second.
LARGEST_TABLE = 4_000
SCHEMES = ("http://", "https://", "mailto:")
_LINK = {"rel": "noopener noreferrer nofollow", "target": "_blank"}


@functools.lru_cache(maxsize=1024)
def render_markdown(text: str) -> SafeString:
    """The text as HTML. It is cached, as a turn's text never changes: 50 turns are 50 look-ups."""
    lines = text.split("\n")
    columns = max((line.count("|") for line in lines), default=0)
    parser = _PLAIN if columns * len(lines) > LARGEST_TABLE else _WITH_TABLES
    return mark_safe(parser.render(text))


class Renderer(RendererHTML):
    """The library's HTML, fitted into a page: a heading of the model's is none of the page's."""

    def paragraph_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return "" if tokens[at].hidden else '<p dir="auto">'

    def heading_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return '<p class="heading" dir="auto">'

    def heading_close(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return "</p>"

    def list_item_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return '<li dir="auto">'

    def table_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return '<div class="wide-table" tabindex="0" role="group" aria-label="Table"><table>'

    def table_close(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return "</table></div>"

    def fence(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return format_html(
            '<div class="code"><pre dir="auto" tabindex="0">{}</pre>'
            '<button type="button" class="button copy" data-copy-code hidden>Copy</button></div>',
            tokens[at].content.rstrip("\n"),
        )

    code_block = fence


def _make_parser(*, tables: bool) -> MarkdownIt:
    options = {"html": False, "breaks": True, "maxNesting": DEEPEST}
    parser = MarkdownIt("commonmark", options, renderer_cls=Renderer).disable("image")
    parser.validateLink = lambda url: url.lower().startswith(SCHEMES)
    parser.core.ruler.push("attributes", _set_attributes)
    return parser.enable("table") if tables else parser


def _set_attributes(state: Any) -> None:
    for block in state.tokens:
        block.attrs.pop("style", None)  # of a table's cell; the pages allow no inline style
        for token in block.children or ():
            if token.type == "link_open":
                token.attrs |= _LINK


_WITH_TABLES, _PLAIN = _make_parser(tables=True), _make_parser(tables=False)
