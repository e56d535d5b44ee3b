"""The total deadline: it holds whatever the server does, and the request is really gone after."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from asgiref.sync import sync_to_async

from elivio.llm import deadline
from elivio.llm.errors import LLMError
from tests.elivio.llm.asking import SHORT, SLACK, ask_copilot, ask_judge, catch
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini, FakeRequest
from tests.fakes.replies import Reply

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("ask", [ask_judge, ask_copilot])
@pytest.mark.parametrize(
    "reply",
    [replies.hang(), replies.drip(0.05), replies.delay(60, replies.json({}))],
    ids=["hang", "drip", "late"],
)
def test_late_request_is_cancelled_and_its_socket_closed(
    fake: FakeGemini, ask: Any, reply: Any
) -> None:
    fake.enqueue(reply)
    error, seconds = catch(ask, deadline=SHORT)
    assert error.code == "timeout"
    assert 0.9 * SHORT < seconds < SHORT + SLACK
    assert fake.requests[0].closed.wait(SLACK)


def test_read_timeout_alone_never_ends_a_drip(fake: FakeGemini) -> None:
    """The control: what the deadline is for."""
    fake.enqueue(replies.drip(0.05))
    place = f"{fake.url}/v1/models/m:generateContent"
    headers = {"x-goog-api-key": "k"}
    started, received = time.monotonic(), 0
    with httpx2.stream("POST", place, json={}, headers=headers, timeout=0.8) as response:
        for _ in response.iter_raw(1):
            received += 1
            if time.monotonic() - started > 1.6:
                break
    assert time.monotonic() - started > 1.6
    assert received > 5


def test_deadline_that_has_passed_sends_nothing(fake: FakeGemini) -> None:
    error, _ = catch(ask_judge, deadline=0.0)
    assert error.code == "timeout"
    time.sleep(0.1)
    assert fake.calls == 0


def test_timeouts_leave_no_threads(fake: FakeGemini) -> None:
    ask_judge()
    before = names_of_own_threads()
    fake.enqueue(*[replies.hang()] * 8)
    with ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda _: catch(ask_judge, deadline=SHORT)[0].code, range(8)))
    assert codes == ["timeout"] * 8
    assert names_of_own_threads() == before
    assert before.count("llm-loop") == 1


def test_eight_threads_ask_at_once(fake: FakeGemini) -> None:
    """None is answered before all have come."""
    everybody = threading.Barrier(8)

    def respond(request: FakeRequest) -> Reply:
        everybody.wait(SLACK)
        return replies.json({"system": request.system})

    fake.respond = respond
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda n: ask_judge(system=f"judge {n}").text, range(8)))
    assert texts == [f'{{"system": "judge {n}"}}' for n in range(8)]
    assert fake.calls == 8


def test_slow_request_does_not_hold_up_another(fake: FakeGemini) -> None:
    go_on = threading.Event()
    fake.respond = lambda request: replies.json({"waited": fake.calls > 1 or go_on.wait(60)})
    slow = threading.Thread(target=ask_judge)
    slow.start()
    assert fake.wait_for(1)
    ask_judge()
    assert slow.is_alive()
    go_on.set()
    slow.join(SLACK)
    assert not slow.is_alive()


def test_asks_from_several_event_loops(fake: FakeGemini) -> None:
    """As views do under an ASGI server: in a thread beside a running loop, loops come and go."""

    async def ask_twice() -> list[str]:
        ask = sync_to_async(lambda: ask_judge().text, thread_sensitive=False)
        return list(await asyncio.gather(ask(), ask()))

    for _ in range(3):
        assert asyncio.run(ask_twice()) == ["{}", "{}"]
    assert fake.calls == 6


def test_interrupted_caller_cancels_its_request(
    fake: FakeGemini, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A soft time limit of Celery is raised in the waiting thread, wherever that stands."""

    class Interrupted(Exception):
        pass

    def interrupt(work: Any, loop: Any) -> Any:
        future = submit(work, loop)
        monkeypatch.setattr(future, "result", lambda timeout: raise_when_asked())
        return future

    def raise_when_asked() -> None:
        assert fake.wait_for(1)
        raise Interrupted

    submit = asyncio.run_coroutine_threadsafe
    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", interrupt)
    fake.enqueue(replies.hang())
    with pytest.raises(Interrupted):
        ask_judge()
    assert fake.requests[0].closed.wait(SLACK)


def test_caller_is_released_even_when_the_loop_is_stuck() -> None:
    let_go = threading.Event()

    async def block_the_loop() -> bool:
        return let_go.wait(SLACK)

    try:
        with pytest.raises(LLMError) as caught:
            deadline.run_until(time.monotonic() + 0.2, block_the_loop)
    finally:
        let_go.set()
    assert caught.value.code == "timeout"


def test_fault_of_our_own_code_is_not_hidden() -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        deadline.run_until(time.monotonic() + 1, fail)


FORK_SCRIPT = """
import sys
from billiard import get_context
from django.conf import settings
settings.configure(
    DEBUG=False, DATABASES={}, GEMINI_API_KEY="k", GEMINI_BASE_URL=sys.argv[1],
    GEMINI_API_VERSION="v1", MODELS={"judge": {"name": "m"}},
)
from tests.elivio.llm.asking import ask_judge

def ask(_):
    return ask_judge(deadline=20).text

if __name__ == "__main__":
    print(ask(0))
    with get_context("fork").Pool(2) as pool:
        print(*pool.map(ask, range(4)))
    print(ask(0))
"""


def test_forked_children_of_a_used_process_ask_too(fake: FakeGemini) -> None:
    """Celery's prefork pool is billiard's; here even the parent has asked before."""
    done = subprocess.run(
        [sys.executable, "-c", FORK_SCRIPT, fake.url],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert done.stdout.split() == ["{}"] * 6, done.stderr
    assert fake.calls == 6


def names_of_own_threads() -> list[str]:
    return sorted(each.name for each in threading.enumerate() if each.name.startswith("llm-"))
