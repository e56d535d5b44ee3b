"""Plans and sessions of given sizes to measure on. It completes nothing by itself: that is the one
writer's."""

import itertools
import uuid

from django.contrib.auth.models import User
from django.db import connection

from judge.models import CheckRun
from plans.models import Action, Plan, Requirement, Status, Week
from plans.passed_check import CheckedRow, PassedCheck
from plans.status import self_report
from sessions.models import CopilotSession, Turn
from tests import factories

TASKS_A_WEEK = 10
TITLES = (
    "Names two risks of the project and what would follow from each",
    "Shows the table of stations with `opening hours` in one column",
    "Says why the map needs no account",
)
DESCRIPTION = "Go through the stations of the line, one by one, and write down what you find."
WORK = (
    "The two risks of the project are rain and late data; what would follow from each is a map "
    "that shows stations as open which are not.\n"
    "| station | opening hours |\n|---|---|\n| North | 6 to 22 |\n| Harbour | 7 to 20 |\n"
    "The map needs no account because it keeps nothing about who looks at it. It says so too."
)
REPLY = "What would you look at first to find out whether a station is open? Say it in one line."
_numbers = itertools.count(1)


def make_student() -> User:
    """Without a password, which takes long to make and nobody types."""
    return User.objects.create(username=f"bench-{next(_numbers)}@example.org", first_name="Mira")


def make_plan(tasks: int) -> Plan:
    """A plan of a student of its own, in weeks of ten tasks with three requirements each. Nothing
    in it is begun."""
    number = -(-tasks // TASKS_A_WEEK)
    titles = [f"Part {place} of the map" for place in range(1, number + 1)]
    plan = factories.make_plan(make_student(), weeks=titles, goal=DESCRIPTION, hours_per_week=6)
    weeks = list(Week.objects.filter(plan=plan).order_by("number"))
    actions = Action.objects.bulk_create(
        Action(
            week=weeks[place // TASKS_A_WEEK],
            position=place % TASKS_A_WEEK,
            title=f"Find out when station {place} is open",
            description=DESCRIPTION,
        )
        for place in range(tasks)
    )
    Requirement.objects.bulk_create(
        Requirement(action=action, position=place, title=title, evidence_kind="either")
        for action in actions
        for place, title in enumerate(TITLES)
    )
    return plan


def actions_of(plan: Plan) -> list[Action]:
    return list(Action.objects.filter(week__plan=plan).order_by("week__number", "position"))


def make_worked_on_plan(tasks: int) -> Plan:
    """Of each five tasks one is checked, one self-reported, one begun and once checked in vain."""
    plan = make_plan(tasks)
    for place, action in enumerate(actions_of(plan)):
        if place % 5 == 0:
            complete(action, pass_check(action), plan.owner)
        elif place % 5 == 1:
            self_report(action, by=plan.owner)
        elif place % 5 == 2:
            action.update_status(Status.IN_PROGRESS, by=plan.owner)
            fail_check(action, plan.owner)
    return plan


def pass_check(action: Action) -> PassedCheck:
    """What the judge hands over when every row is met. The action must be fresh."""
    evidence = ({"turn": 1, "quote": WORK[:120], "sentAt": "2026-11-30T14:32:00+00:00"},)
    rows = tuple(
        CheckedRow(row.pk, row.title, "met", "You wrote it.", evidence)
        for row in Requirement.objects.filter(action=action)
    )
    return PassedCheck(
        action_id=action.pk,
        spec_version=action.spec_version,
        requirement_ids=frozenset(row.id for row in rows),
        checklist=rows,
        judge_kind="gemini",
        check_id=uuid.uuid4(),
    )


def fail_check(action: Action, student: User) -> None:
    statuses = ("met", "not_met", "not_shown")
    blank = {"note": "Not yet.", "evidence": []}
    rows = [
        {"id": str(row.pk), "title": row.title, "status": status, **blank}
        for row, status in zip(action.requirements.all(), statuses, strict=True)
    ]
    CheckRun.objects.create(
        action=action,
        student=student,
        trigger="check",
        outcome="failed",
        checklist=rows,
        summary="One of three rows is met.",
        spec_version=action.spec_version,
        judge_kind="gemini",
        prompt_version=1,
    )


def complete(action: Action, check: PassedCheck, student: User) -> None:
    action.update_status(Status.COMPLETED, by=student, confirmed=True, check=check)


def make_session(action: Action, turns: int) -> CopilotSession:
    """A session of so many turns, student and copilot in turn. The student's prove every row."""
    student = action.week.plan.owner
    session = CopilotSession.objects.create(action=action, student=student)
    Turn.objects.bulk_create(
        Turn(session=session, number=number, role=role, text=text)
        for number, (role, text) in enumerate(
            itertools.islice(itertools.cycle((("student", WORK), ("copilot", REPLY))), turns), 1
        )
    )
    return session


def analyse() -> None:
    """Let PostgreSQL know how much there is, as autovacuum does where rows come one by one."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
