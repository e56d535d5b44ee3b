"""States of plan making: asking, watching, a plan to look at, one week to change."""

from django.urls import reverse
from playwright.sync_api import Page

from plans.making.review import JUDGED, Criterion, Finding, Review, Standing
from plans.models import PlanDraft
from tests import factories
from tests.screens.scene import Scene
from tests.screens.state import see, table

STATES, state = table()
State = PlanDraft.State
EMPTY = {"proposal": None, "review": None, "version": 0}


def url_of(draft: PlanDraft, name: str = "draft", *more: int) -> str:
    return reverse(f"plans:{name}", args=[draft.pk, *more])


def find(scene: Scene, **fields) -> str:
    return url_of(factories.make_draft(scene.student, **fields))


def send_nothing(page: Page) -> None:
    page.get_by_role("button", name="Propose a plan").click()
    see(page, "Look at the marked places")


def save_without_a_title(page: Page) -> None:
    page.get_by_label("Title of the plan").fill("")
    page.get_by_label("Goal").fill("A list of the beds. " * 120)
    page.get_by_role("button", name="Save").click()
    see(page, "Give the plan a title.")


def save_an_outdated_title(page: Page) -> None:
    """Another tab saved first: this one's version is of before."""
    page.get_by_label("Title of the plan").fill("Beds and who waters them")
    page.locator("input[name=version]").evaluate("(input) => { input.value = 1; }")
    page.get_by_role("button", name="Save").click()


def save_nonsense(page: Page) -> None:
    page.get_by_label("Title of the week").fill("")
    page.get_by_role("button", name="Save week 1").click()
    see(page, "Give the week a title.")


@state("Say what you want to make.")
def making_new(scene: Scene) -> str:
    return reverse("plans:new_plan")


@state("Describe your project in", act=send_nothing)
def making_new_refused(scene: Scene) -> str:
    return reverse("plans:new_plan")


@state("Plans in the making")
def making_home(scene: Scene) -> str:
    factories.make_draft(scene.student)
    factories.make_draft(scene.student, state=State.FAILED, reason="timeout", **EMPTY)
    return reverse("plans:home")


@state("Writing a first plan")
def making_under_way(scene: Scene) -> str:
    return find(scene, state=State.PROPOSING, **EMPTY)


@state("The model took too long.")
def making_failed(scene: Scene) -> str:
    return find(scene, state=State.FAILED, reason="timeout", **EMPTY)


@state("Nobody can see this.")
def making_ready(scene: Scene) -> str:
    row = Finding(Criterion.CHECKABLE, "Nobody can see this.", 1, 1, 1, quote="pests")
    week = Finding(Criterion.LOAD, "The tasks take 6 hours, and you have 4.", 1, code="load")
    standings = dict.fromkeys(JUDGED, Standing.HELD) | {Criterion.CHECKABLE: Standing.FOUND}
    return find(scene, review=Review((row, week), standings, "gemini").as_json())


@state("Made by plain rules (demo)")
def making_ready_by_rules(scene: Scene) -> str:
    review = Review((), dict.fromkeys(JUDGED, Standing.UNREAD), "rules", reason="no_judge")
    return find(scene, made_by="rules", review=review.as_json())


@state("Title of the plan")
def making_text(scene: Scene) -> str:
    return url_of(factories.make_draft(scene.student), "draft_text")


@state("Give the plan a title.", act=save_without_a_title)
def making_text_refused(scene: Scene) -> str:
    return url_of(factories.make_draft(scene.student), "draft_text")


@state("What is stored now", act=save_an_outdated_title)
def making_text_outdated(scene: Scene) -> str:
    return url_of(factories.make_draft(scene.student), "draft_text")


@state("Change week 1")
def making_week(scene: Scene) -> str:
    return url_of(factories.make_draft(scene.student), "draft_week", 1)


def save_a_week(page: Page) -> None:
    page.get_by_label("Title of the week").fill("From a list of beds to a page")
    page.get_by_role("button", name="Save week 1").click()


@state("Saved. What code can check was checked again", act=save_a_week)
def making_week_saved(scene: Scene) -> str:
    return url_of(factories.make_draft(scene.student), "draft_week", 1)


@state("Give the week a title.", act=save_nonsense)
def making_week_refused(scene: Scene) -> str:
    return url_of(factories.make_draft(scene.student), "draft_week", 1)


def save_a_week_that_is_gone(page: Page) -> None:
    """Another tab left the week out."""
    page.locator("form.form").evaluate(
        "(form) => { form.action = form.action.replace('/1/', '/9/'); }"
    )
    page.get_by_role("button", name="Save week 1").click()


@state("This week is not in the plan any more.", act=save_a_week_that_is_gone)
def making_week_unkept(scene: Scene) -> str:
    return url_of(factories.make_draft(scene.student), "draft_week", 1)


@state("Drop this draft?")
def making_drop(scene: Scene) -> str:
    return url_of(factories.make_draft(scene.student), "drop_draft")
