"""Stored checks judged again: what is compared and what is passed over. Nothing is written."""

import datetime
from typing import Any

import pytest
from django.utils import timezone

from judge.evaluation.replay import choose_checks, replay_checks
from judge.evaluation.replay_report import make_replay_document, render_replay
from judge.evaluation.report import WIDTH
from judge.evaluation.results import describe_judge
from judge.evidence import Evidence, read_task
from judge.models import CheckRun
from judge.run import run_judge
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.fakes.gemini import FakeGemini
from tests.judge.evaluation.calling import call
from tests.judge.evaluation.making import WORDS
from tests.judge.evaluation.stored import make_evidence_json, make_run
from tests.judge.evidence import make_turns

PASS = replies.json(answer("met", text="seven riders"))
FAIL = replies.json(answer("not_met"))
FRAME = {"number": 1, "ageSeconds": 5, "isBlack": False, "sha256": "0" * 64}
SAID = ("student", WORDS)


def test_rows_then_and_now(gemini: FakeGemini) -> None:
    gemini.enqueue(replies.json(answer("met", "not_shown", text="seven riders")))
    evidence = make_evidence_json(SAID, rows=("Ask seven riders", "Say when"))
    replay = replay_checks([make_run(evidence, "not_met", "not_shown")], concurrency=1)
    [replayed] = replay.replayed
    assert [(row.old, row.new) for row in replayed.rows] == [
        ("not_met", "met"),
        ("not_shown", "not_shown"),
    ]
    assert [row.title for row in replayed.changed_rows] == ["Ask seven riders"]
    assert (replayed.outcome, replayed.pictures_lost) == ("failed", False)


def test_of_a_row_that_staff_had_decided_the_judges_own_word_is_compared(
    gemini: FakeGemini,
) -> None:
    gemini.enqueue(FAIL)
    run = make_run(make_evidence_json(SAID), "met")
    run.checklist[0] |= {"decision": str(run.action_id), "judged": "not_met"}
    [replayed] = replay_checks([run], concurrency=1).replayed
    assert [(row.old, row.new) for row in replayed.rows] == [("not_met", "not_met")]


def test_no_verdict_is_undecided(gemini: FakeGemini) -> None:
    gemini.enqueue(replies.blocked())
    [replayed] = replay_checks([make_run(make_evidence_json(SAID), "met")], concurrency=1).replayed
    assert (replayed.outcome, replayed.reason) == ("undecided", "blocked")
    assert [(row.old, row.new) for row in replayed.rows] == [("met", "undecided")]


def test_without_its_pictures_a_check_is_marked_or_left_out(gemini: FakeGemini) -> None:
    gemini.respond = lambda request: FAIL
    run = make_run(make_evidence_json(SAID, frames=[FRAME]), "met")
    [replayed] = replay_checks([run], concurrency=1).replayed
    assert replayed.pictures_lost
    assert "<frame" not in gemini.requests[0].text
    replay = replay_checks([run], concurrency=1, skip_with_pictures=True)
    assert (replay.replayed, replay.skipped) == ((), {"pictures not kept": 1})


@pytest.mark.parametrize("evidence", [{}, {"task": {}}, {"task": None, "turns": []}])
def test_a_check_without_evidence_is_passed_over(gemini: FakeGemini, evidence: dict) -> None:
    replay = replay_checks([make_run(evidence, "met")], concurrency=1)
    assert replay.skipped == {"evidence not kept": 1}
    assert gemini.calls == 0


def test_tables_and_document(gemini: FakeGemini) -> None:
    gemini.respond = lambda request: PASS if WORDS in request.text else FAIL
    long = "A requirement with brackets [bold] that is longer than a line of a terminal " * 3
    runs = [
        make_run(make_evidence_json(SAID), "met"),
        make_run(make_evidence_json(SAID, rows=(long,), frames=[FRAME]), "not_met"),
        make_run(make_evidence_json(("student", "Nothing.")), "met"),
    ]
    replay = replay_checks(runs, concurrency=2)
    said = render_replay(replay, describe_judge())
    assert "3 checks judged again; 2 would come out otherwise." in said
    assert "1 of them had pictures, which are not kept: judged without (*)." in said
    assert "not_met → met" in said and "met → not_met" in said and "[bold]" in said
    assert max(map(len, said.splitlines())) <= WIDTH
    document = make_replay_document(replay, judge=describe_judge())
    assert [each["new"]["outcome"] for each in document["checks"]] == [
        "passed",
        "passed",
        "failed",
    ]
    assert document["checks"][1]["pictures_lost"] is True
    assert document["checks"][0]["old"]["model"] == "gemini-old"


@pytest.mark.django_db(transaction=True)
class TestFromTheDatabase:
    @pytest.fixture
    def check(self, gemini: FakeGemini, settings: Any) -> Any:
        """A function that makes a check as the product does; the judge says these statuses."""
        action = factories.make_action(
            factories.make_plan(factories.make_student()),
            requirements=[("Ask seven riders", "written")],
        )

        def make(reply: Any) -> CheckRun:
            gemini.enqueue(reply)
            evidence = Evidence(read_task(action.pk), make_turns(SAID, ("copilot", "Go on.")))
            result = run_judge(evidence, trigger="check", student_id=action.week.plan.owner_id)
            return CheckRun.objects.get(pk=result.id)

        return make

    def test_which_checks(self, check: Any) -> None:
        one, two, three = (check(FAIL) for _ in range(3))
        assert choose_checks(limit=2) == [two, three]
        assert choose_checks(ids=[one.pk, three.pk]) == [one, three]
        assert choose_checks(since=two.created_at) == [two, three]
        assert choose_checks(since=timezone.now() + datetime.timedelta(days=1)) == []

    def test_the_same_request_is_made_and_nothing_is_written(
        self, check: Any, gemini: FakeGemini, capsys: Any
    ) -> None:
        run = check(FAIL)
        gemini.enqueue(PASS)
        assert call("--replay", "--ids", run.pk) == 0
        then, now = (request.raw for request in gemini.requests)
        assert then == now
        assert "1 check judged again; 1 would come out otherwise." in capsys.readouterr().out
        assert CheckRun.objects.count() == 1
