"""Judges stored checks again with today's prompt and model, and says what would change.

It writes nothing: neither a CheckRun nor anything a student sees.
"""

import datetime
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judge.evaluation.run import ask_judge, run_together
from judge.evaluation.stored_evidence import NotKept, had_pictures, read_stored
from judge.models import CheckRun


@dataclass(frozen=True, slots=True)
class ReplayedRow:
    """A requirement with its status then and now."""

    title: str
    old: str
    new: str
    note: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """A stored check judged again. `pictures_lost`: it had pictures, and now there were none."""

    check: CheckRun
    outcome: str
    reason: str
    rows: tuple[ReplayedRow, ...]
    pictures_lost: bool
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int

    @property
    def changed_rows(self) -> list[ReplayedRow]:
        return [row for row in self.rows if row.old != row.new]


@dataclass(frozen=True, slots=True)
class Replay:
    """`skipped` counts, by reason, the checks that were not judged again."""

    replayed: tuple[Replayed, ...]
    skipped: Counter[str]


def choose_checks(
    *,
    since: datetime.datetime | None = None,
    ids: Sequence[uuid.UUID] = (),
    limit: int | None = None,
) -> list[CheckRun]:
    """The stored checks, oldest first; with a limit the newest of them."""
    checks = CheckRun.objects.defer("request", "replies").order_by("-created_at", "id")
    if since:
        checks = checks.filter(created_at__gte=since)
    if ids:
        checks = checks.filter(pk__in=ids)
    return list(checks[:limit])[::-1]


def replay_checks(
    checks: Sequence[CheckRun],
    *,
    concurrency: int,
    skip_with_pictures: bool = False,
    advance: Callable[[], None] = lambda: None,
) -> Replay:
    """Judge each check again that kept its evidence, `concurrency` at a time."""

    def work(check: CheckRun) -> Replayed | str:
        found = _replay(check, skip_with_pictures)
        advance()
        return found

    results = run_together(work, checks, concurrency)
    return Replay(
        replayed=tuple(found for found in results if isinstance(found, Replayed)),
        skipped=Counter(found for found in results if isinstance(found, str)),
    )


def _replay(check: CheckRun, skip_with_pictures: bool) -> Replayed | str:
    """The check judged again, or why it was not."""
    try:
        evidence = read_stored(check)
    except NotKept:
        return "evidence not kept"
    if skip_with_pictures and had_pictures(check):
        return "pictures not kept"
    answer = ask_judge(evidence)
    new = {str(row.row.id): row for row in answer.verdict.rows} if answer.verdict else {}
    # Of a row that staff had decided: what the judge itself had said.
    old = {row["id"]: row.get("judged") or row["status"] for row in check.checklist}
    rows = tuple(
        ReplayedRow(
            title=row.title,
            old=old.get(str(row.id), "undecided"),
            new=new[str(row.id)].status if new else "undecided",
            note=new[str(row.id)].note if new else "",
        )
        for row in evidence.task.rows
    )
    return Replayed(
        check=check,
        outcome=answer.verdict.outcome if answer.verdict else "undecided",
        reason=answer.reason,
        rows=rows,
        pictures_lost=had_pictures(check),
        prompt_tokens=answer.calls.prompt_tokens,
        cached_tokens=answer.calls.cached_tokens,
        output_tokens=answer.calls.output_tokens,
    )
