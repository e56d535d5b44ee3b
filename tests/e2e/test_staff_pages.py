"""The staff's own pages in a browser, in both themes: no fault of accessibility or script."""

import pytest
from django.test import Client
from django.urls import reverse

from judge.appeals import report_check
from plans.models import Completion
from sessions.completion import check_session
from sessions.lifecycle import open_session
from sessions.transcript import add_student_turn
from tests import factories
from tests.e2e import faults
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.finishing import finish

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
WORDS = "Rain, and too few bikes."


@pytest.fixture
def pages(student, gemini):
    """The addresses of what staff look at, each with something in it."""
    gemini.respond = lambda request: replies.json(answer("met", "not_shown", text=WORDS))
    plan = factories.make_plan(student)
    rows = [("Name two risks for riders", "written"), ("Show the count by status", "shown")]
    action = factories.make_action(plan, "Know the risks", requirements=rows)
    session = open_session(action, student)
    add_student_turn(session.pk, WORDS, None)
    card = check_session(session)
    row = action.requirements.get(title=rows[1][0]).pk
    appeal = report_check(card.id, by=student, requirement_id=row, message="It is there.")
    whole = report_check(check_session(session).id, by=student, message="All of it is there.")
    finish(factories.make_action(plan), by_staff=1)
    completion = Completion.objects.get()
    urls = {
        "index": reverse("admin:index"),
        "health": reverse("admin:judge_checkrun_health"),
        "run": reverse("admin:judge_checkrun_change", args=[card.id]),
        "appeal": reverse("admin:judge_appeal_change", args=[appeal.pk]),
        "whole": reverse("admin:judge_appeal_change", args=[whole.pk]),
        "completion": reverse("admin:plans_completion_change", args=[completion.pk]),
    }
    lists = ("judge_appeal", "judge_checkrun", "plans_completion", "plans_dailyuse")
    return urls | {name: reverse(f"admin:{name}_changelist") for name in lists}


def test_no_page_of_the_staff_has_a_fault(gemini_site, browser, pages, admin_login):
    context = browser.new_context()
    context.add_cookies([{"name": "sessionid", "value": admin_login, "url": gemini_site}])
    page = context.new_page()
    heard = faults.watch(page)
    found = []
    for theme in ("light", "dark"):
        # Before the page is opened: its links fade from one colour to another.
        page.emulate_media(color_scheme=theme)
        for name, path in pages.items():
            assert page.goto(gemini_site + path).status == 200, name
            found += [f"{name} {theme}: {each}" for each in heard]
            found += [f"{name} {theme}: {each}" for each in faults.find_axe_faults(page)]
            heard.clear()  # axe itself tries inline styles, which the policy refuses
    assert not found, "\n".join(found)


@pytest.fixture
def admin_login(transactional_db):
    client = Client()
    client.force_login(factories.make_staff(is_superuser=True))
    return client.cookies["sessionid"].value
