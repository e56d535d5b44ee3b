"""Calling `judge_eval` as a command line does, in this process, and a judge that answers it."""

from judge.management.commands.judge_eval import Command
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.fakes.gemini import FakeRequest
from tests.fakes.replies import Reply
from tests.judge.evaluation.making import WORDS

ROW = "Ask seven riders what they miss"
PASS = replies.json(answer("met", text="seven riders"))
FAIL = replies.json(answer("not_met"))


def call(*arguments: object) -> int:
    """The exit code of `manage.py judge_eval` with these arguments."""
    try:
        Command().run_from_argv(["manage.py", "judge_eval", *map(str, arguments)])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def judge_by_id(request: FakeRequest) -> Reply:
    return PASS if WORDS in request.text else FAIL
