"""Staff's decisions: they lift a row at one spec version, at the student's own tap, and say so."""

import pytest
from django.db import IntegrityError, transaction

from judge.appeals import report_check
from judge.decisions import DecisionRefused, decide_row
from judge.evidence import Evidence, read_task
from judge.models import AppealFrame, CheckRun, RowDecision
from judge.run import run_judge
from plans.models import Action
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.judge.evidence import NOW, make_turns

pytestmark = pytest.mark.django_db(transaction=True)
TURNS = make_turns(("student", "own words"))
UNMET = replies.json(answer("met", "not_shown", text="own words"))


@pytest.fixture
def action(gemini):
    gemini.respond = lambda request: UNMET
    plan = factories.make_plan(factories.make_student())
    return factories.make_action(plan, requirements=[("First", "written"), ("Second", "written")])


@pytest.fixture
def staff():
    return factories.make_staff()


def judge(action):
    evidence = Evidence(read_task(action.pk), TURNS)
    return run_judge(evidence, trigger="check", student_id=action.week.plan.owner_id)


def contest(action, place=1):
    row = action.requirements.order_by("position")[place]
    run_id = judge(action).id
    appeal = report_check(run_id, by=action.week.plan.owner, requirement_id=row.pk)
    return appeal, row


def test_an_upheld_row_passes_at_the_next_check_and_says_so(action, staff):
    appeal, row = contest(action)
    decision = decide_row(appeal, row.pk, by=staff, is_met=True, reason="It stands there.")
    action.refresh_from_db()
    assert action.status == "not_started", "a decision completes nothing"
    result = judge(action)
    assert result.outcome == "passed"
    action.update_status(
        "completed", by=action.week.plan.owner, confirmed=True, check=result.as_passed_check()
    )
    stored = action.current_completion.checklist
    assert [row.get("decision") for row in stored] == [None, str(decision.pk)]
    assert (stored[1]["status"], stored[1]["judged"]) == ("met", "not_shown")
    assert action.current_completion.staff_rows == 1
    assert CheckRun.objects.latest("created_at").checklist[1]["judged"] == "not_shown"
    assert decision.judged_status == "not_shown"


def test_a_refused_row_stays_unmet(action, staff):
    appeal, row = contest(action)
    decide_row(appeal, row.pk, by=staff, is_met=False, reason="It does not stand there.")
    assert judge(action).outcome == "failed"


def test_a_decision_ends_with_the_spec_version(action, staff):
    appeal, row = contest(action)
    decide_row(appeal, row.pk, by=staff, is_met=True, reason="It stands there.")
    Action.objects.filter(pk=action.pk).update(description="Now something else.")
    assert judge(action).outcome == "failed"


def test_a_decision_lifts_no_other_row_and_no_other_task(action, staff):
    appeal, _ = contest(action)
    first = action.requirements.order_by("position")[0]
    decide_row(appeal, first.pk, by=staff, is_met=True, reason="It stands there.")
    assert judge(action).outcome == "failed"


def test_undecided_stays_undecided(action, staff, gemini):
    appeal, row = contest(action)
    decide_row(appeal, row.pk, by=staff, is_met=True, reason="It stands there.")
    gemini.respond = lambda request: replies.blocked()
    assert judge(action).outcome == "undecided"


def test_what_is_refused(action, staff):
    appeal, row = contest(action)
    student = action.week.plan.owner
    for by, key, reason in (
        (student, row.pk, "It stands there."),
        (staff, action.pk, "It stands there."),
        (staff, row.pk, "  "),
    ):
        with pytest.raises(DecisionRefused):
            decide_row(appeal, key, by=by, is_met=True, reason=reason)
    decide_row(appeal, row.pk, by=staff, is_met=False, reason="No.")
    with pytest.raises(DecisionRefused):
        decide_row(appeal, row.pk, by=staff, is_met=True, reason="On second thought.")


def test_nobody_decides_their_own_appeal(action):
    appeal, row = contest(action)
    student = action.week.plan.owner
    student.is_staff = True
    student.save()
    with pytest.raises(DecisionRefused, match="your own"):
        decide_row(appeal, row.pk, by=student, is_met=True, reason="It stands there.")


def test_a_decision_is_a_fact(action, staff):
    appeal, row = contest(action)
    decide_row(appeal, row.pk, by=staff, is_met=False, reason="No.")
    for change in (
        lambda: RowDecision.objects.update(is_met=True),
        lambda: RowDecision.objects.all()._raw_delete(using="default"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_pictures_go_with_the_last_decision(action, staff, gemini):
    gemini.enqueue(replies.json(answer("not_met", "not_shown", text="own words")))
    appeal = report_check(judge(action).id, by=action.week.plan.owner)
    AppealFrame.objects.create(appeal=appeal, jpeg=b"jpeg", taken_at=NOW)
    first, second = action.requirements.order_by("position")
    decide_row(appeal, first.pk, by=staff, is_met=True, reason="Yes.")
    assert AppealFrame.objects.exists()
    decide_row(appeal, second.pk, by=staff, is_met=True, reason="Yes.")
    assert not AppealFrame.objects.exists()
    appeal.refresh_from_db()
    assert appeal.decided_at


def test_of_a_whole_check_the_rows_that_are_not_met_are_enough(action, staff):
    appeal = report_check(judge(action).id, by=action.week.plan.owner)
    first, second = action.requirements.order_by("position")
    decide_row(appeal, second.pk, by=staff, is_met=True, reason="It stands there.")
    appeal.refresh_from_db()
    assert appeal.decided_at
    decide_row(appeal, first.pk, by=staff, is_met=False, reason="It does not.")
    assert appeal.decisions.count() == 2, "a row that the judge called met may be decided too"


def test_the_evidence_is_kept_for_replay(action):
    judge(action)
    kept = CheckRun.objects.get().evidence
    assert kept["turns"][0]["text"] == "own words"
    assert [row["key"] for row in kept["task"]["rows"]] == ["r1", "r2"]


def complete(action):
    result = judge(action)
    student = action.week.plan.owner
    action.update_status("completed", by=student, confirmed=True, check=result.as_passed_check())


def test_a_decision_ends_when_staff_reopen_the_task(action, staff):
    appeal, row = contest(action)
    decide_row(appeal, row.pk, by=staff, is_met=True, reason="It stands there.")
    complete(action)
    action.reopen(by=staff, reason="The decision was a mistake.")
    assert judge(action).outcome == "failed"
    appeal, row = contest(action)
    decide_row(appeal, row.pk, by=staff, is_met=True, reason="Now it stands there.")
    assert judge(action).outcome == "passed", "a newer decision counts"


def test_a_decision_outlives_the_students_own_report(action, staff):
    """Reported and taken back by the student: nobody has found the decision wrong."""
    appeal, row = contest(action)
    decide_row(appeal, row.pk, by=staff, is_met=True, reason="It stands there.")
    student = action.week.plan.owner
    action.update_status("completed", by=student, confirmed=True)
    action.reopen(by=student)
    assert judge(action).outcome == "passed"
