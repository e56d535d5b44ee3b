"""Plan making by a real Celery worker: from the request to a plan that is ready, and kill -9."""

import pytest
from django.db.models import F

from plans.making import drafts, steps
from plans.models import PlanDraft
from tests import factories
from tests.fakes import replies
from tests.plans.making.proposals import ANSWERS, answer, make_data
from tests.sessions.worker_process import kill_worker, running_worker, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
State = PlanDraft.State


def state_of(draft) -> str:
    return PlanDraft.objects.get(pk=draft.pk).state


def test_the_worker_makes_the_plan_without_beat(rules):
    with running_worker():
        draft = drafts.ask_for_plan(factories.make_student(), **ANSWERS)
        assert wait_until(lambda: state_of(draft) == State.READY)


def test_a_worker_killed_while_the_planner_thinks_loses_nothing(gemini):
    gemini.respond = lambda _: replies.hang()
    key = {"GEMINI_API_KEY": "test-key", "GOOGLE_GEMINI_BASE_URL": gemini.url}
    with running_worker(**key) as worker:
        draft = drafts.ask_for_plan(factories.make_student(), **ANSWERS)
        assert gemini.wait_for(1, timeout=30)
        kill_worker(worker)
    assert state_of(draft) == State.PROPOSING
    gemini.respond = None
    gemini.enqueue(replies.json(make_data()), replies.json(answer()))
    assert steps.sweep_drafts() == 0, "the claim still holds"
    PlanDraft.objects.update(claimed_until=F("claimed_until") - steps.CLAIM)
    steps.sweep_drafts()
    assert state_of(draft) == State.READY
