"""Keep the embedded servers up while someone uses them: the first user starts, the last one stops.

Users are counted with file locks, which the system drops when a process dies in any way, so a
server that outlived a killed user is taken over and stopped by the next one.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from elivio import env
from elivio.embedded import postgres, valkey
from elivio.embedded.addresses import data_dir, database_url, redis_url
from elivio.embedded.folders import (
    disk_errors_as_sentence,
    prepare_folders,
    remove_short_socket_dir,
)


class Addresses(NamedTuple):
    database_url: str
    redis_url: str


@contextmanager
def services(data: Path | None = None, *, throwaway: bool = False) -> Iterator[Addresses]:
    """Have PostgreSQL and Valkey running inside the block; raises ServiceError.

    A server whose address is set (DATABASE_URL, REDIS_URL) is left alone; with both set, nothing
    is started and nothing on disk is touched.
    """
    data = data or data_dir()
    given = Addresses(env.text("DATABASE_URL"), env.text("REDIS_URL"))
    if all(given):
        yield given
        return
    with disk_errors_as_sentence(data):
        data.mkdir(parents=True, exist_ok=True)
        users = (data / "users.lock").open("a")
    try:
        with disk_errors_as_sentence(data), start_lock(data):
            fcntl.flock(users, fcntl.LOCK_SH)
            prepare_folders(data)
            if not given.database_url:
                postgres.start(data, throwaway=throwaway)
            if not given.redis_url:
                valkey.start(data, throwaway=throwaway)
        yield Addresses(
            given.database_url or database_url(data), given.redis_url or redis_url(data)
        )
    finally:
        leave(data, users)


def leave(data: Path, users: IO[str]) -> None:
    """Give up one's place, and stop the servers when nobody else has one."""
    with users, disk_errors_as_sentence(data), start_lock(data):
        if try_lock(users):
            stop_servers(data)


def stop_servers(data: Path) -> None:
    valkey.stop(data)
    postgres.stop(data)
    remove_short_socket_dir(data)


@contextmanager
def start_lock(data: Path) -> Iterator[None]:
    """Let one process at a time start or stop the servers of this folder."""
    with (data / "start.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def try_lock(file: IO[str]) -> bool:
    """Take the exclusive lock if nobody holds any; it lasts until the file is closed."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
