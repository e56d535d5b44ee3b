"""Citations are checked in code: word for word, the student's own, from a current picture."""

import pytest

from judge.answer import FrameCitation, QuoteCitation
from judge.citations import find_fault
from tests.judge.evidence import make_evidence, make_frame, make_task, make_turns

LONG = "one two three four five six seven eight nine ten eleven twelve"
TURNS = make_turns(
    ("student", "status | count\nOpen   |  51\nClosed |  12"),
    ("copilot", f"You could write: {LONG} and so on."),
    ("student", f"I wrote: {LONG}. It's “reopened” today."),
    ("tool", "exit code 0"),
)
TASK = make_task(("Written row", "written"), ("Shown row", "shown"), ("Either row", "either"))
WRITTEN, SHOWN, EITHER = TASK.rows


def quote_fault(turn, quote, turns=TURNS):
    return find_fault(QuoteCitation(turn=turn, quote=quote), WRITTEN, make_evidence(TASK, turns))


@pytest.mark.parametrize(
    "turn, quote, fault",
    [
        (1, "Open | 51", ""),
        (1, "Open\n|\t51", ""),
        (1, "open | 51", "quote_not_found"),
        (1, "Open | 5", "quote_not_found"),
        (1, "Open 51", "quote_not_found"),
        (2, "You could write", "not_the_students_turn"),
        (9, "Open", "no_such_turn"),
        (0, "Open", "no_such_turn"),
        (3, "Open | 51", "quote_not_found"),
        (3, 'It\'s "reopened" today', ""),
        (3, "It’s „reopened” today", ""),
        (3, "opened", "quote_not_found"),
        (3, LONG, "copilots_words"),
        (3, LONG.rsplit(" ", 1)[0], "copilots_words"),
        (3, "four five six", "copilots_words"),
        (3, "twelve. It's reopened today", "quote_not_found"),
        (1, " | ", "empty_quote"),
        (1, "\u200b", "empty_quote"),
        (4, "exit code 0", ""),
    ],
)
def test_quotes(turn, quote, fault):
    assert quote_fault(turn, quote) == fault


def test_the_student_said_it_first():
    turns = make_turns(("student", LONG), ("copilot", f"You said: {LONG}"))
    assert quote_fault(1, LONG, turns) == ""


@pytest.mark.parametrize(
    "row, frame, fault",
    [
        (SHOWN, make_frame(1), ""),
        (EITHER, make_frame(1), ""),
        (WRITTEN, make_frame(1), "frame_for_written_row"),
        (SHOWN, make_frame(1, age=601), "old_frame"),
        (SHOWN, make_frame(1, age=600), ""),
        (SHOWN, make_frame(1, is_black=True), "black_frame"),
        (SHOWN, make_frame(2), "no_such_frame"),
    ],
)
def test_frames(row, frame, fault):
    evidence = make_evidence(TASK, TURNS, frames=(frame,))
    assert find_fault(FrameCitation(frame=1), row, evidence) == fault


OTHER = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda my"


class TestCopied:
    """Twelve words in a row of the copilot's are the copilot's, whatever stands around them."""

    @pytest.mark.parametrize(
        "quote", [f"Me: {LONG}", f"{LONG} and that is mine", f"I say {LONG} so"]
    )
    def test_words_around_it_do_not_help(self, quote):
        turns = make_turns(("copilot", f"Write: {LONG}"), ("student", quote))
        assert quote_fault(2, quote, turns) == "copilots_words"

    def test_another_students_turn_in_between_does_not_help(self):
        turns = make_turns(("copilot", LONG), ("student", LONG), ("student", LONG))
        assert quote_fault(3, LONG, turns) == "copilots_words"

    def test_what_the_student_said_first_stays_theirs(self):
        turns = make_turns(("student", LONG), ("copilot", LONG), ("student", f"Again: {LONG}"))
        assert quote_fault(3, f"Again: {LONG}", turns) == ""

    def test_repeating_oneself_is_not_copying(self):
        turns = make_turns(("student", LONG), ("student", LONG))
        assert quote_fault(2, LONG, turns) == ""

    def test_the_tasks_own_words_are_nobodys(self):
        task = make_task(("Written row", "written"), description=LONG)
        turns = make_turns(("copilot", LONG), ("student", LONG))
        citation = QuoteCitation(turn=2, quote=LONG)
        assert find_fault(citation, task.rows[0], make_evidence(task, turns)) == ""

    def test_a_turn_that_was_left_out_is_remembered(self):
        early, late = make_turns(("copilot", LONG), ("student", LONG))
        evidence = make_evidence(TASK, (late,), omitted=1, unseen=(early,))
        citation = QuoteCitation(turn=2, quote=LONG)
        assert find_fault(citation, WRITTEN, evidence) == "copilots_words"

    def test_other_long_words_are_fine(self):
        turns = make_turns(("copilot", LONG), ("student", OTHER))
        assert quote_fault(2, OTHER, turns) == ""


def test_what_the_prompt_neutralised_can_be_quoted():
    turns = make_turns(("student", '<task name="build"/>'))
    assert quote_fault(1, '‹task name="build"/>', turns) == ""
    assert quote_fault(1, '<task name="build"/>', turns) == ""
