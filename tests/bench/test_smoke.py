"""The benchmarks run to the end on tiny numbers, so that they are not found broken when needed."""

import re
from typing import Any

import pytest

from tests.bench import figures
from tests.bench.figures import Figure, Sizes, complete_next, prepare_checked_tasks
from tests.bench.run import run_benchmarks
from tests.bench.samples import Pair
from tests.bench.statements import PlainTable, describe, read_statements

TINY = Sizes(checks=4, writes=4, pages=4, warm_up=1, tasks=(12, 5), turns=(60, 10))
# Each is a round trip of the tap, and BEGIN and COMMIT are two more. A change is reviewed.
COMPLETION = [
    "LOCK plans_plan",
    "LOCK plans_action",
    "INSERT plans_completion",
    "UPDATE plans_action",
    "SELECT plans_action",
    "INSERT plans_followup",
]
pytestmark = pytest.mark.django_db(transaction=True)


def test_all_figures_are_taken(settings: Any, monkeypatch):
    monkeypatch.setattr(figures, "MOST_OF_A_LONG_SESSION", 0.0)
    settings.DEBUG = True  # or the site would want its static files collected, which takes long
    report, faults = run_benchmarks(TINY)
    table = re.findall(r"^\| (.+?) \| .+ \| \*\*(\d+\.\d+)\*\* ", report, re.MULTILINE)
    assert [name for name, _ in table] == [
        "Check and tap",
        "Completion write",
        "Plan page, 12 tasks",
        "Plan API, 12 tasks",
        "Session page, 60 turns",
    ]
    (fault,) = faults
    assert fault.startswith("Session page, 60 turns: the p95 ratio is")
    assert all(float(ratio) > 0 for _, ratio in table)
    assert f"{len(COMPLETION)} statements" in report and f"{len(COMPLETION) + 2} round" in report


@pytest.mark.parametrize(("most", "is_over"), [(1.5, True), (2.5, False), (None, False)])
def test_a_figure_over_its_limit_is_said(most, is_over):
    figure = Figure("A page", "Another", Pair([2.0] * 20, [1.0] * 20), most=most)
    assert bool(figure.fault) is is_over
    assert not is_over or figure.fault == "A page: the p95 ratio is 2.00, and must be 1.5 at most."


def test_the_statements_of_a_completion():
    tasks = prepare_checked_tasks(1)
    assert [describe(sql) for sql in read_statements(lambda: complete_next(tasks))] == COMPLETION


def test_the_bare_transaction_has_as_many_of_the_same_kinds():
    kinds = [each.split()[0] for each in COMPLETION]
    with PlainTable() as table:
        sent = read_statements(lambda: table.run_bare(kinds))
    assert [describe(sql) for sql in sent] == [f"{kind} bench_plain" for kind in kinds]
