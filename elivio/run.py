"""`make run`: services, migrations, demo data, web and worker on one machine, until Ctrl-C.

It only starts, watches and stops other programs: it must not import Django.
"""

import errno
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, NoReturn

from psycopg.conninfo import conninfo_to_dict

from elivio import env
from elivio.demo import PASSWORD, STAFF, STUDENT
from elivio.embedded.addresses import CHECKOUT, data_dir
from elivio.embedded.errors import ServiceError
from elivio.embedded.folders import disk_errors_as_sentence
from elivio.embedded.servers import services, try_lock
from elivio.process_groups import Group, end_groups, group_of

ANSWER_SECONDS = 60.0
LOGINS = f"Demo logins: {STUDENT} and {STAFF}, password {PASSWORD}"
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


stop_asked = threading.Event()


class Stopped(Exception):
    """Someone asked the run to end."""


class RunError(Exception):
    """The run cannot start or go on; the text is a sentence for the person at the terminal."""


@dataclass(frozen=True)
class Config:
    """What the environment asks for."""

    host: str
    port: int
    workers: int
    debug: bool
    data: Path

    @property
    def address(self) -> str:
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def main() -> int:
    for number in STOP_SIGNALS:
        signal.signal(number, ask_to_stop)
    try:
        run(read_config())
    except Stopped:
        print("Stopped.", flush=True)
        return 0
    except (RunError, ServiceError) as error:
        print(error, file=sys.stderr, flush=True)
        return 1


def ask_to_stop(number: int, frame: FrameType | None) -> None:
    """Only note the wish: an exception at any moment could lose a process just started."""
    stop_asked.set()


def pause(seconds: float) -> None:
    if stop_asked.wait(seconds):
        raise Stopped


def read_config() -> Config:
    try:
        config = Config(
            host=env.text("HOST", "127.0.0.1"),
            port=env.integer("PORT", 8000),
            workers=env.integer("WEB_WORKERS", 1),
            debug=env.flag("DEBUG", default=is_on_this_machine(env.text("DATABASE_URL"))),
            data=data_dir(),
        )
    except ValueError as error:
        raise RunError(str(error)) from error
    if not 0 < config.port < 65536:
        raise RunError(f"PORT must be between 1 and 65535; it is {config.port}.")
    if config.workers < 1:
        raise RunError(f"WEB_WORKERS must be 1 or more; it is {config.workers}.")
    return config


def is_on_this_machine(database_url: str) -> bool:
    """Whether the database is embedded or local: demo logins never reach another machine's."""
    host = conninfo_to_dict(database_url).get("host") or ""
    return str(host).startswith("/") or host in ("", "localhost", "127.0.0.1", "::1")


def run(config: Config) -> NoReturn:
    with only_run_here(config) as record:
        require_free_port(config)
        print("Starting: services and migrations.", flush=True)
        with services(config.data) as addresses:
            environment = env.copy_with(
                DATABASE_URL=addresses.database_url,
                REDIS_URL=addresses.redis_url,
                DEBUG="1" if config.debug else "0",
            )
            pause(0)
            manage("migrate", environment)
            if config.debug:
                manage("seed_demo", environment)
            with children(config, environment, record) as started:
                wait_for_answer(config, started)
                print(f"Elivio is running at {config.address}", flush=True)
                print(*[LOGINS] * config.debug, "Ctrl-C stops it.", sep="\n", flush=True)
                while True:
                    require_alive(started)
                    pause(0.3)


@contextmanager
def only_run_here(config: Config) -> Iterator[IO[str]]:
    """Hold this data folder's run lock, after ending what a killed run left behind.

    The lock is the system's and ends with the process: the file itself says nothing when stale.
    """
    with disk_errors_as_sentence(config.data):
        config.data.mkdir(parents=True, exist_ok=True)
        record = (config.data / "run.lock").open("a+")
    with record:
        held = try_lock(record)
        last = read_record(record)
        if not held:
            raise RunError(
                f"Elivio already runs from this folder, at {last.get('address', 'its address')}. "
                f"Use that one, or stop it with Ctrl-C (process {last.get('pid', 'unknown')})."
            )
        end_groups([Group(*group) for group in last.get("children", [])])
        write_record(record, config, [])
        yield record


