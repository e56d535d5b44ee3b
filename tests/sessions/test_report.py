"""The progress report: what it says, and that the last refresh is the one that has read last."""

import datetime
import threading
from collections.abc import Callable

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from plans.models import Action, Plan, Status
from plans.status import self_report
from sessions import report
from sessions.completion import complete_session
from sessions.lifecycle import open_session
from sessions.models import CopilotSession, ProgressReport
from sessions.report import read_report, refresh_report
from sessions.transcript import add_student_turn
from tests import factories
from tests.locks import is_somebody_waiting, wait_until
from tests.sessions.together import run_together


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def plan(student):
    return factories.make_plan(student, weeks=("Begin", "Go on"))


def read_content(plan: Plan) -> dict:
    refresh_report(plan.pk)
    return ProgressReport.objects.get(plan=plan).content


@pytest.mark.django_db(transaction=True)
def test_it_says_what_was_done_and_how(plan, student, gemini):
    first, second = plan.weeks.order_by("number")
    checked = factories.make_action(first, "Ask riders", requirements=[("Ask riders", "either")])
    reported = factories.make_action(first, "Read a book")
    working = factories.make_action(second, "Build a map")
    factories.make_action(second, "Show the map")
    factories.make_action(second, "Dropped", archived_at=timezone.now())
    session = open_session(checked, student)
    add_student_turn(session.pk, "I did ask riders.", None)
    assert complete_session(session).completed
    self_report(reported, by=student)
    working.update_status(Status.IN_PROGRESS, by=student)
    content = read_content(plan)
    assert [row.pop("at")[:4] for row in content["done"]] == [str(timezone.now().year)] * 2
    assert content == {
        "done": [
            {
                "title": "Ask riders",
                "week": 1,
                "how": "checked",
                "byRules": False,
                "decided": "",
            },
            {
                "title": "Read a book",
                "week": 1,
                "how": "self_reported",
                "byRules": False,
                "decided": "",
            },
        ],
        "open": [
            {"title": "Build a map", "week": 2, "status": "in_progress"},
            {"title": "Show the map", "week": 2, "status": "not_started"},
        ],
    }


@pytest.mark.django_db(transaction=True)
def test_a_completion_by_plain_rules_says_so(plan, student, rules):
    action = factories.make_action(plan, requirements=[("Name two risks", "written")])
    session = open_session(action, student)
    add_student_turn(session.pk, "I name two risks: rain and theft.", None)
    assert complete_session(session).completed
    assert [(row["how"], row["byRules"]) for row in read_content(plan)["done"]] == [
        ("checked", True)
    ]


@pytest.mark.django_db
class TestContent:
    def test_what_is_taken_back_is_open_again(self, plan, student):
        action = factories.make_action(plan)
        self_report(action, by=student)
        assert len(read_content(plan)["done"]) == 1
        action.reopen(by=student)
        content = read_content(plan)
        assert (content["done"], content["open"][0]["status"]) == ([], Status.IN_PROGRESS)

    def test_last_worked_on_is_the_newest_of_sessions_and_completions(self, plan, student):
        assert read_report(plan).last_worked_at is None
        session = open_session(factories.make_action(plan), student)
        refresh_report(plan.pk)
        assert read_report(plan).last_worked_at == session.last_active_at
        later = timezone.now() + datetime.timedelta(hours=1)
        CopilotSession.objects.update(last_active_at=later)
        completion = self_report(factories.make_action(plan), by=student)
        refresh_report(plan.pk)
        assert completion.confirmed_at < later == read_report(plan).last_worked_at

    def test_there_is_one_row_a_plan_and_it_is_made_on_first_sight(self, plan):
        assert not ProgressReport.objects.exists()
        assert read_report(plan).content == {"done": [], "open": []}
        refresh_report(plan.pk)
        assert ProgressReport.objects.count() == 1

    def test_another_plan_adds_nothing(self, plan, student):
        other = factories.make_plan(student)
        open_session(factories.make_action(other), student)
        assert read_report(plan).content == {"done": [], "open": []}
        assert read_report(plan).last_worked_at is None

    @pytest.mark.parametrize("count", [1, 30])
    def test_the_number_of_queries_is_the_same_for_one_task_and_for_many(
        self, plan, student, count, django_assert_num_queries
    ):
        for _ in range(count):
            self_report(factories.make_action(plan), by=student)
        read_report(plan)
        # Four of them are savepoints.
        with django_assert_num_queries(9):
            refresh_report(plan.pk)


@pytest.mark.django_db(transaction=True)
class TestTwoRefreshesAtOnce:
    """One refresh reads while the task is open and then lingers; the task is completed; another
    refresh runs. Whichever writes last, the report must say that the task is done."""

    def race(self, plan: Plan, action: Action, student, monkeypatch) -> dict:
        real, has_read, is_over = report._last_worked_at, threading.Event(), threading.Event()

        def linger(*args):
            if not has_read.is_set():
                has_read.set()
                assert wait_until(lambda: is_over.is_set() or is_somebody_waiting())
            return real(*args)

        monkeypatch.setattr(report, "_last_worked_at", linger)
        slow = start(lambda: refresh_report(plan.pk))
        assert has_read.wait(30)
        others = start(
            lambda: (self_report(action, by=student), refresh_report(plan.pk), is_over.set())
        )
        slow.join(30)
        others.join(30)
        return ProgressReport.objects.get(plan=plan).content

    def test_the_report_is_right(self, plan, student, monkeypatch):
        action = factories.make_action(plan)
        assert len(self.race(plan, action, student, monkeypatch)["done"]) == 1

    def test_control_without_the_lock_it_is_stale(self, plan, student, monkeypatch):
        action = factories.make_action(plan)
        monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows.all())
        assert self.race(plan, action, student, monkeypatch)["done"] == []

    def test_eight_first_sights_make_one_row(self, plan):
        reports = run_together(8, lambda _: read_report(plan))
        assert {type(each) for each in reports} == {ProgressReport}
        assert ProgressReport.objects.count() == 1


def start(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=lambda: (work(), connection.close()))
    thread.start()
    return thread
