"""The demo data: believable, made through the use cases by plain rules, and never made twice."""

import datetime

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from elivio.demo import PASSWORD, STAFF, STUDENT
from elivio.demo.plan import PLAN
from elivio.demo.seed import get_or_make_plan, get_or_make_user
from elivio.demo.work import TURNS
from judge.evidence import Evidence, Row, Task, Turn
from judge.models import CheckRun
from judge.rules import answer_by_rules
from plans.models import Action, Completion, EvidenceKind, How, Plan, Requirement, Status
from plans.status import change_own_status
from sessions import chat, lifecycle, transcript
from sessions.completion import complete_session
from sessions.models import CopilotSession, MemorySummary, ProgressReport
from tests.fakes.gemini import FakeGemini

pytestmark = pytest.mark.django_db(transaction=True)  # a model is asked outside transactions only
TASKS = [task for week in PLAN.weeks for task in week.tasks]


@pytest.fixture
def debug(settings):
    settings.DEBUG, settings.GEMINI_API_KEY = True, ""
    return settings


@pytest.fixture
def seeded(debug):
    seed()


def seed():
    call_command("seed_demo", verbosity=0)


def read_everything():
    """A digest of every row of every table, by table."""
    digests = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            rows = f'SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) FROM "{table}" t'
            cursor.execute(rows)
            digests[table] = cursor.fetchone()[0]
    return digests


def get_action(title):
    return Action.objects.select_related("week__plan__owner").get(title=title)


def test_never_outside_debug(settings):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="only while DEBUG is on"):
        seed()
    assert not User.objects.exists()


def test_who_can_sign_in(seeded):
    student = authenticate(username=STUDENT, password=PASSWORD)
    assert (student.email, student.is_staff, student.is_superuser) == (STUDENT, False, False)
    staff = authenticate(username=STAFF, password=PASSWORD)
    assert (staff.is_staff, staff.is_superuser) == (True, True)
    assert {user.get_full_name() for user in User.objects.all()} == {""}


def test_the_plan(seeded):
    plan = Plan.objects.get()
    assert plan.owner.username == STUDENT
    assert plan.weeks.count() == 4
    assert plan.target_date - datetime.date.today() <= datetime.timedelta(weeks=4)
    counts = [action.requirements.count() for action in Action.objects.all()]
    assert len(counts) >= 12
    assert 1 <= min(counts) <= max(counts) <= 4
    assert set(Requirement.objects.values_list("evidence_kind", flat=True)) == set(
        EvidenceKind.values
    )


def test_done_both_ways_and_says_that_rules_judged(seeded):
    completions = Completion.objects.all()
    checked = [row for row in completions if row.how == How.CHECKED]
    assert len(checked) == 4
    assert len(completions) == 5
    assert all(row.by_rules and not row.audit_missing for row in checked)
    assert [bool(week.completed_at) for week in Plan.objects.get().weeks.all()] == [
        True,
        False,
        False,
        False,
    ]


def test_one_task_is_begun_and_one_spelling_short(seeded):
    action = Action.objects.get(status=Status.IN_PROGRESS)
    run = CheckRun.objects.get(action=action)
    assert (run.outcome, run.judge_kind) == (CheckRun.Outcome.FAILED, "rules")
    assert {row["status"] for row in run.checklist} == {"met", "not_shown"}
    assert CopilotSession.objects.open().get().action == action


def test_what_follows_is_done_too(seeded):
    assert MemorySummary.objects.count() == 4
    report = ProgressReport.objects.get().content
    assert (len(report["done"]), len(report["open"])) == (5, len(TASKS) - 5)


def test_again_changes_nothing(seeded):
    before = read_everything()
    seed()
    assert read_everything() == before


def test_control_the_digest_sees_one_changed_letter(seeded):
    before = read_everything()
    Plan.objects.update(goal="Another goal")
    after = read_everything()
    assert [table for table in after if after[table] != before[table]] == ["plans_plan"]


def test_again_after_the_student_has_gone_on(seeded):
    student, staff = User.objects.get(username=STUDENT), User.objects.get(username=STAFF)
    change_own_status(
        get_action("Ask the committee for a cupboard key"), Status.NOT_STARTED, by=student
    )
    get_action("Write the borrowing rules").reopen(by=staff, reason="The rules have changed.")
    begun = CopilotSession.objects.open().get()
    transcript.add_student_turn(begun.pk, "I renamed the calendar.", "demo-1-mine")
    lifecycle.end_session(begun, CopilotSession.EndReason.STUDENT)
    lifecycle.open_session(get_action("Label the shelves"), student)
    Action.objects.filter(title="Write the reminder message").update(title="Write a reminder")
    User.objects.filter(pk=student.pk).update(first_name="Changed")
    before = read_everything()
    seed()
    assert read_everything() == before


def test_a_run_that_was_cut_short_is_finished(debug):
    student = get_or_make_user(STUDENT)
    get_or_make_plan(student)
    opened = lifecycle.open_session(get_action("List the equipment in one table"), student)
    transcript.add_student_turn(opened.pk, TURNS["list-items"][0], "demo-1")
    seed()
    assert Completion.objects.count() == 5
    assert opened.turns.filter(role="student").count() == len(TURNS["list-items"])
    assert User.objects.filter(username=STAFF).exists()


def test_rules_judge_also_when_a_model_is_set_up(debug):
    with FakeGemini() as fake:
        debug.GEMINI_API_KEY, debug.GEMINI_BASE_URL = "a-key", fake.url
        debug.MODELS = {
            role: {"name": "gemini-test", "class": "no.such.ChatModel", "args": {}}
            for role in debug.MODELS
        }
        seed()
        assert fake.calls == 0
        assert set(CheckRun.objects.values_list("judge_kind", flat=True)) == {"rules"}
        # Control: afterwards the model is asked again.
        begun = CopilotSession.objects.open().get()
        complete_session(chat.get_session(User.objects.get(username=STUDENT), begun.pk))
        assert debug.MODELS["copilot"]["class"] == "no.such.ChatModel"
        assert fake.calls >= 1


@pytest.mark.parametrize("task", TASKS, ids=[task.key for task in TASKS])
def test_plain_rules_can_pass_every_row(task):
    """A row made of nothing but small words could never be met by them."""
    for title, kind in task.rows:
        row = Row("r1", None, title, kind, "plan")
        of_task = Task(None, 1, task.title, "", 1, "", "", (row,))
        now = datetime.datetime.now(tz=datetime.UTC)
        work = Turn(1, "student", f"{title}\nThe second line of what I pasted.", now)
        bare = Turn(1, "student", "I did it.\nAll of it.", now)
        assert answer_by_rules(Evidence(of_task, (work,)))["allMet"], title
        assert not answer_by_rules(Evidence(of_task, (bare,)))["allMet"], title


def test_values_stand_in_the_description_too():
    """A named value is part of the task's text, exactly, and not only of a requirement."""
    for task in TASKS:
        for title, _ in task.rows:
            values = [part.split("”")[0] for part in title.split("“")[1:]]
            assert all(f"“{value}”" in task.description for value in values), task.key