def read_record(record: IO[str]) -> dict:
    record.seek(0)
    try:
        return json.load(record)
    except ValueError:
        return {}


def write_record(record: IO[str], config: Config, started: list[Group]) -> None:
    record.truncate(0)
    json.dump({"pid": os.getpid(), "address": config.address, "children": started}, record)
    record.flush()


def require_free_port(config: Config) -> None:
    try:
        found = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)
        socket.create_server(found[0][4][:2], family=found[0][0]).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            other = config.port + 1 if config.port < 65535 else 8000
            raise RunError(
                f"Port {config.port} is taken by another program. Choose another: "
                f"make run PORT={other}"
            ) from error
        raise RunError(
            f"Elivio cannot listen on HOST={config.host} PORT={config.port}: {error.strerror}."
        ) from error


def manage(command: str, environment: dict[str, str]) -> None:
    """Run a management command to its end; on failure say its last line."""
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen(
            [sys.executable, "manage.py", command, "--verbosity", "0"],
            cwd=CHECKOUT,
            env=environment,
            start_new_session=True,  # a Ctrl-C in the terminal is for this process alone
            stdout=output,
            stderr=output,
        )
        try:
            while child.poll() is None:
                pause(0.1)
        finally:
            child.kill()
            child.wait()
        output.seek(0)
        last_line = (output.read().strip().splitlines() or ["no output"])[-1]
    if child.returncode:
        raise RunError(
            f"`python manage.py {command}` failed: {last_line}\nRun that command to see all of it."
        )


@contextmanager
def children(
    config: Config, environment: dict[str, str], record: IO[str]
) -> Iterator[dict[str, subprocess.Popen]]:
    """Start web and worker, each in a process group of its own, and end both groups afterwards."""
    started: dict[str, subprocess.Popen] = {}
    groups: list[Group] = []
    try:
        for name, command in (("web", web_command(config)), ("worker", worker_command(config))):
            child = subprocess.Popen(command, cwd=CHECKOUT, env=environment, start_new_session=True)
            started[name] = child
            groups.append(group_of(child.pid))
            write_record(record, config, groups)
        yield started
    finally:
        end_groups(groups)
        write_record(record, config, [])


def web_command(config: Config) -> list[str]:
    command = [sys.executable, "-m", "uvicorn", "elivio.asgi:application"]
    command += ["--host", config.host, "--port", str(config.port)]
    command += ["--workers", str(config.workers), "--no-access-log", "--log-level", "warning"]
    command += ["--ws-max-size", "1048576", "--ws-max-queue", "4"]
    command += ["--ws-per-message-deflate", "false", "--timeout-graceful-shutdown", "5"]
    return command


def worker_command(config: Config) -> list[str]:
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "elivio", "worker", "--beat"]
    command += ["--schedule", str(config.data / "celerybeat-schedule")]
    command += ["--concurrency", "2", "--loglevel", "warning"]
    return command


def wait_for_answer(config: Config, started: dict[str, subprocess.Popen]) -> None:
    deadline = time.monotonic() + ANSWER_SECONDS
    while not answers(config):
        require_alive(started)
        if time.monotonic() > deadline:
            raise RunError(f"The web process did not answer within {ANSWER_SECONDS:.0f} seconds.")
        pause(0.1)


def answers(config: Config) -> bool:
    anywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}
    host = anywhere.get(config.host, config.host)
    connection = http.client.HTTPConnection(host, config.port, timeout=10)
    try:
        connection.request("GET", "/")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def require_alive(started: dict[str, subprocess.Popen]) -> None:
    for name, child in started.items():
        if child.poll() is not None:
            raise RunError(
                f"The {name} process ended on its own (exit status {child.returncode}), so "
                "everything else was stopped too. What it wrote above says why."
            )


if __name__ == "__main__":
    sys.exit(main())
