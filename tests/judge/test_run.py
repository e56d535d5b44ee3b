"""A judge run against the fake Gemini server, with the real client: calls, audit, asking again.
What a model can do wrong stands in test_failure_matrix.py."""

import pytest
from django.db import DatabaseError, connection, transaction

from elivio.llm.gateway import ModelCallInTransaction
from judge import audit, run
from judge.card import card_from_result, card_from_run, latest_card
from judge.evidence import Evidence, read_task
from judge.models import CheckRun
from judge.run import run_judge
from judge.sentences import STUCK
from plans.models import Action
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.fakes.clock import Clock
from tests.judge.evidence import make_frame, make_turns

pytestmark = pytest.mark.django_db(transaction=True)
TURNS = make_turns(("student", "own words"))
MET = replies.json(answer("met", "met", text="own words"))
UNMET = replies.json(answer("met", "not_met", text="own words"))


@pytest.fixture
def action(settings):
    settings.JUDGE_DEADLINE_SECONDS = 5.0
    plan = factories.make_plan(factories.make_student())
    rows = [("First", "written"), ("Second", "written")]
    return factories.make_action(plan, requirements=rows)


def judge(action, turns=TURNS, trigger="check", **more):
    evidence = Evidence(read_task(action.pk), turns, **more)
    return run_judge(evidence, trigger=trigger, student_id=action.week.plan.owner_id)


def test_passed_and_kept_for_audit(action, gemini):
    gemini.enqueue(MET)
    result = judge(action, frames=(make_frame(1),))
    run = CheckRun.objects.get()
    assert (result.outcome, result.id) == ("passed", run.pk)
    assert (run.outcome, run.reason, run.judge_kind, run.model) == (
        "passed",
        "",
        "gemini",
        gemini.requests[0].model,
    )
    assert (run.prompt_tokens, run.cached_tokens, run.output_tokens) == (1000, 400, 70)
    assert run.prompt_hash and run.prompt_version and run.milliseconds > 0
    assert "own words" in str(run.request) and "own words" in run.replies[0]["text"]
    image = next(part["image"] for part in run.request["parts"] if "image" in part)
    assert image["bytes"] == len(b"jpeg bytes") and "sha256" in image
    assert result.as_passed_check().check_id == run.pk


def test_the_card_is_the_same_fresh_and_stored(action, gemini):
    gemini.enqueue(UNMET)
    fresh = card_from_result(judge(action))
    assert fresh == card_from_run(CheckRun.objects.get()) == latest_card(action.pk)
    assert fresh.blockers == ["Second: A note on row 2."]
    assert [row.status for row in fresh.missing_first] == ["not_met", "met"]
    assert (fresh.all_met, fresh.unmet_count) == (False, 1)


def test_the_request_has_no_tools_and_asks_for_the_form(action, gemini):
    gemini.enqueue(MET)
    judge(action)
    body = gemini.requests[0].body
    assert "tools" not in body and "tool_config" not in body
    assert gemini.requests[0].schema["required"] == ["rows", "allMet"]


@pytest.mark.parametrize("statuses, says", [(("met", "met"), False), (("met", "not_met"), True)])
def test_the_rows_decide_and_the_mismatch_is_recorded(action, gemini, statuses, says):
    gemini.enqueue(replies.json(answer(*statuses, text="own words", all_met=says)))
    result = judge(action)
    card = card_from_result(result)
    assert card.all_met is (not says)
    assert bool(card.blockers) is says
    assert CheckRun.objects.get().all_met_mismatch is True


def test_nobody_listens(action, gemini, settings):
    settings.GEMINI_BASE_URL = "http://127.0.0.1:9"
    assert judge(action).reason == "unreachable"


def test_no_model_is_undecided(action, settings):
    settings.GEMINI_API_KEY, settings.DEBUG = "", False
    result = judge(action)
    assert result.reason == "no_model"
    with pytest.raises(ValueError):
        result.as_passed_check()


def test_a_retry_that_helps(action, gemini):
    gemini.enqueue(replies.error(503), MET)
    assert judge(action).outcome == "passed"
    assert [reply["fault"] for reply in CheckRun.objects.get().replies] == ["overloaded", ""]


def test_never_more_than_two_calls(action, gemini):
    invented = replies.json(answer("met", "met", text="never said"))
    gemini.enqueue(replies.error(503), invented, MET)
    assert judge(action).outcome == "failed"
    assert gemini.calls == 2


class TestAskingAgain:
    invented = replies.json(answer("met", "met", text="never said"))

    def test_an_invented_quote_is_asked_about_once(self, action, gemini):
        gemini.enqueue(self.invented, MET)
        assert judge(action).outcome == "passed"
        assert "r1: quote_not_found" in gemini.requests[1].text
        assert "r1: quote_not_found" in CheckRun.objects.get().request["parts"][-1]["text"]

    def test_insisting_does_not_help(self, action, gemini):
        gemini.respond = lambda request: self.invented
        result = judge(action)
        assert (result.outcome, gemini.calls) == ("failed", 2)
        assert {row.status for row in result.rows} == {"not_shown"}

    def test_a_failure_leaves_the_first_verdict(self, action, gemini):
        gemini.enqueue(self.invented, replies.blocked())
        assert judge(action).outcome == "failed"


