"""Judge health: every figure against one worked out by hand."""

import datetime

import pytest
from django.utils import timezone

from judge.evaluation.statistics import Confusion, Share
from judge.health import read_health
from judge.health_figures import Cost, Flips, Judge, Outcomes, add_up
from plans.models import Action
from plans.status import self_report
from tests import factories
from tests.judge.runs import FLASH, RULES, add_run, complete, decide

pytestmark = pytest.mark.django_db


@pytest.fixture
def action(db):
    return factories.make_action(factories.make_plan(factories.make_student()))


def test_nothing_yet():
    health = read_health()
    assert (health.runs, health.outcomes, health.reasons, health.days) == (0, {}, [], [])
    assert (health.agreement, health.flips, health.costs, health.completed) == ({}, {}, {}, {})
    assert health.audit_missing == Share(0, 0)
    assert add_up([]) is None


def test_outcomes_and_reasons(action):
    add_run(action)
    add_run(action, "failed", "tap", is_stuck=True)
    add_run(action, "failed", all_met_mismatch=True)
    add_run(action, "undecided", reason="timeout")
    add_run(action, "undecided", reason="timeout")
    add_run(action, "undecided", reason="blocked")
    add_run(action, judge=RULES)
    health = read_health()
    flash = Outcomes(5, 1, passed=1, failed=2, undecided=3, stuck=1, mismatched=1)
    rules = Outcomes(1, 0, passed=1)
    assert health.outcomes == {FLASH: flash, RULES: rules}
    assert flash.shares == (Share(1, 6), Share(2, 6), Share(3, 6))
    assert add_up(health.outcomes.values()) == Outcomes(6, 1, 2, 2, 3, 1, 1)
    assert health.reasons == [(FLASH, "timeout", Share(2, 6)), (FLASH, "blocked", Share(1, 6))]


class TestAgreement:
    ROWS = [("One", "written"), ("Two", "written"), ("Three", "written"), ("Four", "written")]

    @pytest.fixture
    def action(self):
        plan = factories.make_plan(factories.make_student())
        return factories.make_action(plan, requirements=self.ROWS)

    def test_false_met_and_false_unmet_apart(self, action):
        statuses = [("met", {}), ("not_met", {}), ("not_shown", {}), ("undecided", {})]
        run = add_run(action, "failed", rows=statuses)
        decide(run, False, True, False, True)
        decide(add_run(action, "failed", rows=statuses), True, None, True, False)
        found = read_health().agreement
        # met: one wrong, one right. not met or shown: two wrong, one right. Undecided apart.
        assert found == {FLASH: Confusion(1, 1, 1, 2, 1, 1)}
        assert found[FLASH].false_met_rate == Share(1, 2)
        assert found[FLASH].false_unmet_rate == Share(2, 3)
        # 2 of 5 agree; chance: both say met 2/5 * 3/5, both say not 3/5 * 2/5: 12/25.
        assert found[FLASH].kappa == pytest.approx((10 / 25 - 12 / 25) / (13 / 25))

    def test_of_two_decisions_on_a_row_the_newest_counts(self, action):
        run = add_run(action, "failed", rows=[("not_met", {})])
        decide(run, False)
        decide(run, True, about=run.checklist[0]["id"])
        assert read_health().agreement == {FLASH: Confusion(false_unmet=1)}

    def test_what_a_person_made_met_is_not_the_judges_word(self, action):
        by_staff = {"decision": "8f2c", "judged": "not_shown"}
        decide(add_run(action, rows=[("met", by_staff), ("met", {})]), True, True)
        assert read_health().agreement == {FLASH: Confusion(true_met=1, false_unmet=1)}

    def test_an_interval_for_kappa(self):
        found = Confusion(20, 10, 15, 5)
        low, high = found.kappa_interval
        # Agreement 35 of 50, Wilson 0.5625 to 0.8089, chance 0.5.
        assert (low, found.kappa, high) == pytest.approx((0.1250, 0.4, 0.6179), abs=5e-4)
        assert Confusion(true_met=3).kappa_interval is None
        assert Confusion(false_met=1, false_unmet=1).kappa_interval[0] == -1


class TestFlips:
    def test_each_way(self, action):
        add_run(action, "failed", "tap")  # nothing before it
        for check, tap in [
            ("passed", "passed"),
            ("passed", "failed"),
            ("passed", "failed"),
            ("passed", "undecided"),
            ("failed", "passed"),
            ("failed", "failed"),
            ("failed", "undecided"),
        ]:
            add_run(action, check)
            add_run(action, tap, "tap")
        found = read_health().flips[FLASH]
        assert found == Flips(1, 2, 1, 1, 1, 1)
        assert (found.rate, found.not_passed) == (Share(2, 3), Share(3, 4))

    def test_an_undecided_check_and_another_tap_are_no_check_before(self, action):
        add_run(action, "passed")
        add_run(action, "undecided", reason="timeout")
        add_run(action, "failed", "tap")
        add_run(action, "passed", "tap")
        assert read_health().flips == {FLASH: Flips(held=1, lost=1)}

    def test_another_version_of_the_task_or_another_task_is_none(self, action):
        add_run(action, "passed", spec_version=1)
        other = factories.make_action(action.week)
        add_run(other, "passed")
        add_run(action, "failed", "tap", spec_version=2)
        assert read_health().flips == {}

    def test_it_goes_by_the_start(self, action):
        """A slow check that started earlier is written later, and was not the last before it."""
        now = timezone.now()
        minutes = [now - datetime.timedelta(minutes=back) for back in (3, 2, 1)]
        add_run(action, "failed", "tap", started_at=minutes[2])
        add_run(action, "passed", started_at=minutes[1])
        add_run(action, "failed", started_at=minutes[0])
        assert read_health().flips == {FLASH: Flips(lost=1)}


