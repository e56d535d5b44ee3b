"""A real web process of the product on the test's database, and a client that speaks to it."""

import http.cookiejar
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from django.db import connection

STARTING_SECONDS = 30
BOUNDARY = b"e2e-9f2c71d5a04b"


def database_url() -> str:
    """The address of the test database, as the environment of another process needs it."""
    values = connection.settings_dict
    login = quote(values["USER"]) + (f":{quote(values['PASSWORD'])}" if values["PASSWORD"] else "")
    port = f"&port={values['PORT']}" if values["PORT"] else ""
    return f"postgresql://{login}@/{values['NAME']}?host={quote(values['HOST'])}{port}"


def environment(**changes: str) -> dict[str, str]:
    """The environment for a process of the product on the test's database and Valkey."""
    return {**os.environ, "DATABASE_URL": database_url(), "DEBUG": "1", **changes}


@contextmanager
def run_site(workers: int = 1, **changes: str) -> Iterator[str]:
    """The address of a running uvicorn with the product; stopped at the end."""
    with run_process(workers, **changes) as (url, _):
        yield url


@contextmanager
def run_process(workers: int = 1, **changes: str) -> Iterator[tuple[str, subprocess.Popen]]:
    """The same, with the process itself; with one worker it is the one that answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "elivio.asgi:application", "--port", str(port)]
    command += ["--workers", str(workers), "--log-level", "warning"]
    process = subprocess.Popen(command, env=environment(**changes))
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until_up(f"{url}/login/", process)
        yield url, process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_up(url: str, process: subprocess.Popen) -> None:
    ends_at = time.monotonic() + STARTING_SECONDS
    while time.monotonic() < ends_at and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("The web process did not come up.")


@dataclass
class Client:
    """A student's browser without pages: cookies, CSRF token, JSON."""

    url: str
    jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    def __post_init__(self) -> None:
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def log_in(self, email: str, password: str) -> "Client":
        self._opener.open(f"{self.url}/login/", timeout=30).close()
        form = f"username={quote(email)}&password={quote(password)}"
        form += f"&csrfmiddlewaretoken={self.cookie('csrftoken')}"
        self._opener.open(f"{self.url}/login/", form.encode(), timeout=30).close()
        assert self.cookie("sessionid"), "the login was refused"
        return self

    def cookie(self, name: str) -> str:
        return next((cookie.value or "" for cookie in self.jar if cookie.name == name), "")

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and decoded answer of an API call."""
        data = None if body is None else json.dumps(body).encode()
        return self.send(method, path, data, "application/json")

    def upload(self, path: str, name: str, data: bytes) -> tuple[int, Any]:
        """Status and answer of a form with one file."""
        head = f'Content-Disposition: form-data; name="{name}"; filename="screen"\r\n'
        head += "Content-Type: application/octet-stream\r\n\r\n"
        form = b"--%b\r\n%b%b\r\n--%b--\r\n" % (BOUNDARY, head.encode(), data, BOUNDARY)
        kind = f"multipart/form-data; boundary={BOUNDARY.decode()}"
        return self.send("POST", path, form, kind)

    def send(self, method: str, path: str, data: bytes | None, kind: str) -> tuple[int, Any]:
        request = urllib.request.Request(f"{self.url}/api/v1/{path}", data, method=method)
        request.add_header("Content-Type", kind)
        request.add_header("X-CSRFToken", self.cookie("csrftoken"))
        try:
            with self._opener.open(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)
