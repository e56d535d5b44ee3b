"""The SQL statements of a piece of work, and a bare transaction of as many of the same kinds."""

import re
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.db import connection, transaction

TABLE = "bench_plain"
CREATE = f"CREATE TABLE {TABLE} (id uuid PRIMARY KEY, words text NOT NULL)"
DROP = f"DROP TABLE IF EXISTS {TABLE}"
WORDS = "A row of a plain table, without a trigger, a constraint or an index of its own."
BARE = {
    "SELECT": f"SELECT id, words FROM {TABLE} WHERE id = %(old)s",
    "LOCK": f"SELECT id, words FROM {TABLE} WHERE id = %(old)s FOR NO KEY UPDATE",
    "INSERT": f"INSERT INTO {TABLE} (id, words) VALUES (%(new)s, %(words)s)",
    "UPDATE": f"UPDATE {TABLE} SET words = %(words)s WHERE id = %(old)s",
}


class PlainTable:
    """A table of the benchmark's own, there as long as the block lasts."""

    def __enter__(self) -> "PlainTable":
        self._old = uuid.uuid4()
        with connection.cursor() as cursor:
            cursor.execute(DROP)
            cursor.execute(CREATE)
            self._run(cursor, "INSERT", self._old)
        return self

    def __exit__(self, *_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(DROP)

    def run_bare(self, kinds: list[str]) -> float:
        """Milliseconds of one transaction with a statement of each of these kinds."""
        started = time.perf_counter()
        with transaction.atomic(), connection.cursor() as cursor:
            for kind in kinds:
                self._run(cursor, kind, uuid.uuid4())
        return 1000 * (time.perf_counter() - started)

    def _run(self, cursor: Any, kind: str, new: uuid.UUID) -> None:
        cursor.execute(BARE[kind], {"old": self._old, "new": new, "words": WORDS})
        if cursor.description:
            cursor.fetchall()


def read_statements(work: Callable[[], Any]) -> list[str]:
    """The statements that the work sends, in order."""
    found: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        work()
    return found


def kind_of(sql: str) -> str:
    return "LOCK" if "FOR NO KEY UPDATE" in sql else sql.split(None, 1)[0].upper()


def describe(sql: str) -> str:
    """One statement in a few words: what it does, and to which table."""
    table = re.search(r'(?:FROM|INTO|^UPDATE) "?(\w+)', sql)[1]
    return f"{kind_of(sql)} {table}"
