"""Makes what a state shows: rows through the product's use cases, models played by the fake server.

It opens no browser, and writes no status and no check by itself.
"""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from django.contrib.auth.models import User
from django.test import override_settings
from django.urls import reverse

from judge.card import Card
from plans.models import Action, Plan
from plans.status import change_own_status, self_report
from sessions import chat
from sessions.completion import check_session, complete_session
from sessions.lifecycle import open_session
from sessions.models import CopilotSession
from tests import factories
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini
from tests.fakes.replies import Reply
from tests.screens import bikes

Site = Literal["model", "rules", "none"]
# A row as the model judges it: status, note, and the number and words of the message it cites.
Judged = tuple[str, str, tuple[int, str] | None]

HALF: tuple[Judged, ...] = (
    ("not_met", bikes.LOWER, (3, "closed   |     1")),
    ("met", bikes.ADDS_UP, (3, "Open     |    51")),
    ("not_shown", bikes.NO_QUERY, None),
)
ALL: tuple[Judged, ...] = (
    ("met", bikes.TWO_VALUES, (5, "Closed   |    13")),
    ("met", bikes.ADDS_UP, (5, "Open     |    51")),
    ("met", bikes.SHOWN_BOTH, (5, "GROUP BY status;")),
)


class Scene:
    """One student with a plan, and what happens to them."""

    def __init__(self, gemini: FakeGemini) -> None:
        self.gemini = gemini
        self.student: User = factories.make_student(first_name="Mira")

    @contextmanager
    def answered_by(self, site: Site) -> Iterator[None]:
        """Have this process ask who the site asks: the fake model, plain rules, or nobody."""
        key = "test-key" if site == "model" else ""
        with override_settings(
            DEBUG=site == "rules", GEMINI_API_KEY=key, GEMINI_BASE_URL=self.gemini.url
        ):
            yield

    def make_plan(self) -> Plan:
        """The plan with all its weeks, nothing done."""
        titles = [title for title, _, _ in bikes.WEEKS]
        plan = factories.make_plan(
            self.student, weeks=titles, title=bikes.TITLE, goal=bikes.GOAL, hours_per_week=6
        )
        for week, (_, description, tasks) in zip(plan.weeks.all(), bikes.WEEKS, strict=True):
            week.description = description
            week.save()
            for task in tasks:
                make_task(week, task)
        return plan

    def make_small_plan(self) -> Action:
        """A second plan with one task."""
        plan = factories.make_plan(self.student, title=bikes.OTHER_TITLE, goal=bikes.OTHER_GOAL)
        return make_task(plan, bikes.OTHER_TASK)

    def make_status_task(self) -> Action:
        """The task of the session states, in its plan."""
        return find_task(self.make_plan(), bikes.STATUS[0])

    def work_into_plan(self) -> Plan:
        """The plan with a week done, the next one begun, and a check one row short."""
        plan = self.make_plan()
        interview, surprise, ask, load, status, *_ = tasks_of(plan)
        for action in (interview, surprise, load):
            self.check_off(action)
        self.report_done(ask)
        change_own_status(status, "in_progress", by=self.student)
        session = self.open(status)
        self.converse(session)
        self.check(session, HALF)
        return plan

    def finish_plan(self) -> Plan:
        """The whole plan done, some of it self-reported."""
        plan = self.make_plan()
        for place, action in enumerate(tasks_of(plan)):
            self.report_done(action) if place % 4 == 2 else self.check_off(action)
        return plan

    def open(self, action: Action) -> CopilotSession:
        session = open_session(action, self.student)
        return chat.get_session(self.student, session.pk)

    def say(self, session: CopilotSession, text: str, *answers: Reply | str) -> None:
        """The student's message, and what the model answers; one answer per call it makes."""
        made = [replies.text(each) if isinstance(each, str) else each for each in answers]
        self.gemini.enqueue(*made)
        chat.send_turn(session, text, client_id=f"{uuid.uuid4()}")

    def claim(self, session: CopilotSession) -> None:
        """The student says "done", and the copilot claims it."""
        call = replies.tool_call("mark_task_completed", {"reason": "They say so."}, "call-1")
        self.say(session, bikes.DONE, call, bikes.CLAIM)

    def converse(self, session: CopilotSession) -> None:
        """Four turns; the third is the student's work."""
        self.say(session, bikes.QUESTION, bikes.HINT)
        self.say(session, bikes.WORK, bikes.NICE)

    def fix(self, session: CopilotSession) -> None:
        """The fifth turn, with which all is there."""
        self.say(session, bikes.FIXED, bikes.CLAIM)

    def check(self, session: CopilotSession, rows: Sequence[Judged] = ()) -> Card:
        """The completion check. Without rows, whoever the site asks judges."""
        if rows:
            self.gemini.enqueue(replies.json(make_answer(rows)))
        return check_session(session)

    def check_off(self, action: Action) -> CopilotSession:
        """Work on a task and complete it, by a check that the model passes."""
        session = self.open(action)
        work = f"My work on “{action.title}”, in full."
        self.say(session, work, "Clear. Run the check when you are ready.")
        rows = [("met", "It is there.", (1, work))] * action.requirements.count()
        self.tap(session, rows)
        return session

    def tap(self, session: CopilotSession, rows: Sequence[Judged] = ()) -> None:
        """The tap on Mark complete. Without rows, whoever the site asks judges."""
        if rows:
            self.gemini.enqueue(replies.json(make_answer(rows)))
        if not complete_session(session).completed:
            raise RuntimeError("The task should have been complete.")

    def tap_in_vain(self, session: CopilotSession, rows: Sequence[Judged]) -> None:
        """The tap on Mark complete, after which something is missing."""
        self.gemini.enqueue(replies.json(make_answer(rows)))
        if complete_session(session).completed:
            raise RuntimeError("The task should have stayed open.")

    def check_off_by_rules(self, action: Action) -> CopilotSession:
        """Say what the rows ask for, in their own words, and complete the task."""
        session = self.open(action)
        for requirement in action.requirements.all():
            self.say(session, f"{requirement.title}: here it is, as agreed.")
        self.tap(session)
        return session

    def pass_check(self, action: Action) -> CopilotSession:
        """All rows of the status task met, and no tap yet."""
        session = self.open(action)
        self.converse(session)
        self.fix(session)
        self.check(session, ALL)
        return session

    def check_blocked(self, session: CopilotSession) -> Card:
        """A check of which the model refuses to speak."""
        self.gemini.enqueue(replies.blocked(), replies.blocked())
        return check_session(session)

    def fail_to_answer(self, session: CopilotSession, text: str) -> None:
        """The student's message, and a copilot that is down."""
        self.gemini.respond = lambda request: replies.error(503)
        self.say(session, text)
        self.gemini.respond = None

    def report_done(self, action: Action) -> None:
        self_report(action, by=self.student)

    def session_url(self, session: CopilotSession) -> str:
        return reverse("sessions:session", args=[session.pk])


def make_task(week, task: bikes.Task) -> Action:
    title, description, rows = task
    return factories.make_action(week, title, description=description, requirements=rows)


def tasks_of(plan: Plan) -> list[Action]:
    """The plan's tasks in their order."""
    tasks = Action.objects.filter(week__plan=plan).select_related("week__plan")
    return list(tasks.order_by("week__number", "position"))


def find_task(plan: Plan, title: str) -> Action:
    return next(action for action in tasks_of(plan) if action.title == title)


def make_answer(rows: Sequence[Judged]) -> dict:
    """A judge's answer: one row per requirement, in their order."""
    made = [
        {
            "id": f"r{place}",
            "evidence": [{"turn": cited[0], "quote": cited[1]}] if cited else [],
            "note": note,
            "status": status,
        }
        for place, (status, note, cited) in enumerate(rows, start=1)
    ]
    return {"rows": made, "allMet": all(status == "met" for status, _, _ in rows)}
