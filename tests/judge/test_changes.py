"""A tap that differs from the check before it: which rows changed, and why that can be."""

import dataclasses
import datetime

import pytest

from judge.appeals import report_check
from judge.card import card_from_result, latest_card
from judge.decisions import decide_row
from judge.evidence import Evidence, read_task
from judge.models import CheckRun
from judge.run import run_judge
from judge.sentences import READ_AGAIN, UNPROVEN, WHY_CHANGED
from plans.models import Action
from tests import factories
from tests.fakes import replies
from tests.finishing import finish
from tests.judge.evidence import make_frame, make_turns

pytestmark = pytest.mark.django_db(transaction=True)
TURNS = make_turns(("student", "own words"), ("student", "more words"))
TITLES = ("Name the risks", "Show the count", "Say what is next")


@pytest.fixture
def action():
    plan = factories.make_plan(factories.make_student())
    rows = [(title, "either") for title in TITLES]
    return factories.make_action(plan, requirements=rows)


def says(*statuses, cited=None):
    """An answer whose met rows cite this: a turn with a quote, or a frame."""
    cited = cited or {"turn": 1, "quote": "own words"}
    rows = [
        {
            "id": f"r{number}",
            "evidence": [cited] if status == "met" else [],
            "note": "A note.",
            "status": status,
        }
        for number, status in enumerate(statuses, start=1)
    ]
    return replies.json({"rows": rows, "allMet": all(each == "met" for each in statuses)})


@pytest.fixture
def judge(action, gemini):
    def run(answer, trigger="tap", turns=TURNS, **more):
        gemini.enqueue(answer)
        evidence = Evidence(read_task(action.pk), turns, **more)
        student_id = action.week.plan.owner_id
        return card_from_result(run_judge(evidence, trigger=trigger, student_id=student_id))

    return run


def changed_rows(card):
    return {row.title: row.was for row in card.requirements if row.was}


def test_a_changed_row_is_named_with_what_it_was(action, judge):
    judge(says("met", "met", "met"), "check")
    card = judge(says("met", "not_shown", "met"))
    assert changed_rows(card) == {"Show the count": "met"} and card.is_changed
    assert "“Show the count” was met and is not shown now." in card.summary
    assert READ_AGAIN in card.summary and "contest the row" in card.summary
    assert card == latest_card(action.pk), "fresh and stored are the same"


def test_the_other_way_and_several_rows(judge):
    judge(says("not_met", "met", "not_shown"), "check")
    card = judge(says("met", "not_met", "not_met"))
    assert changed_rows(card) == {"Name the risks": "not_met", "Show the count": "met"}
    assert "“Name the risks” was not met and is met now." in card.summary
    assert card.summary.count(READ_AGAIN) == 1


@pytest.mark.parametrize(
    ("before", "trigger", "after"),
    [
        pytest.param(("met", "not_met", "met"), "tap", ("met", "not_met", "met"), id="the same"),
        pytest.param(("met", "not_met", "met"), "tap", ("met", "not_shown", "met"), id="unmet"),
        pytest.param(("met", "met", "met"), "check", ("met", "not_met", "met"), id="no tap"),
        pytest.param(("not_met", "met", "met"), "tap", ("met", "met", "met"), id="passed"),
        pytest.param(None, "tap", ("met", "not_met", "met"), id="nothing before"),
    ],
)
def test_nothing_is_said(judge, before, trigger, after):
    if before:
        judge(says(*before), "check")
    card = judge(says(*after), trigger)
    assert not card.is_changed and " now." not in card.summary


def test_an_undecided_tap_says_nothing_of_changes(judge):
    judge(says("met", "met", "met"), "check")
    card = judge(replies.blocked())
    assert card.outcome == "undecided" and not card.is_changed and " now." not in card.summary


def test_an_undecided_check_is_passed_over(judge):
    judge(says("met", "met", "met"), "check")
    assert judge(replies.blocked(), "check").outcome == "undecided"
    assert judge(says("met", "not_met", "met")).is_changed


def test_after_a_change_of_the_task_nothing_is_compared(action, judge):
    judge(says("met", "met", "met"), "check")
    Action.objects.filter(pk=action.pk).update(description="Now something else.")
    assert not judge(says("met", "not_met", "met")).is_changed


