"""The folders of the embedded servers, and which system user may use them; it starts nothing."""

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from elivio.embedded.addresses import socket_dir
from elivio.embedded.errors import ServiceError

ROOT_STAND_IN = "nobody"  # PostgreSQL refuses to run as root


@contextmanager
def disk_errors_as_sentence(data: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ServiceError(
            f"The data folder {data} cannot be used ({error}). Make it writable, name another "
            "folder in ELIVIO_DATA_DIR, or set DATABASE_URL and REDIS_URL."
        ) from error


def prepare_folders(data: Path) -> None:
    """Make the socket folder, private to PostgreSQL's user, and open the way to the data folder."""
    open_path(data)
    sockets = socket_dir(data)
    sockets.mkdir(mode=0o700, exist_ok=True)
    user = stand_in()
    owners = {os.geteuid(), user.pw_uid if user else os.geteuid()}
    if sockets.is_symlink() or sockets.stat().st_uid not in owners:
        raise ServiceError(f"The socket folder {sockets} belongs to someone else. Remove it.")
    sockets.chmod(0o700)
    hand_over(sockets)


def stand_in() -> pwd.struct_passwd | None:
    """Return the user that PostgreSQL runs as in place of root; None for an ordinary user."""
    return pwd.getpwnam(ROOT_STAND_IN) if os.geteuid() == 0 else None


def process_identity() -> dict[str, Any]:
    """Return the subprocess arguments that start a program as the user PostgreSQL may run as."""
    user = stand_in()
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}


def hand_over(path: Path) -> None:
    """Give the path to the user PostgreSQL runs as."""
    if user := stand_in():
        os.chown(path, user.pw_uid, -1)


def open_path(path: Path) -> None:
    """As root, let PostgreSQL's user pass through (not list) this folder and those above it."""
    if not stand_in():
        return
    for folder in (path, *path.parents):
        mode = folder.stat().st_mode
        if not mode & 0o001:
            folder.chmod(mode & 0o7777 | 0o001)


def remove_short_socket_dir(data: Path) -> None:
    """Remove the socket folder when it is outside the data folder and empty."""
    sockets = socket_dir(data)
    if sockets.parent != data:
        with suppress(OSError):
            sockets.rmdir()
