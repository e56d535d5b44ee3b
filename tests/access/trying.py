"""Trying lines of a table as one actor, and what came out otherwise than the line says.

It tries each line on its own: what a request wrote is gone before the next one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from typing import Any

from django.db import connection, transaction
from django.http import HttpResponse

from tests.access.asking import REFUSED, SAFE, ask, facts_of, kind_of
from tests.access.table import Line
from tests.access.world import World, make_client, make_world

OTHER_METHODS = ("HEAD", "OPTIONS", "PUT", "PATCH", "DELETE")
WRITES = ("INSERT", "UPDATE", "DELETE")
# Django's login session is no row of the product: it keeps what was typed before a login.
NO_RECORD = '"django_session"'


class Asker:
    """One actor before one owner's rows."""

    def __init__(self, actor: str) -> None:
        self.actor = actor
        self._is_used = False
        self._start()

    def _start(self) -> None:
        self.world: World = make_world()
        self.client = make_client(self.actor, self.world)
        cookies = self.client.cookies.items()
        self._cookies = {name: morsel.value for name, morsel in cookies}

    def ask(self, line: Line, *, missing: bool = False, **how: Any) -> "Answer":
        """Send the line's request. A model thinks outside any transaction, so the owner's requests
        are not rolled back: after one that may have written, the next finds other rows."""
        if self._is_used:
            self._start()
        rolled_back = self.actor != "owner"
        may_write = line.method not in SAFE and line.expected[self.actor] not in REFUSED
        self._is_used = may_write and not rolled_back
        self.client.cookies = SimpleCookie(self._cookies)
        address = (self.world.missing if missing else self.world.address)(line.path)
        with _undone(rolled_back), _watched() as writes:
            response = ask(self.client, line.method, line.path, address, **how)
        return Answer(response, address, writes)


class Answer:
    def __init__(self, response: HttpResponse, address: str, writes: list[str]) -> None:
        self.kind = kind_of(response)
        self.facts = facts_of(response, address)
        self.writes = writes


def find_wrong(actor: str, lines: list[Line], **how: Any) -> list[str]:
    """The lines whose answer to this actor is of another kind, or that wrote what they must not:
    a refused request writes nothing, nor does one for reading."""
    asker = Asker(actor)
    found = []
    for line in lines:
        expected, answer = line.expected[actor], asker.ask(line, **how)
        if answer.kind != expected:
            found.append(f"{line}: {actor} gets {answer.kind}, not {expected}")
        if answer.writes and (expected in REFUSED or line.method in SAFE):
            found.append(f"{line}: {actor} wrote: {answer.writes[0]}")
    return found


def find_ways_round(actor: str, lines: list[Line]) -> list[str]:
    """Methods that no line names and that get an actor further than the lines of the route, where
    these refuse both reading and writing."""
    asker = Asker(actor)
    refusals: dict[str, set[str]] = {}
    for line in lines:
        refusals.setdefault(line.path, {"405"}).add(line.expected[actor])
    found = []
    for path, kinds in refusals.items():
        if not kinds <= REFUSED:
            continue
        for method in OTHER_METHODS:
            line = Line(method, path, {actor: "405"})
            answer = asker.ask(line)
            if answer.kind not in kinds or answer.writes:
                found.append(f"{line}: {actor} gets {answer.kind}; wrote: {answer.writes}")
    return found


def find_untokened(actor: str, lines: list[Line]) -> list[str]:
    """Lines for writing that take a request without its CSRF token. Where nobody is logged in
    there is nothing to protect, and the API says that first."""
    asker = Asker(actor)
    found = []
    for line in lines:
        if line.method in SAFE:
            continue
        accepted = {"403"} | {line.expected[actor]} & {"401", "405"}
        answer = asker.ask(line, with_token=False)
        if answer.kind not in accepted or answer.writes:
            found.append(f"{line}: {actor} gets {answer.kind} without a token")
    return found


def find_telling(actor: str, lines: list[Line]) -> list[str]:
    """Lines whose 404 for what is there and another's is not the 404 for what is not there."""
    asker = Asker(actor)
    found = []
    for line in lines:
        if line.expected[actor] != "404" or "<" not in line.path:
            continue
        theirs, missing = asker.ask(line), asker.ask(line, missing=True)
        if theirs.facts != missing.facts:
            told = [name for name in theirs.facts if theirs.facts[name] != missing.facts[name]]
            found.append(f"{line}: {actor} can tell by {', '.join(told)}")
    return found


@contextmanager
def _undone(rolled_back: bool) -> Iterator[None]:
    if not rolled_back:
        yield
        return
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def _watched() -> Iterator[list[str]]:
    """The statements in this block that wrote, or tried to."""
    found: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(WRITES) and NO_RECORD not in sql:
            found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found
