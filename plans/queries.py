"""How plans are read: a fixed number of queries, whatever the number of tasks."""

import uuid

from django.db.models import Prefetch
from django.shortcuts import get_object_or_404

from plans.models import Action, Plan, Week


def plans_of(user):
    """The user's plans, newest first, with weeks, actions, requirements and completions loaded."""
    actions = (
        Action.objects.filter(archived_at=None)
        .select_related("current_completion")
        .prefetch_related("requirements")
        .order_by("position", "id")
    )
    weeks = Week.objects.order_by("number").prefetch_related(Prefetch("actions", actions))
    return Plan.objects.owned_by(user).prefetch_related(Prefetch("weeks", weeks))


def get_plan(user, plan_id: uuid.UUID) -> Plan:
    """The user's plan with everything loaded. Raises Http404, also for somebody else's."""
    return get_object_or_404(plans_of(user), pk=plan_id)


def find_plan(user, plan_id: uuid.UUID) -> Plan:
    """The user's plan alone, nothing loaded with it. Raises Http404, also for somebody else's."""
    return get_object_or_404(Plan.objects.owned_by(user), pk=plan_id)


def get_action(user, action_id: uuid.UUID) -> Action:
    """The user's action with week, plan, completion. Raises Http404, also for somebody else's."""
    actions = Action.objects.owned_by(user).select_related("week__plan", "current_completion")
    return get_object_or_404(actions, pk=action_id)


def actions_of(plan: Plan) -> list[Action]:
    """All actions of a plan from `plans_of` or `get_plan`, in order; no query."""
    return [action for week in plan.weeks.all() for action in week.actions.all()]