def test_a_citation_that_does_not_hold_is_the_reason(judge, gemini):
    judge(says("met", "met", "met"), "check", frames=(make_frame(1),))
    claims = says("met", "met", "met", cited={"frame": 1})
    gemini.enqueue(claims)
    card = judge(claims, frames=(make_frame(1, age=700),))
    assert UNPROVEN["old_frame"] in card.summary and READ_AGAIN not in card.summary


def test_a_message_that_was_left_out_is_the_reason(judge):
    judge(says("met", "met", "met"), "check")
    kept = says("not_shown", "met", "met", cited={"turn": 2, "quote": "more words"})
    card = judge(kept, turns=TURNS[1:], omitted=1)
    assert WHY_CHANGED["turn_left_out"] in card.summary and READ_AGAIN not in card.summary


@pytest.mark.parametrize(
    ("frames", "is_gone"),
    [
        pytest.param((), True, id="not there"),
        pytest.param((make_frame(1, age=700),), True, id="too old"),
        pytest.param((make_frame(2), make_frame(1, age=20)), False, id="still there"),
    ],
)
def test_a_picture_that_is_gone_is_the_reason(judge, frames, is_gone):
    shown = dataclasses.replace(make_frame(1), data=b"the count")
    judge(says("met", "met", "met", cited={"frame": 1}), "check", frames=(shown,))
    again = tuple(
        dataclasses.replace(each, data=b"the count") if each.number == 1 else each
        for each in frames
    )
    card = judge(says("not_shown", "met", "met"), frames=again)
    assert (WHY_CHANGED["frame_gone"] in card.summary) is is_gone
    assert (READ_AGAIN in card.summary) is not is_gone


@pytest.fixture
def decide(action):
    staff = factories.make_staff()

    def decide(card, place, is_met):
        row = action.requirements.order_by("position")[place]
        appeal = report_check(card.id, by=action.week.plan.owner, requirement_id=row.pk)
        decide_row(appeal, row.pk, by=staff, is_met=is_met, reason="I looked.")

    return decide


def test_a_row_that_a_person_decided_meanwhile_is_no_change_of_the_judges(judge, decide):
    decide(judge(says("not_met", "met", "met"), "check"), 0, is_met=True)
    card = judge(says("not_met", "not_met", "met"))
    assert changed_rows(card) == {"Show the count": "met"}
    assert "Name the risks" not in card.summary


def test_a_decision_that_no_longer_stands_is_the_reason(action, judge, decide):
    decide(judge(says("not_met", "met", "met"), "check"), 0, is_met=True)
    assert judge(says("not_met", "met", "met")).all_met
    finish(action)
    action.refresh_from_db()
    action.reopen(by=factories.make_staff(), reason="The decision was a mistake.")
    card = judge(says("not_met", "met", "met"))
    assert changed_rows(card) == {"Name the risks": "met"}
    assert WHY_CHANGED["decision_ended"] in card.summary and READ_AGAIN not in card.summary


def test_only_those_started_before_count(action, judge):
    """A check written before this tap, and started after it, is not the check before it."""
    card = judge(says("met", "met", "met"), "check")
    run = CheckRun.objects.get(pk=card.id)
    values = {
        field.attname: getattr(run, field.attname)
        for field in CheckRun._meta.fields
        if not field.primary_key
    }
    later = run.started_at + datetime.timedelta(hours=1)
    rows = [{**row, "status": "not_met"} for row in run.checklist]
    CheckRun.objects.create(
        **values | {"started_at": later, "checklist": rows, "outcome": "failed"}
    )
    assert changed_rows(judge(says("met", "not_met", "met"))) == {"Show the count": "met"}


def test_which_messages_were_not_looked_at(judge):
    pinned = dataclasses.replace(TURNS[0], is_pinned=True)
    rest = make_turns(("student", "x"), ("copilot", "What next?"))[1:]
    card = judge(says("met", "not_met", "met"), turns=(pinned, *rest), omitted=3)
    assert "The oldest 3 messages were not looked at, those before the copilot's “What next”." in (
        card.summary
    )
    assert "mark it as your work" in card.summary
    card = judge(says("met", "not_met", "met"), omitted=1)
    assert "not looked at, the one before your “own words”." in card.summary
