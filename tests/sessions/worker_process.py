"""A real Celery worker on the test database, in a process group of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep

from django.conf import settings

from elivio import env
from elivio.celery import app
from tests.sessions.together import database_url

WAIT_SECONDS = 30.0
COMMAND = ["-m", "celery", "--quiet", "-A", "elivio", "worker", "--concurrency", "2"]
COMMAND += ["--loglevel", "warning", "--without-mingle", "--without-gossip"]


@contextmanager
def running_worker(**environment: str) -> Iterator[subprocess.Popen]:
    """Rules answer in it unless `environment` holds a key. Ends with kill -9, if not before."""
    app.control.purge()
    keyless = {"DEBUG": "1", "GEMINI_API_KEY": "", "GOOGLE_API_KEY": ""}
    surroundings = env.copy_with(**{**keyless, "DATABASE_URL": database_url(), **environment})
    worker = subprocess.Popen(
        [sys.executable, *COMMAND],
        cwd=settings.BASE_DIR,
        env=surroundings,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield worker
    finally:
        kill_worker(worker)


def kill_worker(worker: subprocess.Popen) -> None:
    """kill -9 for the worker and all its children."""
    if worker.poll() is None:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(10)


def wait_until(is_so: Callable[[], bool]) -> bool:
    """Look again and again; False when it did not come to be."""
    ends_at = monotonic() + WAIT_SECONDS
    while not is_so():
        if monotonic() > ends_at:
            return False
        sleep(0.05)
    return True
