"""Runs provider calls on one background event loop, each cut off at its total deadline.

A read time-out alone never fires on a server that sends a byte a second, and a blocked thread can't
be cancelled; a task on an event loop can, and its socket is closed. Must know no provider.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import TypeVar

from elivio.llm.errors import LLMError
from elivio.llm.messages import Emit

T = TypeVar("T")

GRACE_SECONDS = 0.2
WORKER_THREADS = 32
DEFAULT_SECONDS = 120.0
BEAT_SECONDS = 0.5
_END = None

_deadline: ContextVar[float | None] = ContextVar("llm_deadline", default=None)
_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_loops_of_parent: list[asyncio.AbstractEventLoop | None] = []


def run_until(deadline: float, work: Callable[[], Awaitable[T]]) -> T:
    """Return what work() returns; LLMError("timeout") once time.monotonic() passes the deadline."""
    future = asyncio.run_coroutine_threadsafe(cut_off_at(deadline, work), background_loop())
    try:
        return future.result(max(0.0, deadline - time.monotonic()) + GRACE_SECONDS)
    except TimeoutError as error:
        raise LLMError("timeout") from error
    finally:
        # Also when the waiting thread itself is interrupted (a Celery soft time limit).
        future.cancel()


def stream_until(deadline: float, work: Callable[[Emit], Awaitable[T]], emit: Emit) -> T:
    """Like run_until. The pieces that work hands out are emitted here, in the calling thread: an
    emit that is slow or raises never holds up the loop, and one that raises ends the call.

    emit("") is called while nothing comes, so that whoever waits can still change their mind.
    """
    pieces: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    future = asyncio.run_coroutine_threadsafe(
        cut_off_at(deadline, lambda: work(pieces.put)), background_loop()
    )
    future.add_done_callback(lambda _: pieces.put(_END))
    try:
        while (piece := take_piece(pieces, deadline)) is not _END:
            emit(piece)
        return result_of(future)
    finally:
        future.cancel()


def take_piece(pieces: queue.SimpleQueue[str | None], deadline: float) -> str | None:
    """The next piece, "" when none came for a while. LLMError("timeout") past the deadline."""
    left = deadline + GRACE_SECONDS - time.monotonic()
    if left <= 0:
        raise LLMError("timeout")
    try:
        return pieces.get(timeout=min(left, BEAT_SECONDS))
    except queue.Empty:
        return ""


def result_of(future: Future[T]) -> T:
    try:
        return future.result(0)
    except TimeoutError as error:
        raise LLMError("timeout") from error


async def cut_off_at(deadline: float, work: Callable[[], Awaitable[T]]) -> T:
    _deadline.set(deadline)
    async with asyncio.timeout(deadline - time.monotonic()):
        return await work()


def remaining_seconds() -> float:
    """Return what is left for the call that is running now; never zero or less."""
    deadline = _deadline.get()
    return DEFAULT_SECONDS if deadline is None else max(0.001, deadline - time.monotonic())


def background_loop() -> asyncio.AbstractEventLoop:
    """Return this process's loop, started at the first call."""
    global _loop
    with _lock:
        if _loop is None:
            loop = asyncio.new_event_loop()
            loop.set_default_executor(ThreadPoolExecutor(WORKER_THREADS, "llm-worker"))
            threading.Thread(target=loop.run_forever, name="llm-loop", daemon=True).start()
            _loop = loop
        return _loop


def forget_loop_of_parent() -> None:
    """Let a forked child start its own loop, and never close the one it shares with its parent."""
    global _loop, _lock
    _loops_of_parent.append(_loop)
    _loop, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=forget_loop_of_parent)
