"""What code finds in a proposal, each beside a benign twin in which nothing is found."""

import datetime

import pytest

from plans.making.code_checks import find_blockers, find_faults
from plans.making.offline_planner import propose_by_rules
from plans.making.review import Criterion
from tests.plans.making.proposals import (
    TODAY,
    change,
    make_brief,
    make_data,
    make_proposal,
    make_task,
    plant_three_faults,
)

ROW = "weeks.0.tasks.0.requirements.0.title"
DESCRIPTION = "weeks.0.tasks.0.description"
# code, path, faulty value, benign value
TWINS = [
    ("too_many_hours", "weeks.1.tasks.0.hours", 7, 6),
    ("number_of_weeks", "weeks", make_data()["weeks"][:1], make_data()["weeks"]),
    ("week_without_task", "weeks.1.tasks", [], [make_task("t9", "Draw", "A drawing is shown")]),
    ("task_without_requirement", "weeks.0.tasks.0.requirements", [],
     [{"title": "A list is pasted", "evidenceKind": "shown"}]),
    ("unknown_task", "weeks.1.tasks.0.dependsOn", ["t7"], ["t1", "t2"]),
    ("later_task", "weeks.0.tasks.0.dependsOn", ["t3"], []),
    ("later_task", "weeks.0.tasks.1.dependsOn", ["t2"], ["t1"]),
    ("key_twice", "weeks.1.tasks.0.key", "t2", "t4"),
    ("task_title_twice", "weeks.1.tasks.0.title", "LIST the items", "List the members"),
    ("requirement_twice", "weeks.0.tasks.0.requirements",
     [{"title": "A list", "evidenceKind": "shown"}, {"title": "A LIST", "evidenceKind": "written"}],
     [{"title": "A list", "evidenceKind": "shown"}, {"title": "A map", "evidenceKind": "shown"}]),
    ("not_observable", ROW, "You understand how tables work",
     "You explain in two sentences how tables work"),
    ("not_observable", ROW, "The student is familiar with forms",
     "The form greets students who are familiar with it"),
    ("not_observable", ROW, "You know how lists are made",
     "You know how lists are made and explain it in a message"),
    ("not_observable", ROW, "Learn about sorting", "The page “Learn about sorting” is visible"),
    ("not_observable", ROW, "Feel confident in the terminal", "The terminal lists 3 files"),
    ("platform_words", ROW, "Run the completion check", "The check-out form is visible"),
    ("platform_words", ROW, "Tap “Mark complete”", "A tap on a to-do marks it complete"),
    ("platform_words", ROW, "Submit your table in this app", "The form submits to the app's table"),
    ("platform_words", ROW, "Upload your photo to the learning platform",
     "Users can upload a photo to the app"),
    ("platform_words", ROW, "You submitted the finished app to Elivio",
     "A user can submit an order through the app"),
    ("platform_words", ROW, "You hand in the page through the course portal",
     "Members hand in their orders through the portal of the shop"),
    ("platform_words", DESCRIPTION, "Write it down. Then post your answer on the platform.",
     "Write it down. Then members post an answer on the platform."),
    ("platform_words", DESCRIPTION, "When the table is done, upload it here.",
     "The button says “Upload it here”."),
    ("platform_words", ROW, "You have uploaded your sketch to this site",
     "Visitors have uploaded a sketch to this site"),
    ("platform_words", DESCRIPTION, "When you are done, mark this task as complete.",
     "Users mark a task as complete by a tap."),
    ("platform_words", DESCRIPTION, "Ask the copilot whether it is right.",
     "Ask the co-owner of the shop whether it is right."),
    ("platform_words", "weeks.0.description", "At the end, share your screen.",
     "At the end there is a shared table on the screen."),
]  # fmt: skip


def codes(data, **changes):
    return [found.code for found in find_faults(make_proposal(data), make_brief(**changes))]


def test_nothing_is_found_in_a_good_plan():
    assert codes(make_data()) == []


@pytest.mark.parametrize(("code", "path", "faulty", "benign"), TWINS)
def test_a_fault_is_found_and_its_benign_twin_is_not(code, path, faulty, benign):
    assert code in codes(change(make_data(), path, faulty))
    assert codes(change(make_data(), path, benign)) == []


PLACES = ["this app", "the platform", "the course portal", "this site"]


@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_the_student_is_building_is_not_this_one(place):
    """“Upload it to the app” is work on the project where the project is an app."""
    data = change(make_data(), ROW, f"You upload a photo to {place}")
    noun = place.rsplit(" ", 1)[1]
    own = f"A small {noun} on which our club keeps its photos, with a form to add one."
    assert "platform_words" in codes(data)
    assert codes(data, description=own) == []
    assert codes(data, description=own.replace(f" {noun} ", f" {noun}s ")) == []


def test_a_name_that_can_only_be_ours_is_found_in_any_project():
    data = change(make_data(), ROW, "You submit a photo to Elivio")
    assert "platform_words" in codes(data, description="A small app, a platform and a site.")


def test_hours_may_be_a_little_over():
    assert codes(change(make_data(), "weeks.1.tasks.0.hours", 11), hours_per_week=10) == []
    assert codes(change(make_data(), "weeks.1.tasks.0.hours", 12), hours_per_week=10) == [
        "too_many_hours"
    ]


def test_the_target_date_holds_for_weeks_that_are_added():
    day = TODAY + datetime.timedelta(days=6)
    assert codes(make_data(), target_date=day) == ["after_target_date"]
    assert codes(make_data(), target_date=day + datetime.timedelta(days=1)) == []


def test_the_three_planted_faults_are_named_where_they_stand():
    found = find_faults(make_proposal(plant_three_faults()), make_brief())
    assert {(one.criterion, one.week, one.task, one.requirement) for one in found} == {
        (Criterion.CHECKABLE, 1, 1, 1),
        (Criterion.PLATFORM, 1, 2, 1),
        (Criterion.LOAD, 1, None, None),
    }


def test_only_what_a_plan_cannot_be_without_blocks():
    assert find_blockers(make_proposal(plant_three_faults())) == []
    empty = change(make_data(), "weeks.0.tasks.0.requirements", [])
    assert [one.code for one in find_blockers(make_proposal(empty))] == ["task_without_requirement"]


@pytest.mark.parametrize("weeks", [1, 2, 3, 26])
@pytest.mark.parametrize("hours", [1, 2, 5, 60])
@pytest.mark.parametrize("level", ["beginner", "experienced"])
def test_the_offline_plan_passes_its_own_checks(weeks, hours, level):
    asked = make_brief(weeks=weeks, hours_per_week=hours, level=level)
    proposal = make_proposal(propose_by_rules(asked))
    assert find_faults(proposal, asked) == []
    assert find_blockers(proposal) == []


@pytest.mark.parametrize("text", ['""""""""""""""""""""x', "x" * 4000, "é. " * 100])
def test_the_offline_plan_takes_any_description(text):
    make_proposal(propose_by_rules(make_brief(description=text)))


def test_the_offline_plan_quotes_the_students_names():
    proposal = make_proposal(propose_by_rules(make_brief()))
    last = proposal.weeks[-1].tasks[-1]
    assert any("“Borrow an item”" in row.title for row in last.requirements)


def test_a_long_first_sentence_is_cut_at_a_word_and_ends_in_no_comma():
    text = f"A page for our library that lists which of the games can be borrowed, {'x' * 60}"
    title = propose_by_rules(make_brief(description=text))["title"]
    assert title == "A page for our library that lists which of the games can be borrowed"
