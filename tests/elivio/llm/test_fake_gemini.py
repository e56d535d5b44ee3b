"""The fake server itself, asked by the real library: what other tests lean on must hold."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest
from google import genai
from google.genai import types

from tests.elivio.llm.asking import SCHEMA, ask_judge
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini, FakeRequest
from tests.fakes.replies import Reply

ROOT = Path(__file__).parents[3]


@pytest.fixture
def client(fake: FakeGemini) -> genai.Client:
    options = types.HttpOptions(base_url=fake.url, timeout=5000)
    return genai.Client(api_key="k", vertexai=False, http_options=options)


def test_queue_comes_before_respond_and_that_before_the_brain(fake: FakeGemini) -> None:
    fake.respond = lambda request: replies.text("respond")
    fake.enqueue(replies.text("queue"))
    assert [ask_judge().text for _ in range(2)] == ["queue", "respond"]
    fake.respond = None
    assert ask_judge().text == "{}"


def test_brain_is_given_the_request() -> None:
    seen: list[FakeRequest] = []

    def brain(request: FakeRequest) -> Reply:
        seen.append(request)
        return replies.json({"rows": [1]})

    with FakeGemini(brain=brain) as server:
        place = f"{server.url}/proxy/v1beta/models/m-1:generateContent"
        body = {
            "systemInstruction": {"parts": [{"text": "s"}]},
            "contents": [{"parts": [{"text": "a"}]}, {"parts": [{"text": "b"}]}],
            "generationConfig": {"responseJsonSchema": SCHEMA},
        }
        httpx2.post(place, json=body, headers={"X-Goog-Api-Key": "k"})
    [request] = seen
    assert (request.version, request.model, request.streaming) == ("v1beta", "m-1", False)
    assert (request.system, request.text) == ("s", "a\nb")
    assert request.schema == SCHEMA, "names inside the caller's schema must not be changed"


def test_call_without_a_key_is_refused_and_its_reply_kept(fake: FakeGemini) -> None:
    answer = httpx2.post(f"{fake.url}/v1/models/m:generateContent", json={})
    assert answer.status_code == 403
    assert fake.calls == 1


def test_unknown_path_is_404(fake: FakeGemini) -> None:
    answer = httpx2.get(f"{fake.url}/v1/models", headers={"x-goog-api-key": "k"})
    assert answer.status_code == 404


def test_stream_comes_in_pieces_and_ends_with_the_figures(
    fake: FakeGemini, client: genai.Client
) -> None:
    fake.enqueue(replies.text("One two  three."))
    chunks = list(client.models.generate_content_stream(model="m", contents="Hi"))
    assert [chunk.text for chunk in chunks if chunk.text] == ["One ", "two  ", "three."]
    assert chunks[-1].candidates[0].finish_reason == "STOP"
    assert chunks[-1].usage_metadata.cached_content_token_count == 400
    assert fake.requests[0].streaming


def test_stream_carries_calls_and_blocks(fake: FakeGemini, client: genai.Client) -> None:
    fake.enqueue(replies.tool_call("go", {"x": 1}, "id-1", say="Now."), replies.blocked())
    ask: Any = lambda: list(client.models.generate_content_stream(model="m", contents="Hi"))  # noqa: E731
    calls = [chunk.function_calls[0] for chunk in ask() if chunk.function_calls]
    assert [(call.id, call.name, call.args) for call in calls] == [("id-1", "go", {"x": 1})]
    assert [chunk.prompt_feedback.block_reason for chunk in ask()] == ["PROHIBITED_CONTENT"]


def test_wait_for_sees_calls_of_other_threads(fake: FakeGemini) -> None:
    threading.Thread(target=ask_judge).start()
    assert fake.wait_for(1)
    assert not fake.wait_for(2, timeout=0.05)


def test_server_stops_at_once_while_a_request_hangs() -> None:
    with FakeGemini() as server:
        server.enqueue(replies.hang())
        post = threading.Thread(target=ask_quietly, args=(server.url,))
        post.start()
        assert server.wait_for(1)
    post.join(20)
    assert not post.is_alive()


def ask_quietly(url: str) -> None:
    place = f"{url}/v1/models/m:generateContent"
    try:
        httpx2.post(place, json={}, headers={"x-goog-api-key": "k"}, timeout=60)
    except httpx2.TransportError:
        return


def test_runs_by_hand(no_key: Any) -> None:
    command = [sys.executable, "-m", "tests.fakes.gemini", "--port", "0"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        no_key.GEMINI_API_KEY = "k"
        no_key.GEMINI_BASE_URL = re.search(r"http://\S+", line)[0]
        assert ask_judge().text == "{}"
    finally:
        process.terminate()
        process.wait(30)
