"""States of Proof of Work: sharing a plan, and the public page as strangers see it."""

from django.urls import reverse
from playwright.sync_api import Page

from plans.models import Plan
from plans.proof import find_proof, share_plan, withdraw_plan
from tests.screens.plan_states import url_of
from tests.screens.scene import Scene
from tests.screens.state import see, table

STATES, state = table()


def share(page: Page) -> None:
    page.get_by_role("button", name="Share this plan").click()
    see(page, "This plan is shared.")


def withdraw(page: Page) -> None:
    page.get_by_role("button", name="Withdraw").click()
    see(page, "This plan is not shared.")


def copy_address(page: Page) -> None:
    page.get_by_role("button", name="Copy the address").click()
    page.locator("[data-copied]", has_text=".").wait_for()


def publish(scene: Scene, plan: Plan) -> str:
    share_plan(plan, by=scene.student)
    return reverse("plans:proof", args=[find_proof(plan).token])


@state("This plan is shared.", act=share)
def sharing_just_shared(scene: Scene) -> str:
    return url_of(scene.make_small_plan().week.plan)


@state("Copy the address", act=copy_address)
def sharing_address_copied(scene: Scene) -> str:
    plan = scene.make_small_plan().week.plan
    publish(scene, plan)
    return url_of(plan)


@state("This plan is not shared.", act=withdraw)
def sharing_just_withdrawn(scene: Scene) -> str:
    return sharing_address_copied(scene)


@state("work goes on", is_visitor=True)
def proof_unfinished(scene: Scene) -> str:
    return publish(scene, scene.work_into_plan())


@state("All 12 tasks are finished.", is_visitor=True)
def proof_finished(scene: Scene) -> str:
    return publish(scene, scene.finish_plan())


@state("No AI was connected", is_visitor=True, site="rules")
def proof_by_rules(scene: Scene) -> str:
    action = scene.make_small_plan()
    scene.check_off_by_rules(action)
    return publish(scene, action.week.plan)


@state("Nothing to show yet", is_visitor=True)
def proof_of_nothing_yet(scene: Scene) -> str:
    return publish(scene, scene.make_plan())


@state("There is nothing at this address", is_visitor=True, status=404)
def proof_withdrawn(scene: Scene) -> str:
    plan = scene.make_small_plan().week.plan
    address = publish(scene, plan)
    withdraw_plan(plan, by=scene.student)
    return address
