"""What is measured: each figure takes its samples of the product's work and of a base in turn."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection

from django.db.models import Avg
from django.urls import reverse

from judge.models import CheckRun
from tests.bench import rows
from tests.bench.samples import Pair, take_samples
from tests.bench.site import API, Browser
from tests.bench.statements import PlainTable, describe, kind_of, read_statements

PUBLISHING_SECONDS = 10.0
MOST_OF_A_LONG_SESSION = 1.5  # p95 of its page over that of a short one


@dataclass(frozen=True)
class Sizes:
    """How much there is to read, and how often it is measured."""

    checks: int = 200
    writes: int = 400
    pages: int = 100
    warm_up: int = 10
    tasks: tuple[int, int] = (500, 5)
    turns: tuple[int, int] = (10_000, 10)


@dataclass(frozen=True)
class Figure:
    """`most` is what the p95 ratio must not pass, where something depends on it."""

    work: str
    base: str
    pair: Pair
    notes: list[str] = field(default_factory=list)
    most: float | None = None

    @property
    def fault(self) -> str:
        if self.most is None or self.pair.ratio_p95 <= self.most:
            return ""
        ratio = f"{self.pair.ratio_p95:.2f}"
        return f"{self.work}: the p95 ratio is {ratio}, and must be {self.most} at most."


def measure_check_and_tap(connection: HTTPConnection, sizes: Sizes) -> Figure:
    """A check and then the tap, which checks again and completes, by a new student each time."""
    ready = prepare_students(connection, sizes.checks + sizes.warm_up)
    visitor = Browser(connection)

    def check_and_tap() -> float:
        browser, session_id = next(ready)
        checking, card = browser.post_json(f"sessions/{session_id}/check")
        tapping, answer = browser.post_json(f"sessions/{session_id}/complete")
        if not (card["allMet"] and answer["completed"]):
            raise RuntimeError(f"The check did not pass, so this measured something else: {card}")
        return checking + tapping

    pair = take_samples(
        check_and_tap,
        lambda: visitor.post("/bench/insert/").milliseconds,
        sizes.checks,
        warm_up=sizes.warm_up,
    )
    model = CheckRun.objects.filter(milliseconds__gt=0).aggregate(mean=Avg("milliseconds"))["mean"]
    notes = [f"the two calls to the model's stand-in take about {2 * (model or 0):.0f} ms of it."]
    return Figure("Check and tap", "Bare view, one insert", pair, notes)


def measure_completion_write(sizes: Sizes) -> Figure:
    """The one writer, over a plain transaction with as many statements of the same kinds."""
    tasks = prepare_checked_tasks(sizes.writes + sizes.warm_up + 1)
    statements = read_statements(lambda: complete_next(tasks))
    kinds = [kind_of(sql) for sql in statements]
    with PlainTable() as table:
        pair = take_samples(
            lambda: complete_next(tasks),
            lambda: table.run_bare(kinds),
            sizes.writes,
            warm_up=sizes.warm_up,
        )
    listed = ", ".join(f"`{describe(sql)}`" for sql in statements)
    notes = [
        f"{len(statements)} statements, which with BEGIN and COMMIT are {len(statements) + 2} "
        f"round trips: {listed}."
    ]
    return Figure("Completion write", "Bare transaction of as many statements", pair, notes)


def measure_plan(connection: HTTPConnection, sizes: Sizes) -> list[Figure]:
    """The plan page and the plan in the API: many tasks over few."""
    many, few = [
        (Browser(connection, plan.owner), plan.pk)
        for plan in map(rows.make_worked_on_plan, sizes.tasks)
    ]
    rows.analyse()
    figures = []
    for name, path in (("page", "/plans/{}/"), ("API", API + "plans/{}")):
        pair = take_samples(
            lambda path=path: many[0].get(path.format(many[1])).milliseconds,
            lambda path=path: few[0].get(path.format(few[1])).milliseconds,
            sizes.pages,
            warm_up=sizes.warm_up,
        )
        labels = [f"Plan {name}, {number:,} tasks" for number in sizes.tasks]
        figures.append(Figure(*labels, pair))
    return figures


def measure_session_page(connection: HTTPConnection, sizes: Sizes) -> Figure:
    """The session page at the end of a long conversation and of a short one."""
    asks = []
    for turns in sizes.turns:
        session = rows.make_session(rows.actions_of(rows.make_plan(10))[0], turns)
        page = reverse("sessions:session", args=[session.pk])
        browser = Browser(connection, session.student)
        asks.append(lambda browser=browser, page=page: browser.get(page).milliseconds)
    rows.analyse()
    pair = take_samples(*asks, sizes.pages, warm_up=sizes.warm_up)
    labels = [f"Session page, {number:,} turns" for number in sizes.turns]
    return Figure(*labels, pair, most=MOST_OF_A_LONG_SESSION)


def prepare_students(connection: HTTPConnection, number: int) -> Iterator[tuple[Browser, str]]:
    """Students, each with a session that proves a task of a plan of twelve."""
    ready = []
    for _ in range(number):
        plan = rows.make_plan(12)
        session = rows.make_session(rows.actions_of(plan)[0], 6)
        ready.append((Browser(connection, plan.owner), str(session.pk)))
    return iter(ready)


def prepare_checked_tasks(number: int) -> Iterator[tuple]:
    """Tasks of plans of twelve, each with a passed check and its student."""
    ready = []
    for _ in range(number):
        plan = rows.make_plan(12)
        action = rows.actions_of(plan)[0]
        ready.append((action, rows.pass_check(action), plan.owner))
    return iter(ready)


def complete_next(tasks: Iterator[tuple]) -> float:
    task = next(tasks)
    started = time.perf_counter()
    rows.complete(*task)
    spent = 1000 * (time.perf_counter() - started)
    wait_for_publishers()
    return spent


def wait_for_publishers() -> None:
    """The threads that hand follow-ups to the broker must not run into the next sample."""
    for thread in threading.enumerate():
        if "_publish" in thread.name:
            thread.join(PUBLISHING_SECONDS)
            if thread.is_alive():
                raise RuntimeError("The broker did not take the follow-ups.")
