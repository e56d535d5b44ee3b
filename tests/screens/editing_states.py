"""States of a plan that is changed: the forms, what they ask and refuse, and what was changed."""

from uuid import uuid4

from django.urls import reverse
from playwright.sync_api import Page

from plans import editing
from plans.editing import Changes, Place
from plans.models import Action
from plans.task_text import RowText
from tests import factories
from tests.screens.plan_states import OPEN_TASK, OWN_TASK, url_of
from tests.screens.scene import Scene, find_task
from tests.screens.state import table

STATES, state = table()


def edit_url(action: Action) -> str:
    return reverse("plans:edit", args=[action.pk])


def save(page: Page) -> None:
    page.get_by_role("button", name="Save").click()


def empty_and_save(page: Page) -> None:
    page.get_by_label("Title").fill("")
    page.get_by_role("textbox", name="Requirement 1").fill("word " * 70)
    page.get_by_role("textbox", name="Requirement 2").fill("You say what a rider does instead")
    page.get_by_role("textbox", name="Requirement 3").fill("You say what a rider does instead")
    save(page)


def save_a_title(page: Page) -> None:
    page.get_by_label("Title").fill("Find the five longest gaps in the log")
    page.get_by_role("textbox", name="Requirement 3").fill("You show one of them in a picture")
    save(page)


def drop(page: Page) -> None:
    page.get_by_role("button", name="Drop this task").click()


def move_to_the_first_week(page: Page) -> None:
    page.get_by_label("Week and place").select_option(label="Week 1: first")
    save(page)


@state("Edit this task")
def edit_of_a_task(scene: Scene) -> str:
    return edit_url(find_task(scene.make_plan(), OPEN_TASK))


@state("Your last check will no longer count")
def edit_of_a_checked_task(scene: Scene) -> str:
    plan = scene.work_into_plan()
    return edit_url(plan.weeks.get(number=2).actions.get(status="in_progress"))


@state("Nothing is saved yet", act=empty_and_save)
def edit_refused(scene: Scene) -> str:
    return edit_url(find_task(scene.make_plan(), OPEN_TASK))


def edit_elsewhere(page: Page) -> None:
    """Another tab saved first: this one's version is of before."""
    page.get_by_label("Title").fill("Find the longest gaps")
    page.locator("input[name=version]").evaluate("(input) => { input.value = 1; }")
    save(page)


def type_and_reload(page: Page) -> None:
    page.get_by_label("Title").fill("Find the longest gaps")
    page.reload()


@state("What you typed here before is back", act=type_and_reload)
def edit_typed_before(scene: Scene) -> str:
    return edit_url(find_task(scene.make_plan(), OPEN_TASK))


def save_what_is_gone(page: Page) -> None:
    """Another tab dropped the task."""
    page.get_by_label("Title").fill("Find the longest gaps")
    page.locator("form.card").evaluate(f"(form) => {{ form.action = '/actions/{uuid4()}/edit/'; }}")
    save(page)


@state("Nothing is lost", act=save_what_is_gone)
def edit_of_a_task_that_is_gone(scene: Scene) -> str:
    return edit_url(find_task(scene.make_plan(), OPEN_TASK))


def save_without_token(page: Page) -> None:
    """As from a page that was left open while the cookies went."""
    page.context.clear_cookies(name="csrftoken")
    save(page)


@state("what you typed is in the form when you open it again", act=save_without_token)
def edit_refused_without_token(scene: Scene) -> str:
    return edit_url(find_task(scene.make_plan(), OPEN_TASK))


@state("What is stored now", act=edit_elsewhere)
def edit_of_a_changed_task(scene: Scene) -> str:
    return edit_url(find_task(scene.make_plan(), OPEN_TASK))


@state("Saved: title, requirements.", act=save_a_title)
def edit_just_saved(scene: Scene) -> str:
    return edit_url(find_task(scene.work_into_plan(), OPEN_TASK))


@state("Changed since its check")
def plan_with_an_outdated_check(scene: Scene) -> str:
    plan = scene.work_into_plan()
    action = plan.weeks.get(number=2).actions.get(status="in_progress")
    edit_text(scene, action, description="Give each of the 64 stations one of two values.")
    return url_of(plan)


def edit_text(scene: Scene, action: Action, **changes) -> None:
    version = Action.objects.get(pk=action.pk).spec_version
    editing.edit_task(scene.student, action.pk, Changes(**changes), expected_version=version)


def leave_one_open(scene: Scene) -> Action:
    """The last week with one open task, the other two done."""
    plan = scene.make_plan()
    *others, last = plan.weeks.get(number=4).actions.order_by("position")
    for action in others:
        scene.report_done(action)
    return last


