"""Queries of each page: committed, and the same for few rows and for many. A change is reviewed.

Each page starts with two: the visitor's login session and the visitor.
"""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judge.models import CheckRun
from plans.status import self_report
from sessions.models import CopilotSession, MemorySummary, Turn
from sessions.report import refresh_report
from tests import factories
from tests.pages.conftest import ROWS

COUNTS = {
    "plans:home": 7,  # plans, weeks, actions, requirements, drafts
    "plans:new_plan": 2,
    "plans:draft": 3,
    "plans:draft_text": 3,
    "plans:draft_week": 3,
    # and the latest checks, what staff decided and reopened, dropped tasks, and how it is shared
    "plans:plan": 11,
    "plans:status": 3,
    "sessions:progress": 7,  # the loaded plan and its report
    # session, requirements, latest check, objections, what staff reopened, pictures, turns, tools
    # before them
    "sessions:session": 10,
    "sessions:memory": 4,  # plan, memories with their tasks
    "sessions:forget": 4,
    "sessions:forget_everything": 4,
    "judge:report": 3,
}


def grow(session, student, number):
    """A task, a check, a memory and a message more, until there are `number` of each."""
    action = session.action
    for _ in range(number - action.week.actions.count()):
        facts = {"hours": 3, "topics": ["maps"], "depends_on": [str(action.pk)]}
        made = factories.make_action(action.week, requirements=ROWS, **facts)
        if action.week.actions.count() % 2:  # the others stay open, and show the facts
            self_report(made, by=student)
    for turn in range(session.turns.count() + 1, number + 1):
        role = Turn.Role.STUDENT if turn % 2 else Turn.Role.COPILOT
        Turn.objects.create(session=session, number=turn, role=role, text=f"Turn {turn}")
    ended = [
        CopilotSession(action=row, student=student, ended_at=timezone.now())
        for row in action.week.actions.all()[MemorySummary.objects.count() : number]
    ]
    CopilotSession.objects.bulk_create(ended)
    MemorySummary.objects.bulk_create(
        MemorySummary(session=row, plan_id=action.week.plan_id, made="A map.") for row in ended
    )
    for row in action.week.actions.all()[CheckRun.objects.count() : number]:
        CheckRun.objects.create(
            action=row,
            student=student,
            trigger="check",
            outcome="failed",
            spec_version=row.spec_version,
            judge_kind="rules",
            prompt_version=1,
        )
    refresh_report(action.week.plan_id)


def count_pages(client, session):
    check = CheckRun.objects.filter(action=session.action).first()
    memory = MemorySummary.objects.first()
    draft = session.student.plan_drafts.first() or factories.make_draft(session.student)
    plan_id = session.action.week.plan_id
    urls = {
        "plans:home": reverse("plans:home"),
        "plans:new_plan": reverse("plans:new_plan"),
        "plans:draft": reverse("plans:draft", args=[draft.pk]),
        "plans:draft_text": reverse("plans:draft_text", args=[draft.pk]),
        "plans:draft_week": reverse("plans:draft_week", args=[draft.pk, 1]),
        "plans:plan": reverse("plans:plan", args=[plan_id]),
        "plans:status": reverse("plans:status", args=[session.action_id]),
        "sessions:progress": reverse("sessions:progress", args=[plan_id]),
        "sessions:session": reverse("sessions:session", args=[session.pk]),
        "sessions:memory": reverse("sessions:memory", args=[plan_id]),
        "sessions:forget": reverse("sessions:forget", args=[plan_id, memory.pk]),
        "sessions:forget_everything": reverse("sessions:forget_everything", args=[plan_id]),
        "judge:report": reverse("judge:report", args=[check.pk]),
    }
    counts = {}
    for name, url in urls.items():
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url).status_code == 200
        counts[name] = len(queries)
    return counts


def test_the_same_queries_for_five_and_for_five_hundred(client, session, student):
    for number in (5, 50, 500):
        grow(session, student, number)
        assert count_pages(client, session) == COUNTS


def test_each_row_read_on_its_own_would_be_seen(session, student):
    """The control: reading the tasks one by one makes the count grow."""
    grow(session, student, 5)
    actions = session.action.week.actions.all()
    with CaptureQueriesContext(connection) as queries:
        for action in actions:
            list(action.requirements.all())
    assert len(queries) == 1 + 5
