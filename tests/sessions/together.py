"""Threads that start at one moment, and commands in processes of their own, for tests of races."""

import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import connection

from elivio import env


def run_together(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Call `work(0)` to `work(count - 1)` at once; return what each returned or raised."""
    barrier = threading.Barrier(count, timeout=60)

    def run_one(number: int) -> Any:
        barrier.wait()
        try:
            return work(number)
        except Exception as error:  # The test looks at it.
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run_one, range(count)))


def run_python(code: str, *arguments: str, **environment: str) -> str:
    """Run code with Django set up in a process of its own; return what it printed."""
    command = [sys.executable, "-c", f"import django; django.setup()\n{code}", *arguments]
    done = subprocess.run(
        command,
        cwd=settings.BASE_DIR,
        env=env.copy_with(DJANGO_SETTINGS_MODULE="elivio.settings", **environment),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def database_url() -> str:
    """The address of the test database, for a process of its own."""
    place = connection.settings_dict
    user = f"{quote(place['USER'])}:{quote(place['PASSWORD'])}@" if place["USER"] else ""
    options = {name: place[key] for name, key in (("host", "HOST"), ("port", "PORT")) if place[key]}
    return f"postgresql://{user}/{quote(place['NAME'])}?{urlencode(options)}"
