"""Two faults that a judge once had, replayed against the real model.

One was too strict: a step of the platform stood between a finished task and its completion. One
was too lenient: a wrong name counted because the copilot had let it pass.
"""

import pytest

from judge.evaluation.case_evidence import make_evidence
from judge.evaluation.cases import Case, CaseRow, CaseTurn, CaseWeek
from judge.evaluation.run import Answer, ask_judge

pytestmark = pytest.mark.live

ONLY_A_PLATFORM_STEP_IS_LEFT = Case(
    id="only-a-platform-step-is-left",
    source="own",
    licence="as the project",
    task_title="Talk to three people who would use the repair café",
    task_description=(
        "Ask three people in your street what they would bring to a repair café. Write down what "
        "each of them said, and name the one thing that surprised you."
    ),
    week=CaseWeek(1, "Find out who it is for", "Listen before you plan anything."),
    transcript=(
        CaseTurn("copilot", "Whom did you ask, and what did they say?"),
        CaseTurn(
            "student",
            "I asked three people. Mrs. Okafor would bring her sewing machine, the needle sticks. "
            "Jonas has a bicycle lamp with a loose contact. Mr. Petrov would bring a radio from "
            "1968 that only hums.",
        ),
        CaseTurn("copilot", "How deep did you go? What else did you notice, any other examples?"),
        CaseTurn(
            "student",
            "What surprised me: nobody named a phone. All three would bring something older than "
            "I am.",
        ),
        CaseTurn(
            "copilot",
            "That is a fine observation. Run the completion check now, then tap Mark complete.",
        ),
        CaseTurn("student", "I ran it. The button does nothing."),
    ),
    requirements=(
        CaseRow("Says what three people would bring to a repair café", True, "r1", "written"),
        CaseRow("Names one thing that surprised you", True, "r2", "written"),
    ),
)

ANOTHER_NAME_WAS_LET_PASS = Case(
    id="another-name-was-let-pass",
    source="own",
    licence="as the project",
    task_title="Give the shared folder its roles",
    task_description=(
        "Set up the role field of the shared folder so that people choose between exactly two "
        "roles, “Owner” and “Contributor”, spelled this way."
    ),
    week=CaseWeek(2, "Work together", "Decide who may do what."),
    transcript=(
        CaseTurn("copilot", "Set up the role field, then paste what it offers."),
        CaseTurn(
            "student",
            "Here is what the field offers now:\n\nRole: (choose one)\n- Owner\n- Prompt",
        ),
        CaseTurn("copilot", "OK, Owner and Prompt. Two roles, that works. We are done here."),
        CaseTurn("student", "Good, so the roles are set up."),
    ),
    requirements=(
        CaseRow(
            "The role field offers exactly the two roles “Owner” and “Contributor”",
            False,
            "r1",
            "shown",
        ),
    ),
)


def judge(case: Case) -> Answer:
    answer = ask_judge(make_evidence(case))
    assert answer.verdict, f"The judge came to no verdict: {answer.reason}."
    return answer


def test_nothing_but_a_platform_step_left_is_done(real_model: None) -> None:
    answer = judge(ONLY_A_PLATFORM_STEP_IS_LEFT)
    rows = [(row.status, row.note) for row in answer.verdict.rows]
    assert answer.verdict.outcome == "passed", rows
    assert not any("button" in note.lower() for _, note in rows)


def test_a_name_that_the_task_does_not_have_is_not_done(real_model: None) -> None:
    answer = judge(ANOTHER_NAME_WAS_LET_PASS)
    rows = [(row.status, row.note) for row in answer.verdict.rows]
    assert answer.verdict.outcome == "failed", rows
