"""Find, await and end server processes; it trusts names and arguments, never a bare process id."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

from elivio.embedded.errors import ServiceError

POLL_SECONDS = 0.05
STOP_SECONDS = 20.0


def find_processes(name: str, argument: Path) -> list[psutil.Process]:
    """Return the live processes of this program that were started with this path as an argument."""
    return [
        process
        for process in psutil.process_iter(["name", "cmdline"])
        if process.info["name"] == name and str(argument) in (process.info["cmdline"] or [])
    ]


def wait_until(done: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def is_gone(process: psutil.Process) -> bool:
    """Tell whether the process has ended; a zombie has, whoever still has to collect it."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def collect_child(process: psutil.Process) -> None:
    """Take the exit status of an ended process, if it is a child of this one."""
    with suppress(ChildProcessError):
        os.waitpid(process.pid, os.WNOHANG)


def end_processes(processes: list[psutil.Process], stop_signal: signal.Signals) -> None:
    """Ask the processes to stop, and kill the ones that have not after STOP_SECONDS."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(stop_signal)
    if not wait_until(lambda: all(map(is_gone, processes)), STOP_SECONDS):
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        wait_until(lambda: all(map(is_gone, processes)), STOP_SECONDS)
    for process in processes:
        collect_child(process)


def start_failure(what: str, log: Path) -> ServiceError:
    """Return the error for a server that did not start, with what its log says is wrong."""
    text = log.read_text(errors="replace") if log.exists() else ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [number for number, line in enumerate(lines) if "FATAL" in line]
    telling = lines[max(fatal[0] - 1, 0) : fatal[0] + 2] if fatal else lines[-3:]
    return ServiceError(f"{what} did not start. Its log {log} says: {' '.join(telling) or '-'}")
