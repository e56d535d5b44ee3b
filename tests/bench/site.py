"""The web process that is measured, and one browser's connection to it."""

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.e2e.site import environment, wait_until_up

TOKEN = "a" * 32
API = "/api/v1/"
TIMING = "Server-Timing"  # made by tests.bench.timed


class Reply(NamedTuple):
    """`milliseconds` is the server's own time."""

    milliseconds: float
    body: bytes


class Browser:
    """A logged-in person, or nobody, on a connection that stays open."""

    def __init__(self, connection: http.client.HTTPConnection, user: User | None = None) -> None:
        self._connection = connection
        cookies = {"csrftoken": TOKEN}
        if user:
            client = Client()
            client.force_login(user)
            cookies["sessionid"] = client.cookies["sessionid"].value
        self._headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "X-CSRFToken": TOKEN,
            "Content-Type": "application/json",
        }

    def get(self, path: str) -> Reply:
        return self._ask("GET", path)

    def post(self, path: str) -> Reply:
        return self._ask("POST", path)

    def post_json(self, path: str) -> tuple[float, Any]:
        reply = self.post(API + path)
        return reply.milliseconds, json.loads(reply.body)

    def _ask(self, method: str, path: str) -> Reply:
        self._connection.request(method, path, headers=self._headers)
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{method} {path} answered {answer.status}: {body[:500]!r}")
        timing = answer.headers[TIMING].partition("dur=")[2]
        return Reply(float(timing), body)


@contextmanager
def run_measured_site(gemini_url: str, static: Path) -> Iterator[http.client.HTTPConnection]:
    """A connection to a uvicorn with one process, its model calls sent to `gemini_url`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "tests.bench.timed:application"]
    command += ["--port", str(port), "--timeout-keep-alive", "600"]
    command += ["--no-access-log", "--log-level", "warning"]
    process = subprocess.Popen(
        command,
        cwd=settings.BASE_DIR,
        env=environment(
            DEBUG="1" if settings.DEBUG else "0",
            DJANGO_SETTINGS_MODULE="tests.bench.settings",
            SECRET_KEY=settings.SECRET_KEY,
            ALLOWED_HOSTS="127.0.0.1",
            SECURE_SSL_REDIRECT="0",
            STATIC_ROOT=str(static),
            GEMINI_API_KEY="for-benchmarks-only",
            GOOGLE_GEMINI_BASE_URL=gemini_url,
            LOG_LEVEL="ERROR",
        ),
    )
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        wait_until_up(f"http://127.0.0.1:{port}/login/", process)
        yield connection
    finally:
        connection.close()
        process.terminate()
        process.wait(20)
