"""`make bench`: services of its own, the benchmarks, the table on the screen and in docs/.

It takes no address from the environment: a benchmark must never write into somebody's database.
"""

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.core.management import call_command
from django.utils.module_loading import import_string

from elivio.embedded.addresses import CHECKOUT
from elivio.embedded.errors import ServiceError
from elivio.embedded.servers import services

PAGE = CHECKOUT / "docs" / "benchmarks.md"
CLEARED = ("GEMINI_", "GOOGLE_", "ELIVIO_", "DATABASE_URL", "REDIS_URL", "CELERY_")


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # or the services would stay
    for name in [name for name in os.environ if name.startswith(CLEARED)]:
        del os.environ[name]
    try:
        with own_services():
            django.setup()
            call_command("migrate", verbosity=0)
            sizes = import_string("tests.bench.figures.Sizes")()
            report, faults = import_string("tests.bench.run.run_benchmarks")(sizes)
    except ServiceError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    PAGE.write_text(report, encoding="utf-8")
    sys.stdout.write(f"\n{report}\nWritten to {PAGE.relative_to(CHECKOUT)}.\n")
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    return 1 if faults else 0


@contextmanager
def own_services() -> Iterator[None]:
    """PostgreSQL and Valkey in a folder that goes again, with everything as in production: commits
    wait for the disk, which the throw-away servers of the tests do not."""
    data = Path(tempfile.mkdtemp(prefix="elivio-bench-", dir="/tmp"))
    try:
        with services(data) as addresses:
            os.environ.update(
                DATABASE_URL=addresses.database_url,
                REDIS_URL=addresses.redis_url,
                DJANGO_SETTINGS_MODULE="elivio.settings",
                SECRET_KEY="for-benchmarks-only",
                DEBUG="0",
                LOG_LEVEL="ERROR",
            )
            yield
    finally:
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
