"""Reading an answer as a person does: its text, its buttons, its boxes. No test of its own."""

from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client

Attributes = dict[str, str | None]


class _Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[tuple[str, Attributes]] = []
        self.texts: list[tuple[str, Attributes, list[str]]] = []
        self._open: list[list[str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("button", "textarea"):
            self._open.append([])
            self.texts.append((tag, dict(attrs), self._open[-1]))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("button", "textarea"):
            self._open.pop()

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        for words in self._open:
            words.append(data)


def text_of(response: HttpResponse) -> str:
    """All words of the page, white space folded."""
    return " ".join(" ".join(_Page(response.content.decode()).words).split())


def buttons_of(response: HttpResponse) -> dict[str, Attributes]:
    """The buttons by their words."""
    found = _Page(response.content.decode()).texts
    return {"".join(words).strip(): attrs for tag, attrs, words in found if tag == "button"}


def box_of(response: HttpResponse, name: str = "text") -> str | None:
    """What stands in the text box of this name; None without the box."""
    for tag, attrs, words in _Page(response.content.decode()).texts:
        if tag == "textarea" and attrs.get("name") == name:
            # A browser drops the one line break after the tag.
            return "".join(words).removeprefix("\n")
    return None


def hidden_of(response: HttpResponse, name: str) -> str | None:
    for tag, attrs in _Page(response.content.decode()).tags:
        if tag == "input" and attrs.get("name") == name:
            return attrs.get("value")
    return None


def ids_of(response: HttpResponse) -> list[str]:
    return [attrs["id"] for _, attrs in _Page(response.content.decode()).tags if attrs.get("id")]


def ask(client: Client, method: str, url: str, data: Any = None, *, page: str = "/") -> Any:
    """A request as HTMX sends it from `page`."""
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{page}"}
    return getattr(client, method)(url, data, headers=headers)
