"""Calling the API as a page's script does: JSON out, JSON in, the session's cookie along."""

import io
import json
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from PIL import Image

ROOT = "/api/v1/"
MISSING = "00000000-0000-4000-8000-000000000000"


class Caller:
    """Paths are relative to the API's root. A `body` of None sends no body at all."""

    def __init__(self, user: User | None = None, *, csrf: bool = False) -> None:
        self.client = Client(enforce_csrf_checks=csrf)
        if user:
            self.client.force_login(user)

    def get(self, path: str, **query: Any) -> HttpResponse:
        return self.client.get(ROOT + path, query)

    def post(self, path: str, body: Any = None) -> HttpResponse:
        return self.call("POST", path, body)

    def patch(self, path: str, body: Any = None) -> HttpResponse:
        return self.call("PATCH", path, body)

    def call(self, method: str, path: str, body: Any = None) -> HttpResponse:
        return self.send(method, path, b"" if body is None else json.dumps(body).encode())

    def send(
        self, method: str, path: str, raw: bytes, kind: str = "application/json", **headers: str
    ) -> HttpResponse:
        return self.client.generic(method, ROOT + path, raw, kind, headers=headers)

    def upload(self, path: str, **fields: Any) -> HttpResponse:
        return self.client.post(ROOT + path, fields)


def make_picture(kind: str = "PNG", size: tuple[int, int] = (40, 30), colour: str = "red") -> Any:
    """An open file with a picture, as an upload needs it."""
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, kind)
    out.seek(0)
    out.name = f"screen.{kind.lower()}"
    return out
