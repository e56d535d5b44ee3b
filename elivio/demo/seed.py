"""Makes the demo: rows for people and plan, and the work through the product's own use cases.

It writes no status itself, and what was done once it leaves alone, whatever became of it since.
"""

import datetime
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from elivio.demo import PASSWORD, STAFF, STUDENT
from elivio.demo.plan import PLAN
from elivio.demo.values import DemoTask, DemoWeek
from elivio.demo.work import TURNS
from judge.models import CheckRun
from plans.models import Action, Completion, FollowUp, Plan, Requirement, Week
from plans.status import self_report
from sessions import chat
from sessions.completion import check_session, complete_session
from sessions.followups import run_followup
from sessions.lifecycle import open_session
from sessions.models import CopilotSession

_NAMES = uuid.UUID("5f0c7c1e-6d55-4b0f-9a53-7d0b7c6d1c11")


class SeedFailed(Exception):
    """The demo's work did not lead where it should; the text says which task."""


def seed_demo() -> None:
    """Make what is missing of the demo. Call it outside any transaction and only under DEBUG."""
    student = get_or_make_user(STUDENT)
    get_or_make_user(STAFF, is_staff=True, is_superuser=True)
    plan = get_or_make_plan(student)
    with plain_rules_only():
        worked = [task for week in PLAN.weeks for task in week.tasks if _work_on(task, plan)]
        _run_followups([_action_id(plan, task) for task in worked])


@contextmanager
def plain_rules_only() -> Iterator[None]:
    """Have plain rules answer in this whole process, also when a model is set up.

    The demo's completions then say truly who judged them, cost nothing and come out the same.
    For a management command alone: a web process would answer its students by rules meanwhile.
    """
    key, models = settings.GEMINI_API_KEY, settings.MODELS
    settings.GEMINI_API_KEY = ""
    settings.MODELS = {role: {"name": model["name"]} for role, model in models.items()}
    try:
        yield
    finally:
        settings.GEMINI_API_KEY, settings.MODELS = key, models


def get_or_make_user(email: str, **rights: bool) -> User:
    user = User.objects.filter(username=email).first()
    return user or User.objects.create_user(email, email, PASSWORD, **rights)


@transaction.atomic
def get_or_make_plan(student: User) -> Plan:
    """The demo plan has a fixed id for its student, so that it is known again."""
    plan, is_new = Plan.objects.get_or_create(
        id=uuid.uuid5(_NAMES, f"plan of {student.pk}"),
        defaults={
            "owner": student,
            "title": PLAN.title,
            "goal": PLAN.goal,
            "hours_per_week": PLAN.hours_per_week,
            "target_date": timezone.localdate() + datetime.timedelta(weeks=len(PLAN.weeks)),
        },
    )
    if is_new:
        for number, week in enumerate(PLAN.weeks, start=1):
            _make_week(plan, number, week)
    return plan


def _make_week(plan: Plan, number: int, values: DemoWeek) -> None:
    week = Week.objects.create(
        plan=plan, number=number, title=values.title, description=values.description
    )
    for position, task in enumerate(values.tasks):
        action = Action.objects.create(
            id=_action_id(plan, task),
            week=week,
            position=position,
            title=task.title,
            description=task.description,
        )
        Requirement.objects.bulk_create(
            Requirement(action=action, position=place, title=title, evidence_kind=kind)
            for place, (title, kind) in enumerate(task.rows)
        )


def _action_id(plan: Plan, task: DemoTask) -> uuid.UUID:
    return uuid.uuid5(plan.id, task.key)


def _work_on(task: DemoTask, plan: Plan) -> bool:
    """Do the student's work on a task, once. Returns whether it was done now."""
    action = Action.objects.owned_by(plan.owner).filter(pk=_action_id(plan, task)).first()
    if action is None or task.state == "untouched" or _was_worked_on(task, action):
        return False
    if task.state == "self_reported":
        self_report(action, by=plan.owner)
        return True
    session = _hold_session(task, action, plan.owner)
    if task.state == "begun":
        check_session(session)
    elif not complete_session(session).completed:
        raise SeedFailed(f"The demo work on “{action.title}” did not pass its check.")
    return True


def _was_worked_on(task: DemoTask, action: Action) -> bool:
    """By rows that nobody can delete: they stay when the student goes on or takes it back."""
    facts = CheckRun if task.state == "begun" else Completion
    return facts.objects.filter(action=action).exists()


def _hold_session(task: DemoTask, action: Action, student: User) -> CopilotSession:
    opened = open_session(action, student)
    session = chat.get_session(student, opened.pk)
    for number, text in enumerate(TURNS[task.key], start=1):
        chat.send_turn(session, text, client_id=f"demo-{number}")
    return session


def _run_followups(action_ids: list[uuid.UUID]) -> None:
    """Do what follows from the work here and now, and what follows from that: by plain rules, and
    also where no worker runs."""
    ready = FollowUp.objects.filter(action_id__in=action_ids, done_at=None)
    while sum(map(run_followup, ready.values_list("pk", flat=True))):
        pass
