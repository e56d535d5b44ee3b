"""The figures as a table for people, with the facts of the machine they were measured on."""

import os
import platform
import statistics
import tempfile
import time
from importlib.metadata import version

import redis
from django.conf import settings
from django.db import connection

from sessions.transcript import PAGE
from tests.bench.figures import MOST_OF_A_LONG_SESSION, Figure, Sizes
from tests.bench.samples import find_p95

LIBRARIES = ("Django", "psycopg", "uvicorn", "google-genai")
SYNCS = 50
ABOUT = """\
# Benchmarks

Written by `make bench`, which measures everything again and replaces this page. Read the ratios:
each compares two things measured in turn within one run, so they carry over to other machines far
better than the milliseconds do.

{table}

Ratio: median over median, in brackets where 95 of 100 resamples of the same samples lie. p95
ratio: 95th percentile over 95th percentile. Milliseconds: of the work, then of its base. Noise:
the base against itself, every other two samples over the rest; on a still machine it is 1. When
the p95 ratio of the session page is over {most}, `make bench` says so and exits with 1.

## What is compared

- **Check and tap**: `POST check` and then `POST complete` of the API by a new student each time,
  the server's own times added up. Both judge, so there are two model calls, which go over HTTP to
  a stand-in that answers at once; the time it takes is in the figure. The base is a view that
  writes one row of a plain table through the ORM and asks for no login, in the same process behind
  the same middleware.
- **Completion write**: `Action.update_status` with a passed check, on a plan of twelve tasks, from
  the locks to the commit, with the follow-ups and their hand-over to the broker's thread. The base
  is a transaction with as many statements of the same kinds through Django's cursor, on a table
  without triggers, constraints or relations.
- **Pages and API**: the server's own time for the whole answer. A session page shows the newest
  {page} turns, so a long conversation shows {page} and a short one {few}.

The server's own time is taken inside a uvicorn process with DEBUG off, from the request's arrival
in the application to the end of all work on it (`tests/bench/timed.py`). PostgreSQL runs with its
own defaults, so each commit waits for the disk.

## Tokens of a check

What a check of a long conversation sends, from the product's own prompt: characters are exact,
tokens a quarter of them. No model is asked; what providers count stands on the page of judge
health. Prices come from `PRICE_INPUT` and `PRICE_OUTPUT` in the environment of `make bench`.

{tokens}

{notes}## The machine

{machine}
"""


def write_report(figures: list[Figure], sizes: Sizes, tokens: str) -> str:
    notes = "".join(f"- {figure.work}: {note}\n" for figure in figures for note in figure.notes)
    return ABOUT.format(
        table=make_table(figures),
        page=min(PAGE, sizes.turns[0]),
        few=sizes.turns[1],
        most=MOST_OF_A_LONG_SESSION,
        tokens=tokens,
        notes=f"## Counted\n\n{notes}\n" if notes else "",
        machine="\n".join(f"- {fact}" for fact in read_machine()),
    )


def make_table(figures: list[Figure]) -> str:
    head = "| work | over | ratio | p95 ratio | median ms | p95 ms | samples | noise |"
    ruler = "|---|---|---|---|---|---|---|---|"
    return "\n".join([head, ruler, *map(make_row, figures)])


def make_row(figure: Figure) -> str:
    pair = figure.pair
    low, high = pair.interval
    medians = " / ".join(f"{statistics.median(each):.2f}" for each in (pair.work, pair.base))
    p95s = " / ".join(f"{find_p95(each):.2f}" for each in (pair.work, pair.base))
    cells = [
        figure.work,
        figure.base,
        f"**{pair.ratio:.2f}** ({low:.2f} to {high:.2f})",
        f"{pair.ratio_p95:.2f}",
        medians,
        p95s,
        str(len(pair.work)),
        f"{pair.noise:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def read_machine() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        postgres = cursor.fetchone()[0].split()[0]
    client = redis.Redis.from_url(settings.REDIS_URL)
    facts = client.info("server")
    client.close()
    valkey = facts.get("valkey_version") or facts["redis_version"]
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    load = os.getloadavg()[0]
    return [
        f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}; "
        f"load average {load:.1f} at the end",
        f"Python {platform.python_version()}, PostgreSQL {postgres}, Valkey {valkey}",
        libraries,
        f"writing 8 kB and waiting for the disk: {measure_sync():.2f} ms (median)",
    ]


def measure_sync() -> float:
    """Milliseconds of a write with fsync, which every commit waits for."""
    spent = []
    with tempfile.TemporaryFile(dir="/tmp") as file:
        for _ in range(SYNCS):
            started = time.perf_counter()
            file.write(bytes(8192))
            file.flush()
            os.fsync(file.fileno())
            spent.append(1000 * (time.perf_counter() - started))
    return statistics.median(spent)
