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
        (3, LONG.rsplit(" ", 1)[0], ""),
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
