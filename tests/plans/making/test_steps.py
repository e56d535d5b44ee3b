"""The making of a plan against the fake Gemini server, with the real client: planted faults,
rounds, failures, and workers that die."""

import threading
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from elivio.checks import SECONDS_AND_MINUTES
from plans.making import drafts, planner_prompt, steps
from plans.making.sentences import FAILURES, say_state
from plans.models import PlanDraft
from tests import factories
from tests.fakes import replies
from tests.fakes.faults import PROVIDER_FAULTS
from tests.fakes.gemini import FakeRequest
from tests.plans.making.proposals import (
    ANSWERS,
    answer,
    find,
    make_data,
    plant_three_faults,
)

pytestmark = pytest.mark.django_db(transaction=True)
State = PlanDraft.State
NAMES = [name for name, _, _ in PROVIDER_FAULTS]
GOOD, FAULTY = replies.json(make_data()), replies.json(plant_three_faults())
HOLDS = replies.json(answer())
# The judge names what code names too, and one fault that only a reader sees.
FOUND = replies.json(
    answer(
        checkable=[find(1, 1, 1, "You understand why lists matter", "Nobody can see this.")],
        platform=[find(1, 2, 1, "tapped Mark complete")],
        show=[find(1, None, None, "Know what there is", "Nothing is made in this week.")],
    )
)


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def draft(student, settings):
    settings.PLANNER_DEADLINE_SECONDS = settings.JUDGE_DEADLINE_SECONDS = 5.0
    return drafts.ask_for_plan(student, **ANSWERS)


def make(draft) -> PlanDraft:
    """Every step, as workers would do them one after the other."""
    while steps.advance(draft.pk):
        pass
    draft.refresh_from_db()
    return draft


def is_judge(request: FakeRequest) -> bool:
    return "criteria" in request.schema["properties"]


def play(proposal, review):
    return lambda request: review if is_judge(request) else proposal


def places(draft):
    return {
        (one["criterion"], one["week"], one["task"], one["requirement"])
        for one in draft.review["findings"]
    }


PLANTED = {
    ("checkable", 1, 1, 1),
    ("platform", 1, 2, 1),
    ("load", 1, None, None),
}


def test_each_call_counts_and_stops_at_the_ceiling(draft, gemini, settings):
    settings.DAILY_MODEL_CALLS = {**settings.DAILY_MODEL_CALLS, "planning": 1}
    gemini.enqueue(GOOD)
    made = make(draft)
    assert gemini.calls == 1
    assert (made.state, made.review["reason"]) == (State.READY, "budget_spent")
    another = make(drafts.ask_for_plan(draft.owner, **ANSWERS))
    assert (gemini.calls, another.state, another.reason) == (1, State.FAILED, "budget_spent")
    assert "try again tomorrow" in say_state(another)


def test_a_good_plan_is_ready_after_one_reading(draft, gemini):
    gemini.enqueue(GOOD, HOLDS)
    made = make(draft)
    assert (made.state, made.round, made.version, made.model_calls) == (State.READY, 0, 1, 2)
    assert made.proposal == make_data()
    assert made.review["outcome"] == "clean"
    assert (made.made_by, made.by_rules) == ("gemini", False)
    assert made.prompt_tokens == 2000 and made.output_tokens == 140
    assert (made.claim, made.claimed_until, made.attempts) == (None, None, 0)


def test_each_of_three_planted_faults_is_named_by_the_review(draft, gemini):
    gemini.respond = play(FAULTY, FOUND)
    while not PlanDraft.objects.filter(pk=draft.pk, state=State.REPAIRING).exists():
        assert steps.advance(draft.pk)
    draft.refresh_from_db()
    assert places(draft) == PLANTED | {("show", 1, None, None)}
    assert draft.review["outcome"] == "findings"


def test_they_are_named_by_code_when_the_judge_sees_nothing(draft, gemini):
    gemini.respond = play(FAULTY, HOLDS)
    assert places(make(draft)) == PLANTED


def test_control_the_judge_alone_names_what_it_quotes(draft, gemini, monkeypatch):
    monkeypatch.setattr(steps, "find_faults", lambda *_: [])
    gemini.respond = play(FAULTY, FOUND)
    found = {("checkable", 1, 1, 1), ("platform", 1, 2, 1), ("show", 1, None, None)}
    assert places(make(draft)) == found


