"""Runs the benchmarks one after the other on the services it is given, and returns the report."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from elivio import celery
from tests.bench.figures import (
    Figure,
    Sizes,
    measure_check_and_tap,
    measure_completion_write,
    measure_plan,
    measure_session_page,
)
from tests.bench.report import make_row, write_report
from tests.bench.site import run_measured_site
from tests.bench.tokens import measure_request, read_prices, write_tokens
from tests.fakes.brain import think
from tests.fakes.gemini import FakeGemini

# The broker's address is the Celery app's, which asgi, wsgi and manage.py load elsewhere.
__all__ = ["celery", "run_benchmarks"]


def run_benchmarks(sizes: Sizes) -> tuple[str, list[str]]:
    """The report as Markdown, and a sentence for each figure that passes its limit. The database
    must be migrated, and is filled with rows."""
    figures: list[Figure] = []
    with running_site() as site:
        for figure in measure_all(site, sizes):
            say(make_row(figure))
            figures.append(figure)
    tokens = write_tokens(measure_request(), read_prices())
    say(tokens)
    report = write_report(figures, sizes, tokens)
    return report, [figure.fault for figure in figures if figure.fault]


def measure_all(site: HTTPConnection, sizes: Sizes) -> Iterator[Figure]:
    yield measure_check_and_tap(site, sizes)
    yield measure_completion_write(sizes)
    yield from measure_plan(site, sizes)
    yield measure_session_page(site, sizes)


@contextmanager
def running_site() -> Iterator[HTTPConnection]:
    """The web process, its files collected as in production, and a model that answers at once."""
    with tempfile.TemporaryDirectory() as static, FakeGemini(brain=think) as gemini:
        if not settings.DEBUG:
            settings.STATIC_ROOT = static
            call_command("collectstatic", interactive=False, verbosity=0)
        with run_measured_site(gemini.url, Path(static)) as site:
            yield site


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
