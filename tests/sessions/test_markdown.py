"""A copilot's words as HTML: what is shown, and that no text comes alive."""

from html.parser import HTMLParser

import pytest

from sessions import markdown
from sessions.markdown import _make_parser, render_markdown
from tests.e2e.hostile import CORPUS

ALLOWED = {
    "a": {"href", "rel", "target", "title"},
    "blockquote": set(),
    "br": set(),
    "button": {"type", "class", "data-copy-code", "hidden"},
    "code": set(),
    "div": {"class", "tabindex", "role", "aria-label"},
    "em": set(),
    "hr": set(),
    "li": {"dir"},
    "ol": {"start"},
    "p": {"dir", "class"},
    "pre": {"dir", "tabindex"},
    "strong": set(),
    **{name: set() for name in ("table", "thead", "tbody", "tr", "th", "td", "ul")},
}
HOSTILE = (
    *CORPUS,
    "[a](javascript:alert(1)) [b](JaVaScRiPt:x) [c](data:text/html,x) [d](vbscript:x)",
    "[a](java\tscript:x) [b](&#106;avascript:x) [c](\x01javascript:x) [d](//evil.example)",
    "![p](https://evil.example/p.png) ![q][r]\n\n[r]: https://evil.example/q.png",
    "<https://e.example/\"onmouseover='x'> <javascript:x>",
    '[a](https://e.example/ "t\\" onclick=x") [b](<https://e.example/ x=y>)',
    "[<img src=x onerror=y>](https://e.example) **<script>** `<script>`",
    '```js" onload="x\n<script>alert(1)</script>\n```',
    "```\n</pre><script>x</script>\n",
    "    <script>indented</script>",
    "|a|<b>|\n|:-:|-:|\n|<img src=x>|`|`|",
    "&lt;script&gt; &#60;script&#62; \\<script\\>",
    "<!-- x --> <![CDATA[x]]> <?php x ?>",
    "# <svg onload=x>\n===\n1. <x>\n- [ ] y",
)


class Reader(HTMLParser):
    """Notes each tag that is not allowed, or left open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.odd: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag not in ALLOWED or {name for name, _ in attrs} - ALLOWED[tag]:
            self.odd.append(self.get_starttag_text())
        if tag == "a":
            self.links.append(dict(attrs)["href"])
        if tag not in ("br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            self.odd.append(f"</{tag}>")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_comes_alive(text):
    reader = Reader(render_markdown(text))
    assert (reader.odd, reader.open) == ([], [])
    assert all(link.startswith(("https://", "http://", "mailto:")) for link in reader.links)


def test_control_a_parser_that_lets_html_through_is_found(monkeypatch):
    loose = _make_parser(tables=True)
    loose.options["html"] = True
    monkeypatch.setattr(markdown, "_WITH_TABLES", loose)
    assert Reader(render_markdown.__wrapped__(CORPUS[0])).odd


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Count** the _rows_.", "<strong>Count</strong> the <em>rows</em>."),
        ("one\ntwo", "one<br />\ntwo"),
        ("# Next", '<p class="heading" dir="auto">Next</p>'),
        ("- a\n- b", '<li dir="auto">a</li>'),
        ("Use `status`.", "<code>status</code>"),
        ("```sql\nSELECT 1;\n```", '<pre dir="auto" tabindex="0">SELECT 1;</pre>'),
        ("|a|b|\n|-|-|\n|1|2|", "<td>1</td>"),
        ("[docs](https://e.example/a)", 'rel="noopener noreferrer nofollow" target="_blank"'),
        ("![map](https://e.example/m.png)", '!<a href="https://e.example/m.png"'),
        ("[x](javascript:y)", "[x](javascript:y)"),
        ("1 < 2 & 3", "1 &lt; 2 &amp; 3"),
    ],
)
def test_what_is_shown(text, shown):
    assert shown in render_markdown(text)


@pytest.mark.parametrize(
    "piece", [">", "- ", "[", "![", "*a ", "_", "`a``b", "> - ", "(", "  - a\n"]
)
def test_deep_nesting_ends(piece):
    """No recursion error; a text as long as a turn can be."""
    assert render_markdown((piece * 20_000)[:20_000])


def test_a_huge_table_is_shown_as_text():
    """Two hundred columns times nine thousand rows would be seconds and megabytes."""
    text = "|" * 200 + "\n" + "|-" * 199 + "|\n" + "x\n" * 9_000
    assert len(render_markdown(text)) < 10 * len(text)
    assert "<table>" not in render_markdown(text)
