"""Who waits for a lock in the database, and meetings of threads that a lock may keep apart: what
tests of races wait for, in place of a time. It changes nothing of what the threads do."""

import threading
import time
from collections.abc import Callable

from django.db import connection

PATIENCE = 30.0
POLL_SECONDS = 0.01


def is_somebody_waiting() -> bool:
    """Whether another connection waits for a lock that this one holds.

    Waits in other databases do not count. A transaction that asks pg_stat_activity twice is shown
    the same connections twice; pg_locks is read anew.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks "
            "WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        )
        return cursor.fetchone()[0] > 0


def wait_until_somebody_waits() -> None:
    assert wait_until(is_somebody_waiting), "Nobody waited."


def wait_for_a_blocked_query() -> None:
    """Until some connection to this database waits for a lock, whoever holds it. Outside a
    transaction, in which pg_stat_activity always shows the same."""
    assert wait_until(_is_a_query_blocked), "Nothing waits for a lock."


def _is_a_query_blocked() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone()[0] > 0


def wait_until(holds: Callable[[], bool]) -> bool:
    """Whether it came about; it is asked for again and again until patience ends."""
    ends_at = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > ends_at:
            return False
        time.sleep(POLL_SECONDS)
    return True


class Meeting:
    """Holds a thread at a point until another is there too, or waits for a lock that the first one
    holds: with a lock in force it never comes, without it both pass together. It is held once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._came = 0

    def wait(self) -> None:
        with self._lock:
            self._came += 1
            is_first = self._came == 1
        if is_first:
            wait_until(lambda: self._came > 1 or is_somebody_waiting())
