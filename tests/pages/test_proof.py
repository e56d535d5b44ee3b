"""Proof of Work on the pages: how the owner shares and withdraws, and what a stranger gets."""

import datetime
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from plans.models import Action, Plan, Proof, Week
from plans.proof import Kind, PublicProof, PublicTask, PublicWeek, share_plan, withdraw_plan
from plans.proof_views import SHARED, WITHDRAWN, measure_parts, say_progress
from tests import factories
from tests.finishing import add_finished, finish
from tests.pages.reading import ask, buttons_of, ids_of, text_of

QUERIES = 3  # the sharing with its plan, the finished tasks, the number of all tasks
HEADERS = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "Referrer-Policy": "no-referrer",
}
GARBAGE = (
    "none",
    "x" * 32,
    "x" * 5000,
    "%00",
    "a%00b",
    "%ED%A0%80",
    "%F0%9F%9A%B2",
    "..",
    "a b",
    "';--",
    "{{ 7 }}",
    "%3Cscript%3E",
)
TOKEN = re.compile(rb'value="\w{64}"')


@pytest.fixture
def plan(action):
    return Plan.objects.get(pk=action.week.plan_id)


@pytest.fixture
def page_url(plan):
    return reverse("plans:plan", args=[plan.pk])


@pytest.fixture
def share_url(plan):
    return reverse("plans:share", args=[plan.pk])


@pytest.fixture
def withdraw_url(plan):
    return reverse("plans:withdraw", args=[plan.pk])


@pytest.fixture
def public_url(plan, student):
    return reverse("plans:proof", args=[share_plan(plan, by=student).token])


@pytest.fixture
def stranger():
    return Client()


class TestSharing:
    def test_before_sharing_it_is_said_what_the_world_will_see(self, client, page_url):
        page = client.get(page_url)
        text = text_of(page)
        for words in (
            "at an address that nobody can guess",
            "You can withdraw it at any time",
            "the title and goal of this plan, word for word",
            "your finished tasks (none yet), each with its day",
            "your name or e-mail",
        ):
            assert words in text
        assert "Share this plan" in buttons_of(page) and "Withdraw" not in buttons_of(page)
        assert "/proof/" not in text

    def test_one_tap_shares_and_the_page_tells_the_whole_address(self, client, page_url, share_url):
        response = client.post(share_url)
        assert response["Location"] == f"{page_url}#proof"
        page = client.get(page_url)
        address = f"http://testserver/proof/{Proof.objects.get().token}/"
        assert f"{address} Copy the address" in text_of(page)
        assert SHARED in text_of(page)
        buttons = buttons_of(page)
        assert "Withdraw" in buttons and "Share this plan" not in buttons
        assert "hidden" in buttons["Copy the address"], "it can do nothing without JavaScript"
        assert Client().get(address).status_code == 200

    def test_one_tap_withdraws(self, client, stranger, page_url, public_url, withdraw_url):
        assert stranger.get(public_url).status_code == 200
        response = client.post(withdraw_url)
        assert response["Location"] == f"{page_url}#proof"
        assert stranger.get(public_url).status_code == 404
        page = client.get(page_url)
        assert WITHDRAWN in text_of(page) and "Share this plan" in buttons_of(page)

    def test_the_same_under_htmx(self, client, page_url, share_url, withdraw_url):
        shared = ask(client, "post", share_url, page=page_url)
        address = f"http://testserver/proof/{Proof.objects.get().token}/"
        assert address in text_of(shared)
        assert b"<html" not in shared.content and "proof" in ids_of(shared)
        assert b'aria-live="polite" hx-swap-oob' in shared.content
        assert text_of(shared).endswith(SHARED)
        assert b'tabindex="-1" autofocus' in shared.content
        withdrawn = ask(client, "post", withdraw_url, page=page_url)
        assert text_of(withdrawn).endswith(WITHDRAWN) and "/proof/" not in text_of(withdrawn)

    def test_a_double_tap_is_quiet(self, client, page_url, share_url, withdraw_url):
        for url in (share_url, withdraw_url):
            first, second = (ask(client, "post", url, page=page_url) for _ in range(2))
            assert (first.status_code, second.status_code) == (200, 200)
            assert TOKEN.sub(b"", first.content) == TOKEN.sub(b"", second.content)
        assert Proof.objects.count() == 1

    def test_the_address_stays_while_shared_and_is_new_after(self, client, share_url, withdraw_url):
        client.post(share_url)
        first = Proof.objects.get().token
        client.post(share_url)
        assert Proof.objects.get().token == first
        client.post(withdraw_url)
        client.post(share_url)
        assert Proof.objects.open().get().token != first

    def test_how_far_the_plan_is_stands_in_the_card(self, client, action, page_url):
        finish(action, "self_reported")
        factories.make_action(action.week)
        assert "your finished tasks (now 1 of 2), each with its day" in text_of(
            client.get(page_url)
        )

    @pytest.mark.parametrize("name", ["share", "withdraw"])
    def test_who_may_not(self, plan, student, public_url, name):
        url = reverse(f"plans:{name}", args=[plan.pk])
        other, staff = factories.make_student(), factories.make_staff(is_superuser=True)
        for person in (other, staff):
            theirs = Client()
            theirs.force_login(person)
            assert theirs.post(url).status_code == theirs.get(url).status_code == 404
        visitor = Client().post(url)
        assert visitor.status_code == 302 and visitor["Location"].startswith("/login/")
        careful = Client(enforce_csrf_checks=True)
        careful.force_login(student)
        assert careful.post(url).status_code == 403
        assert Proof.objects.get().withdrawn_at is None

    def test_the_form_goes_with_its_token(self, student, page_url, share_url, plan):
        careful = Client(enforce_csrf_checks=True)
        careful.force_login(student)
        careful.get(page_url)
        data = {"csrfmiddlewaretoken": careful.cookies["csrftoken"].value}
        assert careful.post(share_url, data).status_code == 302
        assert Proof.objects.filter(plan=plan).exists()

    @pytest.mark.parametrize("name", ["share", "withdraw"])
    def test_reading_the_address_of_a_form_leads_to_the_plan(self, client, plan, page_url, name):
        response = client.get(reverse(f"plans:{name}", args=[plan.pk]))
        assert response["Location"] == f"{page_url}#proof"
        assert not Proof.objects.exists()