def test_a_task_without_requirements_asks_nobody(action, gemini):
    action.requirements.all().delete()
    assert judge(action).reason == "no_requirements"
    assert gemini.calls == 0


def test_a_task_edited_meanwhile(action, gemini):
    def edit_and_pass(request):
        Action.objects.filter(pk=action.pk).update(description="Now something else.")
        connection.close()
        return MET

    gemini.respond = edit_and_pass
    result = judge(action)
    assert (result.outcome, result.reason) == ("undecided", "spec_changed")
    assert "has changed" in result.summary


class TestTime:
    @pytest.fixture
    def clock(self, monkeypatch):
        """The judge's own; what it leaves to the deadline of a call is real."""
        clock = Clock()
        monkeypatch.setattr(run, "time", clock)
        return clock

    @pytest.fixture
    def spend(self, gemini, clock):
        """Let the first call take so many seconds; the model is overloaded by then."""

        def spend(seconds, then=MET):
            def respond(request):
                if gemini.calls > 1:
                    return then
                clock.sleep(seconds)
                return replies.error(503)

            gemini.respond = respond

        return spend

    def test_the_deadline_is_for_both_calls(self, action, gemini, settings, spend, monkeypatch):
        """A second call with a minute of its own would get the answer that comes late."""
        monkeypatch.setattr(run, "LEAST_SECONDS", 0.0)
        settings.JUDGE_DEADLINE_SECONDS = 60.0
        spend(59.5, then=replies.delay(20, MET))
        assert judge(action).reason == "timeout"
        assert gemini.calls == 2

    @pytest.mark.parametrize(("left", "calls"), [(0.9, 1), (1.1, 2)], ids=["too little", "enough"])
    def test_no_second_call_without_time_for_it(self, action, gemini, spend, left, calls):
        spend(5.0 - run.LEAST_SECONDS * left, then=replies.error(503))
        assert judge(action).reason == "overloaded"
        assert gemini.calls == calls

    def test_a_short_wait_is_kept(self, action, gemini, clock):
        gemini.enqueue(replies.error(429, retry_after=1), MET)
        assert judge(action).outcome == "passed"
        assert clock.now == 1

    def test_a_long_wait_is_left_to_the_student(self, action, gemini, settings):
        settings.JUDGE_DEADLINE_SECONDS = 45.0
        gemini.enqueue(replies.error(429, retry_after=20), MET)
        assert judge(action).reason == "rate_limited"
        assert gemini.calls == 1
        assert CheckRun.objects.get().model == settings.MODELS["judge"]["name"]


class TestStuck:
    def test_the_same_rows_twice(self, action, gemini):
        gemini.enqueue(UNMET, UNMET)
        assert not judge(action).is_stuck
        again = judge(action, trigger="tap")
        assert again.is_stuck and again.summary == STUCK

    def test_other_rows_are_progress(self, action, gemini):
        gemini.enqueue(replies.json(answer("not_met", "not_met")), UNMET)
        judge(action)
        assert not judge(action).is_stuck

    def test_undecided_never_counts(self, action, gemini):
        gemini.enqueue(UNMET, replies.blocked(), UNMET)
        judge(action)
        assert judge(action).outcome == "undecided"
        assert judge(action).is_stuck

    def test_an_edit_begins_anew(self, action, gemini):
        gemini.enqueue(UNMET, UNMET)
        judge(action)
        Action.objects.filter(pk=action.pk).update(description="Now something else.")
        assert not judge(action).is_stuck


class TestAudit:
    def test_when_it_fails_the_student_still_gets_the_answer(self, action, gemini, monkeypatch):
        def fail(**values):
            with connection.cursor() as cursor:
                cursor.execute("SELECT no_such_column")

        monkeypatch.setattr(audit.CheckRun.objects, "create", fail)
        gemini.enqueue(MET)
        result = judge(action)
        assert (result.outcome, result.id) == ("passed", None)
        action.update_status(
            "completed",
            by=action.week.plan.owner,
            confirmed=True,
            check=result.as_passed_check(),
        )
        assert action.current_completion.audit_missing
        assert len(action.current_completion.checklist) == 2

    def test_it_never_changes(self, action, gemini):
        gemini.enqueue(MET)
        judge(action)
        for change in (
            lambda: CheckRun.objects.update(outcome="failed"),
            lambda: CheckRun.objects.update(replies=[]),
            lambda: CheckRun.objects.all().delete(),
        ):
            with pytest.raises(DatabaseError), transaction.atomic():
                change()


def test_a_model_is_never_asked_inside_a_transaction(action, gemini):
    with pytest.raises(ModelCallInTransaction), transaction.atomic():
        judge(action)
    assert gemini.calls == 0


def test_notices_and_cuts_are_on_the_card(action, gemini):
    gemini.enqueue(UNMET, MET)
    notices = ("Your screenshot could not be read.",)
    failed = judge(action, omitted=3, notices=notices).summary
    assert "could not be read" in failed and "oldest 3 messages were not looked at" in failed
    passed = judge(action, omitted=3, notices=notices).summary
    assert "could not be read" in passed and "not looked at" not in passed
