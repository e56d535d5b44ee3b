"""States of a plan: its page, the student's own status control, and the progress report."""

from django.urls import reverse
from playwright.sync_api import Page

from plans.models import Action, Plan, Requirement
from tests import factories
from tests.screens.scene import Scene, find_task, tasks_of
from tests.screens.state import table

STATES, state = table()
OWN_TASK = "Ask the transport office for the data"
OPEN_TASK = "Find the gaps in the log"


def url_of(plan: Plan) -> str:
    return reverse("plans:plan", args=[plan.pk])


def row_of(page: Page, title: str):
    return page.locator(".task", has_text=title)


def ask_to_confirm(page: Page) -> None:
    row_of(page, OPEN_TASK).get_by_role("link", name="Mark done yourself").click()
    page.get_by_role("button", name="Mark as self-reported").wait_for()


def report_done(page: Page) -> None:
    ask_to_confirm(page)
    page.get_by_role("button", name="Mark as self-reported").click()
    page.locator(".said").wait_for()


def take_back(page: Page) -> None:
    row_of(page, OWN_TASK).get_by_role("button", name="Take back").click()
    page.locator(".said").wait_for()


def open_all_requirements(page: Page) -> None:
    shut = page.locator("details:not([open]) summary")
    while shut.count():
        shut.first.click()


@state("0 of 12 tasks")
def plan_fresh(scene: Scene) -> str:
    return url_of(scene.make_plan())


@state("1 of 3 shown")
def plan_in_progress(scene: Scene) -> str:
    return url_of(scene.work_into_plan())


def add_facts(plan: Plan) -> Action:
    """What plan making knew of its tasks; the last one comes after two. Returns the open task."""
    actions = tasks_of(plan)
    first, second, *_ = [str(action.pk) for action in actions]
    for place, action in enumerate(actions):
        action.hours, action.topics = (
            1 + place % 3,
            ["interviews", "cleaning data"][: 1 + place % 2],
        )
        action.depends_on = [first, second] if place > 3 else []
        action.save(update_fields=("hours", "topics", "depends_on"))
    return find_task(plan, OPEN_TASK)


@state("2 hours")
def plan_with_hours_and_topics(scene: Scene) -> str:
    plan = scene.work_into_plan()
    add_facts(plan)
    return url_of(plan)


@state("interviews, cleaning data")
def session_with_hours_and_topics(scene: Scene) -> str:
    return scene.session_url(scene.open(add_facts(scene.make_plan())))


@state("agreed with you", act=open_all_requirements)
def plan_with_all_requirements(scene: Scene) -> str:
    plan = scene.work_into_plan()
    Requirement.objects.create(
        action=find_task(plan, OPEN_TASK),
        position=9,
        title="You show one gap in a picture",
        evidence_kind="shown",
        origin="agreed",
    )
    return url_of(plan)


@state("without a check?", act=ask_to_confirm)
def plan_confirming_inline(scene: Scene) -> str:
    return url_of(scene.work_into_plan())


@state("is marked done, self-reported", act=report_done)
def plan_just_reported(scene: Scene) -> str:
    return url_of(scene.work_into_plan())


@state("is in progress.", act=take_back)
def plan_just_taken_back(scene: Scene) -> str:
    return url_of(scene.work_into_plan())


@state("Ready to mark complete")
def plan_ready_to_complete(scene: Scene) -> str:
    """A check that passed, and no tap yet."""
    action = scene.make_status_task()
    scene.pass_check(action)
    return url_of(action.week.plan)


@state("Plan complete")
def plan_complete(scene: Scene) -> str:
    return url_of(scene.finish_plan())


@state("Nothing planned yet")
def plan_empty(scene: Scene) -> str:
    return url_of(factories.make_plan(scene.student, weeks=(), title="Not planned yet"))


@state("No tasks in this week yet.")
def plan_with_an_empty_week(scene: Scene) -> str:
    action = scene.make_small_plan()
    action.week.plan.weeks.create(number=2, title="Read the first book")
    return url_of(action.week.plan)


@state("Donaudampf")
def plan_of_long_words(scene: Scene) -> str:
    """Titles as nobody should write them, which the page must hold all the same."""
    long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 2
    plan = factories.make_plan(scene.student, weeks=[long], title=long, goal=f"{long} {long}")
    action = factories.make_action(plan, long, description=long, requirements=[(long, "either")])
    scene.report_done(factories.make_action(plan, f"Done: {long}"))
    scene.open(action)
    return url_of(plan)


def own_status(action: Action) -> str:
    return reverse("plans:status", args=[action.pk])


@state("without a check?")
def status_to_confirm(scene: Scene) -> str:
    return own_status(scene.make_status_task())


@state("This task is complete")
def status_of_a_checked_task(scene: Scene) -> str:
    action = scene.make_small_plan()
    scene.check_off(action)
    return own_status(action)


@state("Nothing is done yet.")
def progress_empty(scene: Scene) -> str:
    return reverse("sessions:progress", args=[scene.make_plan().pk])


@state("Last worked on")
def progress_filled(scene: Scene) -> str:
    return reverse("sessions:progress", args=[scene.work_into_plan().pk])


@state("Checked by plain rules (demo)", site="rules")
def progress_by_rules(scene: Scene) -> str:
    action = scene.make_small_plan()
    scene.check_off_by_rules(action)
    return reverse("sessions:progress", args=[action.week.plan_id])
