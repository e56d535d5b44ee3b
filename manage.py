#!/usr/bin/env python
"""Django's command line, with the embedded services up for the commands that need them."""

import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

VENV = Path(__file__).resolve().parent / ".venv"
REQUIRED = ("django", "celery", "ninja", "psycopg", "psutil", "redis")
NO_SERVICES = frozenset(
    {"help", "version", "diffsettings", "collectstatic", "makemessages", "compilemessages"}
)


def switch_to_venv() -> None:
    """Start again with the environment that `make run` made, or say how to get one."""
    python = VENV / "bin" / "python"
    if python.exists() and Path(sys.prefix).resolve() != VENV:
        os.execv(python, [str(python), *sys.argv])
    sys.exit("The Python packages are not installed here: `make run` sets up the environment.")


if any(find_spec(name) is None for name in REQUIRED):
    switch_to_venv()

from django.core.management import execute_from_command_line  # noqa: E402

from elivio import celery, env  # noqa: E402
from elivio.embedded.errors import ServiceError  # noqa: E402
from elivio.embedded.servers import services  # noqa: E402

__all__ = ["celery", "main"]


def main(argv: list[str]) -> None:
    env.set_default("DJANGO_SETTINGS_MODULE", "elivio.settings")
    if not needs_services(argv):
        execute_from_command_line(argv)
        return
    # The default answer to SIGTERM would leave the services running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        with services():
            execute_from_command_line(argv)
    except ServiceError as error:
        sys.exit(str(error))


def needs_services(argv: list[str]) -> bool:
    asks_for_help = {"-h", "--help", "--version"} & set(argv)
    return len(argv) > 1 and argv[1] not in NO_SERVICES and not asks_for_help


if __name__ == "__main__":
    main(sys.argv)
