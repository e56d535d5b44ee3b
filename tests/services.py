"""pytest plugin: throw-away PostgreSQL and Valkey for one test run, and no real model key.

It is loaded with `-p` so that the addresses are set before Django reads its settings. Test
processes of pytest-xdist inherit them and only choose a Valkey database of their own.
"""

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from elivio import env
from elivio.embedded.errors import ServiceError
from elivio.embedded.servers import services, stop_servers, try_lock

PREFIX = "elivio-test-"
FIXED = {"DEBUG": "1", "SECRET_KEY": "for-tests-only"}
CLEARED = ("GEMINI_", "GOOGLE_", "ELIVIO_")  # keys, and what would change the product under test
# What was cleared is kept under names that the product does not read. Only tests/live reads them,
# and only when it is asked for by name (-m live).
LIVE = "LIVE_"
ABANDONED_SECONDS = 60


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    worker = env.text("PYTEST_XDIST_WORKER")
    if worker:
        number = int(worker.removeprefix("gw")) + 1
        os.environ["REDIS_URL"] = with_database(env.text("REDIS_URL"), number)
    else:
        os.environ.update(FIXED)
        set_keys_aside()
        running = ExitStack()
        early_config.add_cleanup(running.close)
        try:
            running.enter_context(throwaway_services())
        except ServiceError as error:
            raise pytest.UsageError(str(error)) from error
    return (yield)


def set_keys_aside() -> None:
    for name in [name for name in os.environ if name.startswith(LIVE)]:
        del os.environ[name]
    for name in [name for name in os.environ if name.startswith(CLEARED)]:
        os.environ[LIVE + name] = os.environ.pop(name)


@contextmanager
def throwaway_services() -> Iterator[None]:
    """Set DATABASE_URL and REDIS_URL where unset, to servers that end with this block."""
    if env.text("DATABASE_URL") and env.text("REDIS_URL"):
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # or the servers would stay
    remove_abandoned()
    data = Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp"))
    try:
        with services(data, throwaway=True) as addresses:
            os.environ.update(DATABASE_URL=addresses.database_url, REDIS_URL=addresses.redis_url)
            yield
    finally:
        shutil.rmtree(data, ignore_errors=True)


def remove_abandoned() -> None:
    """Stop and delete what a killed test run left: a folder whose lock nobody holds."""
    for data in Path("/tmp").glob(f"{PREFIX}*"):
        facts = data.stat()
        fresh = time.time() - facts.st_mtime < ABANDONED_SECONDS
        if fresh or facts.st_uid != os.geteuid() or not (data / "users.lock").exists():
            continue
        with (data / "users.lock").open("a") as users:
            if try_lock(users):
                stop_servers(data)
                shutil.rmtree(data, ignore_errors=True)


def with_database(url: str, number: int) -> str:
    """Return the address of another numbered database of the same Valkey or Redis server."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return f"unix://{parts.path}?db={number}"
    return urlunsplit(parts._replace(path=f"/{number}"))
