"""The plain rules, through the same parsing, citation checks and policy as a model's answer."""

import json

import pytest

from judge.answer import parse_answer
from judge.policy import decide
from judge.rules import answer_by_rules
from tests.judge.evidence import make_evidence, make_frame, make_task, make_turns

VALUES = "The roles are named “Owner” and `Contributor`"


def statuses(row, *said, frames=()):
    evidence = make_evidence(make_task(row), make_turns(*said), frames=frames)
    answer = parse_answer(json.dumps(answer_by_rules(evidence)), evidence.task)
    verdict = decide(answer, evidence)
    assert not verdict.mismatch
    return verdict.rows[0].status


@pytest.mark.parametrize(
    "row, text, met",
    [
        ((VALUES, "written"), "My roles are named Owner and Contributor.", True),
        ((VALUES, "written"), "My roles are named Prompt and Contributor.", False),
        ((VALUES, "written"), "My roles are named owner and contributor.", False),
        ((VALUES, "written"), "My roles are named Owners and Contributor.", False),
        ((VALUES, "written"), "Owner Contributor", True),
        (("Describe two risks for riders", "written"), "Two risks for riders: rain, theft.", True),
        (("Describe two risks for riders", "written"), "I am done with it.", False),
        (("Describe two risks for riders", "written"), "riders", False),
        (("Show the count by status", "shown"), "The count by status is right.", False),
        (("Show the count by status", "shown"), "count by status:\nOpen 51\nClosed 12", True),
        (("Show the count by status", "shown"), "count by status:\n\nOpen 51", False),
    ],
)
def test_one_turn(row, text, met):
    assert statuses(row, ("student", text)) == ("met" if met else "not_shown")


def test_no_turns_is_not_met():
    assert statuses((VALUES, "written")) == "not_shown"


def test_the_copilots_words_never_count():
    assert statuses((VALUES, "written"), ("copilot", "Roles named Owner and Contributor")) == (
        "not_shown"
    )


def test_two_turns_do_not_add_up():
    said = [("student", "The roles are named Owner."), ("student", "And Contributor.")]
    assert statuses((VALUES, "written"), *said) == "not_shown"


def test_a_current_frame_shows():
    row, said = ("Show the count by status", "shown"), ("student", "The count by status, see.")
    assert statuses(row, said, frames=(make_frame(1),)) == "met"
    assert statuses(row, said, frames=(make_frame(1, age=601),)) == "not_shown"
    assert statuses(row, said, frames=(make_frame(1, is_black=True),)) == "not_shown"


def test_a_long_line_is_quoted_in_part():
    assert statuses((VALUES, "written"), ("student", "Owner Contributor roles " * 40)) == "met"