class TestPublicPage:
    def test_each_kind_says_what_it_is(self, stranger, action, public_url):
        finish(action)
        rules = factories.make_action(action.week, "Count", requirements=[("All `Open`", "shown")])
        finish(rules, "by_rules")
        finish(factories.make_action(action.week, "Ask the office"), "self_reported")
        factories.make_action(action.week, "Not done yet")
        page = stranger.get(public_url)
        text = text_of(page)
        today = f"{timezone.localdate():%-d %B %Y}"
        for words in (
            "Proof of Work A bike map",
            "3 of 4 tasks are finished; work goes on.",
            "1 checked · 1 checked by plain rules (demo) · 1 self-reported",
            "No AI was connected for 1 of these checks: plain rules passed it, as a demo.",
            "Week 1 — First steps",
            f"Know the risks Checked on {today} against these 2 requirements "
            "Names two risks of the project Shows the “Open” stations Checked",
            f"Count Checked by plain rules on {today} against this requirement All Open "
            "Checked by plain rules (demo)",
            f"Ask the office Marked done by the student on {today} Self-reported",
            "What the words mean",
        ):
            assert words in text, words
        assert "Not done yet" not in text and "Mira" not in text and "mira" not in text

    def test_no_demo_is_mentioned_where_none_was(self, stranger, action, public_url):
        finish(action)
        text = text_of(stranger.get(public_url))
        assert "demo" not in text and "Self-reported" not in text
        assert "The one task is finished." in text

    def test_an_empty_one_says_so(self, stranger, plan, public_url):
        text = text_of(stranger.get(public_url))
        assert "The one task is not finished yet; work goes on." in text
        assert "Nothing to show yet" in text and "What the words mean" not in text
        Action.objects.all().delete()
        Week.objects.all().delete()
        text = text_of(stranger.get(public_url))
        assert "No tasks are planned yet." in text and "Nothing to show yet" in text

    def test_words_are_words(self, stranger, action, public_url):
        hostile = "<script>alert(1)</script>{{ 7|add:7 }}{% now 'Y' %}\u202e`<b>x</b>`"
        Plan.objects.update(title=hostile, goal=hostile)
        Week.objects.update(title=hostile)
        action.requirements.update(title=hostile)
        Action.objects.update(title=hostile)
        finish(action)
        page = stranger.get(public_url).content.decode()
        assert "<script" not in page and "<b>x" not in page
        assert page.count("{{ 7|add:7 }}") == 7

    def test_a_stranger_leaves_with_no_cookie(self, stranger, action, public_url, student):
        finish(action)
        page = stranger.get(public_url)
        assert not page.cookies and "Vary" not in page
        assert HEADERS.items() <= dict(page.headers).items()

    def test_everybody_gets_the_same_page_and_nobody_is_looked_up(
        self, client, stranger, action, public_url
    ):
        finish(action)
        staff = Client()
        staff.force_login(factories.make_staff())
        staff.post(reverse("plans:share", args=[action.week.plan_id]))  # a message waits nowhere
        pages = []
        for reader in (stranger, client, staff):
            with CaptureQueriesContext(connection) as queries:
                pages.append(reader.get(public_url))
            assert len(queries) == QUERIES
            assert not any("django_session" in query["sql"] for query in queries)
        assert len({page.content for page in pages}) == 1
        assert not any(page.cookies for page in pages)
        assert all(page.headers == pages[0].headers for page in pages)

    def test_only_reading(self, client, public_url):
        head = client.head(public_url)
        assert (head.status_code, head.content) == (200, b"")
        for careful in (Client(), Client(enforce_csrf_checks=True), client):
            for method in ("post", "put", "patch", "delete", "options"):
                response = getattr(careful, method)(public_url)
                assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")
                assert HEADERS.items() <= dict(response.headers).items()
        assert Proof.objects.get().withdrawn_at is None

    @pytest.mark.parametrize("garbage", GARBAGE)
    def test_what_was_never_an_address(self, stranger, public_url, garbage):
        withdrawn = stranger.get(f"/proof/{'A' * 32}/")
        response = stranger.get(f"/proof/{garbage}/")
        assert response.status_code == 404
        assert (response.content, response.headers) == (withdrawn.content, withdrawn.headers)

    def test_gone_looks_like_never_there(self, stranger, plan, student, public_url):
        """Withdrawn, archived, switched off and unknown: the same answer, byte for byte."""
        unknown = stranger.get(f"/proof/{'A' * 32}/")
        answers = []
        Plan.objects.update(archived_at=timezone.now())
        answers.append(stranger.get(public_url))
        Plan.objects.update(archived_at=None)
        type(student).objects.update(is_active=False)
        answers.append(stranger.get(public_url))
        type(student).objects.update(is_active=True)
        assert stranger.get(public_url).status_code == 200, "the control: it would be there"
        withdraw_plan(plan, by=student)
        answers.append(stranger.get(public_url))
        assert "There is nothing at this address" in text_of(unknown)
        for answer in answers:
            assert answer.status_code == unknown.status_code == 404
            assert (answer.content, answer.headers) == (unknown.content, unknown.headers)
        assert HEADERS.items() <= dict(unknown.headers).items()
        assert not unknown.cookies and "Vary" not in unknown

    def test_the_same_queries_for_five_tasks_and_for_five_hundred(
        self, stranger, plan, public_url, django_assert_num_queries
    ):
        for number in (5, 495):
            add_finished(plan, number)
            with django_assert_num_queries(QUERIES):
                page = stranger.get(public_url)
        assert "500 of 501 tasks are finished; work goes on." in text_of(page)
        assert page.content.count(b'class="task checked"') == 500

    def test_each_task_read_on_its_own_would_be_seen(self, plan):
        """The control: reading the completions one by one makes the count grow."""
        add_finished(plan, 5)
        with CaptureQueriesContext(connection) as queries:
            for action in Action.objects.exclude(current_completion=None):
                assert action.current_completion.checklist
        assert len(queries) == 6