def test_a_repair_is_told_what_was_found_and_where(draft, gemini):
    gemini.enqueue(FAULTY, FOUND, GOOD, HOLDS)
    made = make(draft)
    assert (made.state, made.round, made.version) == (State.READY, 1, 2)
    assert (made.review["outcome"], made.proposal) == ("clean", make_data())
    repair = gemini.requests[2].text
    assert planner_prompt.REPAIR in repair
    assert "- load, week 1: The tasks of this week add up to 17 hours" in repair
    assert "- show, week 1: Nothing is made in this week. It says: Know what there is" in repair


def test_two_repairs_at_most_then_it_is_ready_with_what_is_open(draft, gemini):
    numbers = iter(range(9))

    def respond(request: FakeRequest):
        if is_judge(request):
            return FOUND
        return replies.json({**plant_three_faults(), "goal": f"Take {next(numbers)}"})

    gemini.respond = respond
    made = make(draft)
    assert (made.state, made.round, gemini.calls) == (State.READY, 2, 6)
    assert made.proposal["goal"] == "Take 2"
    assert PLANTED < places(made)
    assert "left 4 points open" in say_state(made)


def test_a_repair_that_changes_nothing_is_the_last(draft, gemini):
    gemini.respond = play(FAULTY, FOUND)
    assert (make(draft).state, gemini.calls) == (State.READY, 3)


def test_the_judge_sees_nothing_of_the_planner_but_the_proposal(draft, gemini):
    """A canary in every word of the planner's prompt, and in the repair's."""
    gemini.enqueue(FAULTY, FOUND, GOOD, HOLDS)
    make(draft)
    asked = [request for request in gemini.requests if is_judge(request)]
    assert len(asked) == 2
    for request in asked:
        seen = request.system + request.text
        assert planner_prompt.RULES not in seen and planner_prompt.REPAIR not in seen
        for line in planner_prompt.RULES.splitlines():
            assert len(line) < 30 or line not in seen
        assert "<findings>" not in seen and "Nobody can see this" not in seen
        assert "tools" not in request.body
    assert plant_three_faults()["weeks"][0]["tasks"][1]["requirements"][0]["title"] in asked[0].text
    assert "ran the completion check" not in asked[1].text, "nor anything of an earlier round"


@pytest.mark.filterwarnings("ignore:NEW_REASON is not a valid")
@pytest.mark.parametrize(
    ("name", "reply", "code"), PROVIDER_FAULTS, ids=[x[0] for x in PROVIDER_FAULTS]
)
def test_a_planner_that_fails_leaves_a_sentence_and_the_brief(
    draft, gemini, settings, name, reply, code
):
    settings.PLANNER_DEADLINE_SECONDS = 0.3 if code == "timeout" else 3.0
    gemini.respond = lambda _: reply
    made = make(draft)
    assert (made.state, made.reason, gemini.calls) == (State.FAILED, code, 1)
    assert made.brief["description"] == ANSWERS["description"]
    assert say_state(made).endswith(".")


@pytest.mark.parametrize(
    ("text", "code"),
    [("Here is your plan.", "not_json"), ("{}", "wrong_form"), ('{"a": 1, "a": 2}', "doubled_key")],
)
def test_a_planner_that_talks_nonsense_fails_and_can_be_tried_again(draft, gemini, text, code):
    gemini.enqueue(replies.text(text))
    made = make(draft)
    assert (made.state, made.reason, made.proposal) == (State.FAILED, code, None)
    drafts.try_again(draft.owner, draft.pk)
    gemini.enqueue(GOOD, HOLDS)
    made = make(draft)
    assert (made.state, made.reason, made.model_calls) == (State.READY, "", 3)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (replies.error(429), "rate_limited"),
        (replies.hang(), "timeout"),
        (replies.text("All fine."), "not_json"),
        (replies.json({"criteria": []}), "wrong_criteria"),
        (replies.tool_call("approve", {}), "tool_call"),
    ],
)
def test_a_judge_that_fails_leaves_the_plan_unread_never_fine(draft, gemini, settings, reply, code):
    settings.JUDGE_DEADLINE_SECONDS = 0.5
    gemini.respond = play(GOOD, reply)
    made = make(draft)
    assert (made.state, made.review["outcome"]) == (State.READY, "undecided")
    assert made.review["reason"] == code
    assert set(made.review["standings"].values()) == {"unread"}
    assert "read the plan with care" in say_state(made)