@state("would have nothing open", act=move_to_the_first_week)
def edit_that_would_close_a_week(scene: Scene) -> str:
    return edit_url(leave_one_open(scene))


@state("Drop this task?")
def drop_to_confirm(scene: Scene) -> str:
    return reverse("plans:drop", args=[find_task(scene.make_plan(), OPEN_TASK).pk])


@state("with it?", act=drop)
def drop_that_would_close_a_week(scene: Scene) -> str:
    return reverse("plans:drop", args=[leave_one_open(scene).pk])


@state("is dropped.", act=drop)
def plan_just_after_a_drop(scene: Scene) -> str:
    return reverse("plans:drop", args=[find_task(scene.work_into_plan(), OPEN_TASK).pk])


@state("is dropped.")
def plan_with_a_drop_to_undo(scene: Scene) -> str:
    action = find_task(scene.work_into_plan(), OPEN_TASK)
    edit = editing.drop_task(scene.student, action.pk)
    return f"{url_of(action.week.plan)}?edit={edit.pk}"


def open_dropped(page: Page) -> None:
    page.get_by_text("Tasks you dropped").click()


@state("restoring it opens week 4 again", act=open_dropped)
def plan_with_dropped_tasks(scene: Scene) -> str:
    last = leave_one_open(scene)
    plan = last.week.plan
    for title in (OWN_TASK, OPEN_TASK):
        editing.drop_task(scene.student, find_task(plan, title).pk)
    editing.drop_task(scene.student, last.pk, close_week=True)
    return url_of(plan)


def restore_the_first(page: Page) -> None:
    open_dropped(page)
    page.get_by_role("button", name="Restore").first.click()


@state("Move or drop one of them", act=restore_the_first)
def plan_too_full_to_restore(scene: Scene) -> str:
    action = scene.make_small_plan()
    factories.make_action(action.week, "Read the second book")
    editing.drop_task(scene.student, action.pk)
    while action.week.actions.count() <= editing.MOST_TASKS:
        factories.make_action(action.week, "Read another book")
    return url_of(action.week.plan)


@state("You closed this week without tasks.")
def plan_with_a_closed_empty_week(scene: Scene) -> str:
    action = scene.make_small_plan()
    later = action.week.plan.weeks.create(number=2, title="Read the first book")
    editing.move_task(scene.student, action.pk, Place(later.pk), close_week=True)
    return url_of(action.week.plan)


@state("Add a task")
def new_task(scene: Scene) -> str:
    return reverse("plans:new_task", args=[scene.make_plan().weeks.get(number=3).pk])


@state("It opens again when you add a task.")
def new_task_in_a_closed_week(scene: Scene) -> str:
    plan = scene.work_into_plan()
    return reverse("plans:new_task", args=[plan.weeks.get(number=1).pk])


@state("Edit week 3")
def week_text(scene: Scene) -> str:
    return reverse("plans:week", args=[scene.make_plan().weeks.get(number=3).pk])


def empty_title(page: Page) -> None:
    page.get_by_label("Title").fill("")
    save(page)


def save_a_week(page: Page) -> None:
    page.get_by_label("Title").fill("Draw it large")
    save(page)


@state("The week’s text is saved.", act=save_a_week)
def week_text_saved(scene: Scene) -> str:
    return week_text(scene)


def save_an_outdated_week(page: Page) -> None:
    page.get_by_label("Title").fill("Draw it large")
    page.locator("input[name=seen]").evaluate("(input) => { input.value = 'before'; }")
    save(page)


@state("This week was changed after you opened it.", act=save_an_outdated_week)
def week_text_outdated(scene: Scene) -> str:
    return week_text(scene)


@state("Give the week a title.", act=empty_title)
def week_text_refused(scene: Scene) -> str:
    return week_text(scene)


@state("Nothing was changed yet")
def history_empty(scene: Scene) -> str:
    return reverse("plans:history", args=[scene.make_small_plan().pk])


@state("What was changed")
def history_filled(scene: Scene) -> str:
    plan = scene.work_into_plan()
    action = find_task(plan, OPEN_TASK)
    kept = action.requirements.get(position=0)
    new = RowText(None, "You show one gap in a picture", "shown")
    longer = RowText(kept.pk, "You list the three longest gaps", "either")
    edit_text(scene, action, title="Find the three longest gaps", rows=[new, longer])
    editing.move_task(scene.student, action.pk, Place(plan.weeks.get(number=3).pk, None))
    editing.move_task(scene.student, action.pk, Place())
    editing.drop_task(scene.student, action.pk)
    editing.restore_task(scene.student, action.pk)
    return reverse("plans:history", args=[action.pk])