def make_proof(total, *kinds):
    tasks = tuple(PublicTask("A task", kind, datetime.date(2026, 11, 3), ()) for kind in kinds)
    return PublicProof("A map", "", (PublicWeek(1, "Look", tasks),) if tasks else (), total)


@pytest.mark.parametrize(
    ("finished", "total", "sentence"),
    [
        (0, 0, "No tasks are planned yet."),
        (0, 1, "The one task is not finished yet; work goes on."),
        (1, 1, "The one task is finished."),
        (0, 12, "None of the 12 tasks is finished yet; work goes on."),
        (1, 12, "1 of 12 tasks is finished; work goes on."),
        (5, 12, "5 of 12 tasks are finished; work goes on."),
        (12, 12, "All 12 tasks are finished."),
    ],
)
def test_how_far_it_is_in_words(finished, total, sentence):
    assert say_progress(make_proof(total, *[Kind.CHECKED] * finished)) == sentence


def test_the_parts_of_the_bar_lie_side_by_side():
    kinds = [Kind.SELF_REPORTED, Kind.CHECKED, Kind.SELF_REPORTED, Kind.BY_RULES]
    parts = measure_parts(make_proof(7, *kinds))
    assert [(part.kind, part.count, part.start, part.width) for part in parts] == [
        (Kind.CHECKED, 1, 0, 14),
        (Kind.BY_RULES, 1, 14, 15),
        (Kind.SELF_REPORTED, 2, 29, 28),
    ]
    assert measure_parts(make_proof(3)) == []