def test_cost_and_percentiles(action):
    for place, milliseconds in enumerate([100, 200, 300, 400]):
        tokens = {"prompt_tokens": 1000 + place, "cached_tokens": 400, "output_tokens": 10}
        add_run(action, milliseconds=milliseconds, **tokens)
    add_run(action, "undecided", reason="no_requirements")  # asked nobody
    # Between two runs: p50 halfway from 200 to 300, p95 at 300 + 0.85 * 100.
    assert read_health().costs == {FLASH: Cost(4, 4006, 1600, 40, 250.0, pytest.approx(385.0))}

    def test_a_decision_that_a_reopening_ended_is_no_label(self, action):
        decide(add_run(action, "failed", rows=[("not_met", {}), ("not_met", {})]), True, True)
        complete(action, add_run(action, "passed", "tap"))
        assert read_health().agreement == {FLASH: Confusion(false_unmet=2)}
        Action.objects.get(pk=action.pk).reopen(by=factories.make_staff(), reason="A mistake.")
        assert read_health().agreement == {}
        decide(add_run(action, "failed", rows=[("not_met", {})]), False)
        assert read_health().agreement == {FLASH: Confusion(true_unmet=1)}

    def test_a_self_report_taken_back_ends_none(self, action):
        decide(add_run(action, "failed", rows=[("not_met", {})]), True)
        self_report(action, by=action.week.plan.owner)
        Action.objects.get(pk=action.pk).reopen(by=action.week.plan.owner)
        assert read_health().agreement == {FLASH: Confusion(false_unmet=1)}


class TestCompleted:
    def test_all_runs_of_the_action_up_to_its_completion(self, action):
        spent = {"prompt_tokens": 1000, "cached_tokens": 300, "output_tokens": 50}
        add_run(action, "failed", **spent)
        add_run(action, **spent)
        complete(action, add_run(action, "passed", "tap", **spent))
        add_run(factories.make_action(action.week), **spent)
        found = read_health().completed[FLASH]
        assert (found.completions, found.audit_missing, found.runs) == (1, 0, 3)
        assert (found.prompt, found.cached, found.output) == (3000, 900, 150)
        assert (found.median, found.runs_each) == (3150.0, 3.0)

    def test_a_second_completion_counts_from_the_first_on(self, action):
        spent = {"prompt_tokens": 100, "output_tokens": 0}
        add_run(action, **spent)
        complete(action, add_run(action, "passed", "tap", **spent))
        Action.objects.get(pk=action.pk).reopen(by=factories.make_staff(), reason="Again.")
        complete(action, add_run(action, "passed", "tap", **spent))
        found = read_health().completed[FLASH]
        assert (found.completions, found.runs, found.prompt) == (2, 3, 300)
        assert found.median == 150.0

    def test_a_missing_audit_row_is_counted(self, action):
        add_run(action, prompt_tokens=70)
        complete(action, None)
        other = factories.make_action(action.week)
        complete(other, add_run(other, "passed", "tap"))
        health = read_health()
        assert health.completed[Judge("gemini", "", 0)].audit_missing == 1
        assert health.completed[Judge("gemini", "", 0)].prompt == 70
        assert health.audit_missing == Share(1, 2)

    def test_a_self_report_is_none(self, action):
        self_report(action, by=action.week.plan.owner)
        assert read_health().completed == {}


def test_a_period_counts_what_is_in_it(action):
    add_run(action, "failed")
    add_run(action, "passed")
    complete(action, add_run(action, "passed", "tap"))
    decide(add_run(action, "failed", rows=[("not_met", {})]), True)
    tomorrow = timezone.now() + datetime.timedelta(days=1)
    empty, all_time = read_health(tomorrow), read_health()
    assert (empty.runs, empty.days, empty.flips, empty.costs) == (0, [], {}, {})
    assert (empty.agreement, empty.completed) == ({}, {})
    hour_ago = read_health(timezone.now() - datetime.timedelta(hours=1))
    assert (hour_ago.runs, hour_ago.by_month, all_time.by_month) == (4, False, True)
    assert hour_ago.agreement == all_time.agreement != {}
    assert hour_ago.completed == all_time.completed != {}
    assert [(day.passed, day.failed) for day in hour_ago.days] == [(2, 2)]
    assert [day.day.day for day in all_time.days] == [1]
