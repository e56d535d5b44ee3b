"""States around the work: logging in, home, refusals, faults, and the banners."""

from uuid import uuid4

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page

from elivio.demo import PASSWORD, STAFF, STUDENT
from tests.screens.scene import Scene
from tests.screens.state import see, table

STATES, state = table()


def refuse_login(page: Page) -> None:
    page.get_by_label("E-mail").fill("mira@example.org")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Log in").click()
    see(page, "do not belong together")


def log_in_with_nothing(page: Page) -> None:
    page.get_by_role("button", name="Log in").click()
    see(page, "Enter your e-mail.")


def send_without_token(page: Page) -> None:
    """As from a page that was left open while the cookies went."""
    page.get_by_label("Your message").fill("What I wrote for half an hour.\nAnd a second line.")
    page.context.clear_cookies(name="csrftoken")
    page.evaluate("document.getElementById('composer').submit()")
    page.get_by_role("heading", name="That was not sent yet").wait_for()


@state("Password", is_visitor=True)
def login(scene: Scene) -> str:
    return reverse("login")


@state("do not belong together", is_visitor=True, act=refuse_login)
def login_refused(scene: Scene) -> str:
    return reverse("login")


@state("Enter your e-mail.", is_visitor=True, act=log_in_with_nothing)
def login_incomplete(scene: Scene) -> str:
    return reverse("login")


@state("You come back to the page", is_visitor=True)
def login_to_go_on(scene: Scene) -> str:
    return f"{reverse('login')}?next={reverse('plans:plan', args=[scene.make_plan().pk])}"


@state("On this machine", is_visitor=True, site="rules")
def login_with_demo(scene: Scene) -> str:
    for email in (STUDENT, STAFF):
        if not User.objects.filter(username=email).exists():
            User.objects.create_user(email, email, PASSWORD)
    return reverse("login")


@state("Next: Give every station")
def home(scene: Scene) -> str:
    scene.check_off(scene.make_small_plan())
    scene.work_into_plan()
    return reverse("plans:home")


@state("Say what you want to make")
def home_empty(scene: Scene) -> str:
    return reverse("plans:home")


@state("Go to the staff pages")
def home_empty_for_staff(scene: Scene) -> str:
    User.objects.filter(pk=scene.student.pk).update(is_staff=True, first_name="")
    return reverse("plans:home")


@state("No AI is connected", site="rules")
def banner_of_rules(scene: Scene) -> str:
    scene.make_small_plan()
    return reverse("plans:home")


@state("No judge is connected", site="none")
def banner_without_judge(scene: Scene) -> str:
    return scene.session_url(scene.open(scene.make_small_plan()))


@state("This page is not open to you", status=403)
def refusal_403(scene: Scene) -> str:
    return "/screens/403/"


@state("Nothing is lost", act=send_without_token)
def refusal_403_without_token(scene: Scene) -> str:
    return scene.session_url(scene.open(scene.make_status_task()))


@state("There is nothing at this address", status=404)
def missing_404(scene: Scene) -> str:
    return reverse("plans:plan", args=[uuid4()])


@state("There is nothing at this address", status=404, is_visitor=True)
def missing_404_for_a_visitor(scene: Scene) -> str:
    return "/nothing/here/"


@state("There is nothing at this address", status=404, site="rules")
def missing_404_with_debug_on(scene: Scene) -> str:
    return "/nothing/here/"


@state("Something went wrong on our side", status=500)
def fault_500(scene: Scene) -> str:
    return "/screens/500/"
