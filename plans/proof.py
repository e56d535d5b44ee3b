"""Proof of Work: sharing a plan, withdrawing it, and what a stranger with the address may read.

The public page is made from a PublicProof and nothing else. What is no field of it cannot be
shown, and what is not selected here does not leave the database for that page.
"""

import datetime
import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from django.db import transaction
from django.db.models import F, Func, JSONField, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone

from plans.models import Action, Completion, Plan, Proof
from plans.models.completion import CountStaffRows

TOKEN = re.compile(r"[\w-]{1,64}", re.ASCII)


class Kind(StrEnum):
    """How a task came to be finished, in the order in which the page counts them."""

    CHECKED = "checked"
    BY_RULES = "by_rules"
    SELF_REPORTED = "self_reported"


@dataclass(frozen=True, slots=True)
class PublicTask:
    """A finished task. `requirements` are the titles it was checked against, as judged; none for
    a self-report. Of them a person decided `by_person`, on appeal: how many, not which, who or why.
    `finished_on` is the day in the site's time zone."""

    title: str
    kind: Kind
    finished_on: datetime.date
    requirements: tuple[str, ...]
    by_person: int = 0


@dataclass(frozen=True, slots=True)
class PublicWeek:
    """A week in which something is finished."""

    number: int
    title: str
    tasks: tuple[PublicTask, ...]


@dataclass(frozen=True, slots=True)
class PublicProof:
    """A shared plan as the world sees it. `total` is all that is told of unfinished tasks."""

    title: str
    goal: str
    weeks: tuple[PublicWeek, ...]
    total: int

    @property
    def finished(self) -> int:
        return sum(len(week.tasks) for week in self.weeks)

    @property
    def has_decisions(self) -> bool:
        return any(task.by_person for week in self.weeks for task in week.tasks)

    def count(self, kind: Kind) -> int:
        return sum(task.kind == kind for week in self.weeks for task in week.tasks)


def share_plan(plan: Plan, *, by) -> Proof:
    """Share the plan; shared already keeps its address. Raises Http404 for anybody but the owner,
    and for an archived plan."""
    with transaction.atomic():
        _lock(plan, by)
        proof, _ = Proof.objects.get_or_create(plan=plan, withdrawn_at=None)
    return proof


def withdraw_plan(plan: Plan, *, by) -> None:
    """Withdraw the plan: its address answers 404 from now on. Withdrawn already is a quiet success.
    Raises Http404 as `share_plan` does."""
    with transaction.atomic():
        _lock(plan, by)
        Proof.objects.open().filter(plan=plan).update(withdrawn_at=timezone.now())


def find_proof(plan: Plan) -> Proof | None:
    """The plan's open sharing, or None. One query."""
    return Proof.objects.open().filter(plan=plan).first()


def read_proof(token: str) -> PublicProof | None:
    """What the world may read at an address: None for an unknown, withdrawn or archived one, and
    for a text that cannot be a token. Three queries at most, whatever the number of tasks."""
    if not TOKEN.fullmatch(token):
        return None
    shared = Proof.objects.readable().filter(token=token)
    plan = shared.values("plan_id", "plan__title", "plan__goal").first()
    if plan is None:
        return None
    return PublicProof(
        title=plan["plan__title"],
        goal=plan["plan__goal"],
        weeks=tuple(_read_weeks(_find_finished(plan["plan_id"]))),
        total=Action.objects.filter(week__plan=plan["plan_id"], archived_at=None).count(),
    )


class _Titles(Func):
    """The titles in a checklist. The notes and quotes beside them stay in the database."""

    function = "jsonb_path_query_array"
    template = "%(function)s(%(expressions)s, '$[*].title')"
    output_field = JSONField()


def _lock(plan: Plan, owner) -> None:
    """So that two taps, here and in another process, come one after the other."""
    get_object_or_404(
        Plan.objects.owned_by(owner).select_for_update(no_key=True, of=("self",)), pk=plan.pk
    )


def _find_finished(plan_id: uuid.UUID) -> QuerySet[Completion]:
    """The plan's current completions, with what may be told of each and nothing else."""
    return (
        Completion.objects.filter(
            action__week__plan=plan_id,
            action__archived_at=None,
            action__current_completion=F("pk"),
        )
        .annotate(
            title=F("action__title"),
            week_number=F("action__week__number"),
            week_title=F("action__week__title"),
            requirements=_Titles("checklist"),
            by_person=CountStaffRows("checklist"),
        )
        .only("how", "judge_kind", "confirmed_at")
        .order_by("week_number", "action__position", "action_id")
    )


def _read_weeks(finished: Iterable[Completion]) -> Iterable[PublicWeek]:
    for (number, title), rows in groupby(finished, lambda row: (row.week_number, row.week_title)):
        yield PublicWeek(number, title, tuple(map(_read_task, rows)))


def _read_task(completion: Completion) -> PublicTask:
    return PublicTask(
        title=completion.title,
        kind=Kind.BY_RULES if completion.by_rules else Kind(completion.how),
        finished_on=timezone.localdate(completion.confirmed_at),
        requirements=tuple(completion.requirements),
        by_person=completion.by_person,
    )
