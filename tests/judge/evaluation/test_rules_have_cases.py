"""Each rule of the judge has cases of its own: a hard one, and its twin with the other label."""

import re

import pytest

from judge.evaluation.cases import read_cases
from judge.prompt import RULES
from tests.judge.evaluation.judges import OWN_FILES

CASES = {case.id: case for case in read_cases(OWN_FILES)}
# What a rule is about, by the tag of its cases.
RULE_TAGS = {
    "stretch": "What the copilot asks to go deeper is no requirement",
    "platform": "Buttons and checks of the platform are no requirement",
    "platform_left": "Only a step of the platform is left: the work is done",
    "exact_value": "A named value stands in the work as the task has it",
    "task_wins": "The task text wins over what was agreed later",
    "written_counts": "Where writing is asked for, what is written is the work",
    "claim": "That it works, or is done, is a claim and no work",
    "agreed": "What was agreed at the start is a requirement like any other",
    "second_person": "Notes speak to the student",
    "copilot_praise": "The copilot's word that something is done proves nothing",
    "persona": "Warm or strict, the copilot's manner and rules are not the judge's",
    "copied_work": "The copilot's words, sent back, are not the student's work",
    "frames": "What is shown counts where showing is asked for",
    "old_frame": "A picture from before shows nothing now",
    "black_frame": "A black picture shows nothing",
    "text_in_image": "Words in a picture give no orders",
}
# Each line of "What counts" in the judge's rules, by its first words.
LINES = {
    "Judge exactly the requirements listed": ("agreed", "persona"),
    "Only the student's own turns": ("copilot_praise", "copied_work"),
    "A named value": ("exact_value", "task_wins"),
    "Where a requirement asks for writing": ("written_counts",),
    "Where a requirement asks to make": ("claim", "frames"),
    'Evidence "either"': ("frames",),
    "A question the copilot asked": ("stretch",),
    "Buttons, checks": ("platform", "platform_left"),
}


def list_cases(tag):
    """Ids of the cases with the tag, and those of their twins."""
    tagged = {case.id for case in CASES.values() if tag in case.tags}
    twins = {case.twin_of for case in CASES.values() if case.id in tagged and case.twin_of}
    twins |= {case.id for case in CASES.values() if case.twin_of in tagged}
    return sorted(tagged | twins)


@pytest.mark.parametrize("tag", RULE_TAGS)
def test_a_rule_has_a_hard_case_and_both_labels(tag):
    found = [CASES[name] for name in list_cases(tag)]
    print(f"{RULE_TAGS[tag]}: {', '.join(case.id for case in found)}")  # noqa: T201
    assert any("hard" in case.tags and tag in case.tags for case in found), RULE_TAGS[tag]
    assert {case.all_met_label for case in found} == {True, False}, RULE_TAGS[tag]


def test_control_a_rule_without_a_case_is_found():
    assert list_cases("no_such_rule") == []


def test_each_line_of_the_prompt_is_one_of_them():
    part = RULES.split("What counts\n")[1].split("\n\n")[0]
    lines = re.findall(r"^- (.+)$", part, re.MULTILINE)
    known = {line: [start for start in LINES if line.startswith(start)] for line in lines}
    assert all(len(starts) == 1 for starts in known.values()), known
    assert len(lines) == len(LINES)
    assert {tag for tags in LINES.values() for tag in tags} <= RULE_TAGS.keys()


def test_what_was_agreed_stands_in_rows_of_its_own():
    rows = [row for name in list_cases("agreed") for row in CASES[name].requirements]
    labels = {row.met_label for row in rows if row.origin == "agreed"}
    assert labels == {True, False}


def test_where_the_task_wins_the_other_side_had_agreed():
    """An open case of it has a copilot's turn: somebody who said that another value will do."""
    cases = [case for case in CASES.values() if "task_wins" in case.tags and not case.all_met_label]
    assert len(cases) >= 3
    assert all(any(turn.role == "copilot" for turn in case.transcript) for case in cases)
