"""A stand-in for Google's Gemini REST server on loopback, for tests and for running by hand.

It checks the key's header, keeps every request, and plays what the test asked for. It must know
nothing of the product: what to answer is the test's business.

By hand: python -m tests.fakes.gemini --port 9000 [--brain package.module.function]
"""

from __future__ import annotations

import argparse
import importlib
import re
import select
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import JSONDecodeError, dumps, loads
from typing import Any

from tests.fakes import replies
from tests.fakes.replies import Reply

ROUTE = re.compile(r"/(?P<version>v1\w*)/models/(?P<model>[^/:]+):(?P<call>\w+)(\?|$)")
CALLS = {"generateContent", "streamGenerateContent"}
# Below these keys stands the caller's own data, whose names must stay as they are.
FOREIGN = {"args", "response", "parameters_json_schema", "response_json_schema", "parameters"}
POLL_SECONDS = 0.02

Brain = Callable[["FakeRequest"], Reply]


@dataclass
class FakeRequest:
    """`body` has snake_case keys; `raw` is what was sent. `closed` is set if the client hung up."""

    method: str
    path: str
    headers: dict[str, str]
    raw: Any
    version: str = ""
    model: str = ""
    streaming: bool = False
    at: float = field(default_factory=time.monotonic)
    closed: threading.Event = field(default_factory=threading.Event)

    @property
    def body(self) -> Any:
        return to_snake(self.raw)

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema of the answer; None for a chat."""
        return self.body.get("generation_config", {}).get("response_json_schema")

    @property
    def system(self) -> str:
        return join_texts([self.body.get("system_instruction", {})])

    @property
    def text(self) -> str:
        """Every text of the contents, a line between each."""
        return join_texts(self.body.get("contents", []))


class FakeGemini:
    """Answers from the queue first, then by `respond`, then by `brain`."""

    def __init__(self, port: int = 0, brain: Brain | None = None) -> None:
        self.requests: list[FakeRequest] = []
        self.respond: Brain | None = None
        self.brain: Brain = brain or answer_briefly
        self.after: Callable[[], None] = lambda: None  # in the thread of each answer
        self.stopping = threading.Event()
        self._queue: deque[Reply] = deque()
        self._changed = threading.Condition()
        self._http = FakeHTTPServer(("127.0.0.1", port), Handler)
        self._http.fake = self
        self.port: int = self._http.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> FakeGemini:
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._http.drop_connections()

    @property
    def calls(self) -> int:
        return len(self.requests)

    def enqueue(self, *answers: Reply) -> None:
        with self._changed:
            self._queue.extend(answers)

    def reset(self) -> None:
        with self._changed:
            self.requests.clear()
            self._queue.clear()
            self.respond = None

    def wait_for(self, calls: int, timeout: float = 30.0) -> bool:
        """Wait until so many requests have come; False when they have not."""
        with self._changed:
            return self._changed.wait_for(lambda: self.calls >= calls, timeout)

    def answer(self, request: FakeRequest) -> Reply:
        with self._changed:
            self.requests.append(request)
            self._changed.notify_all()
            queued = self._queue.popleft() if self._queue and request.model else None
        if not request.headers.get("x-goog-api-key"):
            return replies.error(403, message="Method doesn't allow unregistered callers.")
        if not request.model:
            return replies.error(404, message=f"No such method: {request.path}")
        try:
            return queued or (self.respond or self.brain)(request)
        finally:
            self.after()


class FakeHTTPServer(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True
    block_on_close = False
    fake: FakeGemini

    def __init__(self, *args: Any) -> None:
        self.connections: set[socket.socket] = set()
        super().__init__(*args)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self.connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self.connections.discard(request)
        super().shutdown_request(request)

    def drop_connections(self) -> None:
        for connection in list(self.connections):
            self.shutdown_request(connection)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # Else each answer waits 40 ms for a delayed acknowledgement.
    server: FakeHTTPServer

    def do_POST(self) -> None:
        request = self.read_request()
        reply = self.server.fake.answer(request)
        if self.wait(request, reply.wait):
            return
        if reply.ending == "hang":
            self.wait(request, float("inf"))
            return
        if reply.steps:
            self.send_steps(request, reply)
        elif reply.body or reply.ending == "send":
            self.send(request, reply)
        if reply.ending == "close":
            self.close_connection = True

    def do_GET(self) -> None:
        self.do_POST()

    def read_request(self) -> FakeRequest:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            raw = loads(data or b"{}")
        except JSONDecodeError:
            raw = {}
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = FakeRequest(self.command, self.path, headers, raw)
        route = ROUTE.search(self.path)
        if route and route["call"] in CALLS and self.command == "POST":
            request.version, request.model = route["version"], route["model"]
            request.streaming = route["call"] == "streamGenerateContent"
        return request

    def wait(self, request: FakeRequest, seconds: float) -> bool:
        """Wait, and say whether the client hung up or the server stops; then all is over."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            readable = select.select([self.connection], [], [], min(left, POLL_SECONDS))[0]
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                request.closed.set()
            if request.closed.is_set() or self.server.fake.stopping.is_set():
                self.close_connection = True
                return True
        return False

    def send(self, request: FakeRequest, reply: Reply) -> None:
        streaming = request.streaming and reply.status == 200 and isinstance(reply.body, dict)
        kind = "text/event-stream" if streaming else "application/json"
        data = stream(reply.body) if streaming else encode(reply.body)
        self.send_response(reply.status)
        headers = {"Content-Type": kind, "Content-Length": str(len(data)), **reply.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if not reply.byte_seconds:
            self.wfile.write(data)
            return
        for position in range(len(data)):
            self.wfile.write(data[position : position + 1])
            if self.wait(request, reply.byte_seconds):
                return

    def send_steps(self, request: FakeRequest, reply: Reply) -> None:
        """A stream under the test's control. It ends with the connection, whole or broken off."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for step in reply.steps:
            if not isinstance(step, threading.Event):
                self.send_chunk(f"data: {dumps(step)}\r\n\r\n".encode())
                continue
            while not step.is_set():
                if self.wait(request, POLL_SECONDS):
                    return
        if reply.ending == "send":
            self.send_chunk(b"")

    def send_chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def log_message(self, *args: Any) -> None:
        """Stay quiet: the tests read `requests`."""


def encode(body: Any) -> bytes:
    return body if isinstance(body, bytes) else dumps(body, ensure_ascii=False).encode()


def stream(body: dict[str, Any]) -> bytes:
    """Return the reply as server-sent events, its text cut into words."""
    events = "".join(f"data: {dumps(chunk)}\r\n\r\n" for chunk in split_chunks(body))
    return events.encode()


def split_chunks(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    entries = body.get("candidates")
    if not isinstance(entries, list) or len(entries) != 1:
        yield body
        return
    [entry] = entries
    parts = entry.get("content", {}).get("parts", [])
    for part in parts if isinstance(parts, list) else []:
        pieces = re.findall(r"\S*\s*", part["text"])[:-1] if "text" in part else []
        for each in [{**part, "text": piece} for piece in pieces] or [part]:
            yield {"candidates": [{"content": {"role": "model", "parts": [each]}}]}
    if isinstance(parts, list):
        entry = {**entry, "content": {"role": "model", "parts": [{"text": ""}]}}
    yield {**body, "candidates": [entry]}


def to_snake(value: Any) -> Any:
    if isinstance(value, list):
        return [to_snake(item) for item in value]
    if not isinstance(value, dict):
        return value
    snake = {re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", key).lower(): key for key in value}
    return {
        name: value[key] if name in FOREIGN else to_snake(value[key]) for name, key in snake.items()
    }


def join_texts(contents: list[dict[str, Any]]) -> str:
    found = [part["text"] for each in contents for part in each.get("parts", []) if "text" in part]
    return "\n".join(found)


def answer_briefly(request: FakeRequest) -> Reply:
    return replies.json({}) if request.schema else replies.text("What have you tried so far?")


def load_brain(path: str) -> Brain:
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="A fake Gemini server on loopback.")
    parser.add_argument("--port", type=int, default=9000)
    parser.add_argument("--brain", default="tests.fakes.gemini.answer_briefly")
    options = parser.parse_args(arguments)
    with FakeGemini(options.port, load_brain(options.brain)) as fake:
        sys.stdout.write(f"GEMINI_API_KEY=fake GOOGLE_GEMINI_BASE_URL={fake.url}\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main(sys.argv[1:])
