"""The page of judge health: figures with their counts, empty states in words, nothing to act on."""

import datetime
import re
from html import unescape

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judge.health_figures import Judge
from tests import factories
from tests.judge.runs import RULES, add_run, complete, decide

pytestmark = pytest.mark.django_db
PAGE = "admin:judge_checkrun_health"


@pytest.fixture
def action(db):
    return factories.make_action(factories.make_plan(factories.make_student()))


def words(response):
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", response.content.decode())).split())


@pytest.fixture
def viewer(db):
    """Staff who may see check runs, and nothing else."""
    user = factories.make_staff()
    user.user_permissions.add(Permission.objects.get(codename="view_checkrun"))
    client = Client()
    client.force_login(user)
    return client


class TestPage:
    def test_empty_states_in_words(self, viewer):
        said = words(viewer.get(reverse(PAGE)))
        assert "No staff decisions in this time: agreement cannot be said." in said
        assert "the flip rate cannot be said" in said and "No checks and no taps" in said
        assert "%" not in said.split("Judge health", 1)[1]

    def test_figures_with_their_counts(self, viewer, action):
        decide(add_run(action, "failed", rows=[("not_met", {})]), True)
        add_run(action, "passed")
        add_run(action, "failed", "tap")
        add_run(action, "passed", "tap", judge=RULES)
        said = words(viewer.get(reverse(PAGE)))
        assert "gemini, flash Prompt 1 2 1 33.3 % 1 of 3, 6.1 to 79.2 %" in said
        assert "Plain rules, no AI Prompt 1 0 1 100.0 % 1 of 1, 20.7 to 100.0 %" in said
        assert "All 2 2 50.0 % 2 of 4" in said
        assert "no random sample" in said
        assert "0.00 1 decided" in said

    @pytest.mark.parametrize("asked", ["", "8", "-1", "ALL", "a\0b", "9" * 5000, "<script>"])
    def test_another_period_falls_back_with_a_sentence(self, viewer, asked):
        response = viewer.get(reverse(PAGE), {"days": asked})
        assert response.context["period"] == "30"
        assert "There is no such period, so these are the last 30 days." in words(response)

    @pytest.mark.parametrize("asked", ["7", "30", "90", "all"])
    def test_the_periods_there_are(self, viewer, asked):
        response = viewer.get(reverse(PAGE), {"days": asked})
        assert response.context["period"] == asked
        assert "There is no such period" not in words(response)
        assert f'<option value="{asked}" selected>' in response.content.decode()

    def test_completions_and_what_is_missing(self, viewer, action):
        add_run(action, prompt_tokens=1500)
        complete(action, None)
        said = words(viewer.get(reverse(PAGE)))
        assert "1 of 1 checked completions have no audit row." in said
        assert "gemini, audit row missing 1 1 1.0 1,500 0 0 1,500" in said

    def test_a_model_with_a_hostile_name_is_text(self, viewer, action):
        add_run(action, judge=Judge("gemini", "<script>alert(1)</script>", 1))
        html = viewer.get(reverse(PAGE)).content.decode()
        assert "<script>alert" not in html and "&lt;script&gt;alert(1)" in html

    def test_a_column_for_each_day_and_no_style(self, viewer, action, monkeypatch):
        """The policy on content would drop a style. Two days without a run keep their place."""
        add_run(action)
        with monkeypatch.context() as earlier:
            past = timezone.now() - datetime.timedelta(days=3)
            earlier.setattr(timezone, "now", lambda: past)
            add_run(action)
        response = viewer.get(reverse(PAGE))
        html = response.content.decode().split('id="content-main"')[1]
        assert html.count("<rect") == 2 + 3 and "style" not in html  # two columns and the key
        assert response.context["chart"].width == 4 * 12

    def test_the_way_there(self, viewer):
        for page in ("admin:index", "admin:judge_checkrun_changelist"):
            assert reverse(PAGE) in viewer.get(reverse(page)).content.decode()

    def test_without_the_right_there_is_none(self, client):
        client.force_login(factories.make_staff())
        assert client.get(reverse(PAGE)).status_code == 403
        assert reverse(PAGE) not in client.get(reverse("admin:index")).content.decode()

    @pytest.mark.parametrize("method", ["post", "put", "delete"])
    def test_it_takes_nothing(self, viewer, method):
        assert getattr(viewer, method)(reverse(PAGE)).status_code == 405


def test_what_was_asked_and_answered_is_not_read(viewer, action):
    add_run(action, "failed", rows=[("not_met", {})])
    with CaptureQueriesContext(connection) as queries:
        viewer.get(reverse(PAGE))
    asked = [query["sql"] for query in queries if "judge_" in query["sql"]]
    assert len(asked) == 6
    for column in ("request", "replies", "evidence", "summary"):
        assert not any(f'"{column}"' in sql or f".{column}" in sql for sql in asked)
