"""Home, the plan page and the student's own status control."""

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import strip_tags

from judge.models import CheckRun
from plans.models import Completion, How, Plan, Status
from plans.progress import Progress
from plans.status import self_report
from sessions.chat import get_session
from sessions.completion import complete_session
from sessions.lifecycle import open_session
from sessions.transcript import add_student_turn
from tests import factories
from tests.pages.reading import ask, buttons_of, text_of

WORDS = "The two risks of the project, and the “Open” stations it shows:\nOpen | 51\nOpen | 3"


@pytest.fixture
def page_url(action):
    return reverse("plans:plan", args=[action.week.plan_id])


@pytest.fixture
def status_url(action):
    return reverse("plans:status", args=[action.pk])


def make_check(action, *statuses):
    rows = list(action.requirements.all())
    checklist = [
        {"id": str(row.pk), "title": row.title, "status": status, "note": "", "evidence": []}
        for row, status in zip(rows, statuses, strict=True)
    ]
    return CheckRun.objects.create(
        action=action,
        student=action.week.plan.owner,
        trigger="check",
        outcome="passed" if set(statuses) == {"met"} else "failed",
        checklist=checklist,
        spec_version=action.spec_version,
        judge_kind="gemini",
        prompt_version=1,
    )


def test_no_plan_leads_somewhere(client):
    response = client.get("/")
    assert "No plan yet" in text_of(response) and "Plan a new project" in text_of(response)


def test_home_names_the_next_task(client, action):
    text = text_of(client.get("/"))
    assert "A bike map" in text and "0 of 1 task" in text and "Next: Know the risks" in text


def test_the_plan_shows_tasks_and_what_done_means(client, action, page_url):
    text = text_of(client.get(page_url))
    for words in ("6 hours a week", "Week 1 — First steps", "Know the risks", "What done means"):
        assert words in text
    assert "Names two risks of the project" in text


def test_a_week_without_tasks_leads_on(client, student):
    plan = factories.make_plan(student, weeks=("Full", "Empty"))
    factories.make_action(plan, "The only task")
    page = client.get(reverse("plans:plan", args=[plan.pk]))
    assert "No tasks in this week yet. Go on with The only task" in text_of(page)


def test_a_plan_without_weeks_leads_on(client, student):
    plan = factories.make_plan(student, weeks=())
    assert "Go to your plans" in text_of(client.get(reverse("plans:plan", args=[plan.pk])))


def test_the_confirm_step_writes_nothing(client, action, status_url):
    response = client.get(status_url)
    assert "Mark this task done without a check?" in text_of(response)
    assert "Mark as self-reported" in buttons_of(response)
    assert not Completion.objects.exists()


def test_completed_without_the_confirm_step_asks_for_it(client, action, status_url):
    response = client.post(status_url, {"status": "completed"})
    assert response.status_code == 409
    assert "Mark as self-reported" in buttons_of(response)
    assert not Completion.objects.exists()


def test_checks_by_plain_rules_are_told_apart_in_the_count():
    def text(**counts):
        values = {"total": 5, "checked": 0, "self_reported": 0, "by_rules": 0} | counts
        context = {"progress": Progress(**values), "plan": Plan()}
        return " ".join(strip_tags(render_to_string("plans/_progress.html", context)).split())

    assert "3 checked, 1 self-reported" in text(checked=3, self_reported=1)
    assert "3 checked (by plain rules, demo), 0" in text(checked=3, by_rules=3)
    assert "3 checked (2 by plain rules, demo), 0" in text(checked=3, by_rules=2)


def test_a_self_report_and_taking_it_back(client, action, page_url, status_url):
    response = client.post(status_url, {"status": "completed", "confirmed": "true"}, follow=True)
    assert Completion.objects.get().how == How.SELF_REPORTED
    text = text_of(response)
    assert "You marked this yourself" in text and "Plan complete" in text
    assert "0 checked, 1 self-reported" in text

    client.post(status_url, {"status": "in_progress"})
    action.refresh_from_db()
    assert action.status == Status.IN_PROGRESS
    assert "Plan complete" not in text_of(client.get(page_url))


def test_the_same_under_htmx_swaps_the_plan(client, action, page_url, status_url):
    confirm = ask(client, "get", status_url, page=page_url)
    assert "Mark as self-reported" in buttons_of(confirm) and b"<html" not in confirm.content
    data = {"status": "completed", "confirmed": "true"}
    swapped = ask(client, "post", status_url, data, page=page_url)
    assert b'<div id="plan">' in swapped.content and b"<html" not in swapped.content
    assert b'<div id="live" class="unseen" aria-live="polite" hx-swap-oob' in swapped.content
    assert "is marked done, self-reported" in text_of(swapped)


def test_a_status_that_does_not_exist_is_refused_in_words(client, status_url):
    response = client.post(status_url, {"status": "done"})
    assert response.status_code == 422 and "There is no such status." in text_of(response)


@pytest.mark.django_db(transaction=True)
def test_a_task_checked_by_rules_says_so_and_stays(client, action, student, rules, page_url):
    session = open_session(action, student)
    add_student_turn(session.pk, WORDS, None)
    assert complete_session(get_session(student, session.pk)).completed
    page = client.get(page_url)
    text = text_of(page)
    assert "Checked by plain rules (demo)" in text and "2 requirements met" in text
    assert "No AI is connected: plain rules answer here" in text
    assert not any(words.startswith("Take back") for words in buttons_of(page))

    url = reverse("plans:status", args=[action.pk])
    refused = client.post(url, {"status": "in_progress"}, follow=True)
    assert "This task was checked. Ask your teacher if it should be reopened." in text_of(refused)
    assert Completion.objects.get().how == How.CHECKED


def test_without_a_model_the_banner_says_undecided(client, settings):
    settings.DEBUG, settings.GEMINI_API_KEY = False, ""
    assert "checks are undecided at the moment" in text_of(client.get("/"))
    settings.GEMINI_API_KEY = "a-key"
    assert "undecided" not in text_of(client.get("/"))


def test_the_latest_check_says_how_many_rows_are_shown(client, action, page_url):
    make_check(action, "not_shown", "not_shown")
    make_check(action, "met", "not_shown")
    assert "1 of 2 shown" in text_of(client.get(page_url))
    action.title = "Know all the risks"
    action.save()
    assert "1 of 2 shown" not in text_of(client.get(page_url))


def test_archived_plans_are_gone(client, action, page_url):
    assert client.get(page_url).status_code == 200
    Plan.objects.update(archived_at="2026-01-01T00:00Z")
    assert client.get(page_url).status_code == 404


def test_the_progress_report_tells_how(client, action, student):
    self_report(action, by=student)
    factories.make_action(action.week, "Still open")
    url = reverse("sessions:progress", args=[action.week.plan_id])
    text = text_of(client.get(url))
    assert "Done (1) Know the risks" in text and "Self-reported" in text
    assert "Open (1) Still open" in text and "Last worked on" in text
