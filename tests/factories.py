"""Rows for tests, made through the models. It completes nothing: that is the one writer's."""

import copy
import itertools
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User

from plans.making import examples
from plans.making.review import JUDGED, Review, Standing
from plans.models import Action, Plan, PlanDraft, Requirement, Week

PASSWORD = "a-password-for-tests"
ROWS = (("Names two risks of the project", "written"),)
_numbers = itertools.count(1)


def make_student(email: str = "", **fields: Any) -> User:
    """A user as the product makes them: the username is the lower-case e-mail address."""
    email = email or f"student-{next(_numbers)}@example.org"
    return User.objects.create_user(email.lower(), email, PASSWORD, **fields)


def make_staff(email: str = "", **fields: Any) -> User:
    email = email or f"staff-{next(_numbers)}@example.org"
    return make_student(email, is_staff=True, **fields)


def make_plan(owner: User, *, weeks: Sequence[str] = ("First steps",), **fields: Any) -> Plan:
    """A plan with one week per title, numbered from 1, without actions."""
    plan = Plan.objects.create(owner=owner, **{"title": "A small website", **fields})
    for number, title in enumerate(weeks, start=1):
        Week.objects.create(plan=plan, number=number, title=title)
    return plan


def make_action(
    week: Week | Plan,
    title: str = "Write down the risks",
    *,
    requirements: Sequence[tuple[str, str]] = ROWS,
    **fields: Any,
) -> Action:
    """An action at the end of its week (of a plan's first week), fresh from the database, as the
    database raises its spec version with each requirement."""
    week = week.weeks.order_by("number")[0] if isinstance(week, Plan) else week
    action = Action.objects.create(
        week=week, title=title, **{"position": week.actions.count(), **fields}
    )
    for position, (row, kind) in enumerate(requirements):
        Requirement.objects.create(action=action, position=position, title=row, evidence_kind=kind)
    action.refresh_from_db()
    return action


BRIEF = {
    "description": examples.BRIEF["description"],
    "hours_per_week": 4,
    "weeks": 1,
    "level": "beginner",
    "starts_on": "2026-03-02",
    "target_date": None,
}


def make_draft(owner: User, **fields: Any) -> PlanDraft:
    """A draft that is ready, at version 3, with nothing found in it; or with other columns."""
    values = {
        "brief": BRIEF,
        "state": PlanDraft.State.READY,
        "version": 3,
        "proposal": copy.deepcopy(examples.PROPOSAL),
        "review": Review((), dict.fromkeys(JUDGED, Standing.HELD), "gemini").as_json(),
        "made_by": "gemini",
    }
    return PlanDraft.objects.create(owner=owner, **{**values, **fields})
