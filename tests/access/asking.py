"""Asking one address as one actor, and what kind of answer came. It knows no expectation."""

import json
import re
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.test import Client
from django.test.client import MULTIPART_CONTENT, encode_multipart

from tests.access.world import TOKEN
from tests.api.calling import ROOT, make_picture
from tests.api.operations import OPERATIONS

JSON = "application/json"
BOUNDARY = "BoUnDaRyStRiNg"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOGINS = frozenset({"/login/", "/admin/login/"})
REFUSED = frozenset({"login", "401", "403", "404", "405"})
# Everything that a form of some page asks for.
FORM = {
    "status": "completed",
    "confirmed": "true",
    "text": "Two risks: rain, and too little time.",
    "message": "Please look at this again.",
    "reason": "It was the wrong file.",
    "verdict": "met",
    "sure": "on",
    "title": "Draw the whole map",
    "row_title": "Shows the whole map",
    "row_kind": "shown",
    "version": "4",
    "line_1": "You draw the map in ink.",
}
EXAMPLES = {
    (each.method, ROOT[1:] + re.sub(r"{(\w+)}", r"<\1>", each.path)): each for each in OPERATIONS
}
# What is new in each answer, wherever it stands.
FLEETING = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|value=\"\w{64}\"")


def ask(
    client: Client,
    method: str,
    path: str,
    address: str,
    *,
    with_token: bool = True,
    htmx: bool = False,
) -> HttpResponse:
    """Send what the route's own form or the API's documentation would send."""
    body, kind = (b"", JSON) if method in SAFE else _body_of(method, path)
    headers = {"X-CSRFToken": TOKEN} if with_token else {}
    headers |= {"HX-Request": "true"} if htmx else {}
    return client.generic(method, address, body, kind, headers=headers)


def kind_of(response: HttpResponse) -> str:
    """`ok`, `login` (sent to log in and then back), `go` (sent on elsewhere), or the status of a
    refusal, which 405 is also where an answer to OPTIONS does nothing but name the methods."""
    if "Allow" in response.headers and not response.content:
        return "405"
    target = response.headers.get("HX-Redirect") or response.headers.get("Location")
    if target:
        parts = urlsplit(target)
        return "login" if parts.path in LOGINS and "next=" in parts.query else "go"
    return "ok" if response.status_code < 300 else str(response.status_code)


def facts_of(response: HttpResponse, address: str) -> dict[str, Any]:
    """All that an asker learns from an answer, but for the address they asked and random values."""
    text = response.content.decode().replace(address, "ADDRESS")
    return {
        "status": response.status_code,
        "headers": dict(response.headers.items()),
        "cookies": sorted(response.cookies),
        "body": FLEETING.sub("FLEETING", text),
    }


def _body_of(method: str, path: str) -> tuple[bytes, str]:
    if not path.startswith(ROOT[1:]):
        return encode_multipart(BOUNDARY, FORM), MULTIPART_CONTENT
    example = EXAMPLES.get((method, path))
    if example is None or not example.content:
        return b"", JSON
    if form := example.content.get("multipart/form-data"):
        fields = {**form["example"], "image": make_picture()}
        return encode_multipart(BOUNDARY, fields), MULTIPART_CONTENT
    return json.dumps(example.content[JSON]["example"]).encode(), JSON