def test_a_repair_that_fails_keeps_the_plan_before_it(draft, gemini):
    gemini.enqueue(FAULTY, FOUND, replies.error(503))
    made = make(draft)
    assert (made.state, made.reason) == (State.READY, "overloaded")
    assert made.proposal == plant_three_faults() and PLANTED < places(made)
    assert "last repair did not come through" in say_state(made)


def test_without_a_model_nothing_is_made(draft, settings):
    settings.GEMINI_API_KEY, settings.DEBUG = "", False
    assert (make(draft).state, draft.reason) == (State.FAILED, "no_model")
    assert say_state(draft) == FAILURES["no_model"]


def test_plain_rules_make_a_plan_and_say_so(draft, rules):
    made = make(draft)
    assert (made.state, made.by_rules) == (State.READY, True)
    assert (made.review["findings"], made.review["outcome"]) == ([], "undecided")
    assert "No AI read it" in say_state(made)


def test_a_draft_whose_worker_died_is_taken_up_again(draft, gemini):
    gemini.enqueue(GOOD)
    assert steps.advance(draft.pk)
    held = steps._claim(draft.pk)
    assert held.state == State.REVIEWING
    assert steps.sweep_drafts() == 0, "the claim still holds"
    past = timezone.now() - timedelta(seconds=1)
    PlanDraft.objects.filter(pk=draft.pk).update(claimed_until=past)
    gemini.enqueue(HOLDS)
    steps.sweep_drafts()
    draft.refresh_from_db()
    assert draft.state == State.READY
    assert gemini.calls == 2, "what was finished is not done again"


def test_a_draft_that_no_worker_was_told_of_is_found(draft, gemini):
    gemini.enqueue(GOOD, HOLDS)
    assert steps.sweep_drafts() == 1
    draft.refresh_from_db()
    assert draft.state == State.READY


def test_a_late_worker_saves_nothing_over_the_one_that_took_over(draft, gemini):
    late = steps._claim(draft.pk)
    PlanDraft.objects.filter(pk=draft.pk).update(claimed_until=timezone.now())
    gemini.enqueue(FAULTY, GOOD, HOLDS)
    second = steps._claim(draft.pk)
    assert second.claim != late.claim
    assert not steps.STEPS[late.state](late)
    assert PlanDraft.objects.get(pk=draft.pk).proposal is None
    assert steps.STEPS[second.state](second)
    assert PlanDraft.objects.get(pk=draft.pk).proposal == make_data()


def test_a_draft_that_ends_every_worker_is_given_up(draft):
    for _ in range(steps.MOST_ATTEMPTS):
        assert steps._claim(draft.pk)
        PlanDraft.objects.filter(pk=draft.pk).update(claimed_until=timezone.now())
    assert not steps.advance(draft.pk)
    draft.refresh_from_db()
    assert (draft.state, draft.reason) == (State.FAILED, "interrupted")


def test_a_fault_of_ours_waits_for_the_sweep_and_is_not_lost(draft, gemini, monkeypatch):
    monkeypatch.setitem(steps.STEPS, State.PROPOSING, lambda _: 1 / 0)
    assert not steps.advance(draft.pk)
    draft.refresh_from_db()
    assert (draft.state, draft.attempts) == (State.PROPOSING, 1)
    assert draft.claimed_until > timezone.now()


def test_eight_workers_at_once_make_one_step(draft, gemini):
    gemini.respond = play(GOOD, HOLDS)
    start, done = threading.Barrier(8), []

    def work():
        try:
            start.wait()
            if (held := steps._claim(draft.pk)) is not None:
                done.append(held.claim)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(done) == 1


def test_a_draft_dropped_meanwhile_comes_back_from_nowhere(draft, gemini):
    def drop(request: FakeRequest):
        PlanDraft.objects.filter(pk=draft.pk).delete()
        connection.close()
        return GOOD

    gemini.respond = drop
    assert not steps.advance(draft.pk)
    assert not PlanDraft.objects.exists()
    assert not steps.advance(uuid.uuid4())


def test_a_claim_outlasts_every_deadline_that_settings_may_have():
    longest = max(
        SECONDS_AND_MINUTES[name][1]
        for name in ("PLANNER_DEADLINE_SECONDS", "JUDGE_DEADLINE_SECONDS")
    )
    assert steps.CLAIM.total_seconds() > longest + 10
