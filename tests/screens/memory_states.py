"""States of the page that says what is remembered, and of deleting it."""

from django.urls import reverse
from playwright.sync_api import Page

from plans.models import Plan
from sessions.lifecycle import end_session
from sessions.models import CopilotSession, MemorySummary
from tests.screens.scene import Scene, tasks_of
from tests.screens.state import see, table

STATES, state = table()
PARTS = (
    {
        "made": "Three interviews with people who take the bike to the station.",
        "decided": "The two statuses are “Open” and “Closed”, spelled this way.",
        "left_open": "Whom to ask about the stations at night.",
    },
    {"made": "The log is loaded into the table `stations`, 64 rows."},
)


def remember(scene: Scene) -> Plan:
    plan = scene.make_plan()
    for action, parts in zip(tasks_of(plan), PARTS, strict=False):
        session = CopilotSession.objects.create(action=action, student=scene.student)
        end_session(session, CopilotSession.EndReason.STUDENT)
        MemorySummary.objects.create(session=session, plan=plan, **parts)
    return plan


def delete(page: Page) -> None:
    page.get_by_role("button", name="Delete").click()
    see(page, "Deleted.")


@state("Nothing is remembered")
def memory_empty(scene: Scene) -> str:
    return reverse("sessions:memory", args=[scene.make_plan().pk])


@state("Three interviews")
def memory_filled(scene: Scene) -> str:
    return reverse("sessions:memory", args=[remember(scene).pk])


@state("Delete this memory?")
def memory_forgetting_one(scene: Scene) -> str:
    plan = remember(scene)
    return reverse("sessions:forget", args=[plan.pk, plan.memories.last().pk])


@state("Deleted. The copilot is not told", act=delete)
def memory_one_gone(scene: Scene) -> str:
    return memory_forgetting_one(scene)


@state("Delete all 2 memories")
def memory_forgetting_all(scene: Scene) -> str:
    return reverse("sessions:forget_everything", args=[remember(scene).pk])
