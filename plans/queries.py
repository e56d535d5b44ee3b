"""How plans are read: a fixed number of queries, whatever the number of tasks."""

import uuid

from django.db.models import F, OuterRef, Prefetch, QuerySet, Subquery
from django.shortcuts import get_object_or_404

from plans.models import Action, ActionEdit, Plan, Reopening, Week


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


def dropped_tasks_of(plan: Plan) -> QuerySet[Action]:
    """Tasks that the student has dropped, the last one first, with their weeks. One query. What
    staff archived is not among them."""
    last = ActionEdit.objects.filter(action=OuterRef("pk")).order_by("-at").values("kind")[:1]
    archived = Action.objects.filter(week__plan=plan).exclude(archived_at=None)
    dropped = archived.annotate(last_edit=Subquery(last)).filter(last_edit=ActionEdit.Kind.DROPPED)
    return dropped.select_related("week").order_by("-archived_at", "id")


def find_reopenings(plan_id: uuid.UUID) -> dict[uuid.UUID, Reopening]:
    """Tasks of the plan that somebody else than its student took back and that are still open, by
    their ids: each with its newest reopening. One query."""
    rows = Reopening.objects.filter(
        completion__action__week__plan=plan_id, completion__action__current_completion=None
    ).exclude(by=F("completion__action__week__plan__owner"))
    found = rows.annotate(action_id=F("completion__action")).order_by("created_at")
    return {row.action_id: row for row in found}


def find_titles(plan_id: uuid.UUID) -> dict[uuid.UUID, str]:
    """The titles of a plan's tasks by their ids, in order. The caller has checked the owner."""
    actions = Action.objects.filter(week__plan=plan_id, archived_at=None)
    rows = actions.order_by("week__number", "position", "id").values_list("pk", "title")
    return dict(rows)


def actions_of(plan: Plan) -> list[Action]:
    """All actions of a plan from `plans_of` or `get_plan`, in order; no query."""
    return [action for week in plan.weeks.all() for action in week.actions.all()]
