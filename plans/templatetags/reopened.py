"""What staff have reopened in a plan, for its pages: one query for all of its tasks."""

import uuid

from django import template

from plans.models import Action, Plan, Reopening
from plans.queries import find_reopenings

register = template.Library()


@register.simple_tag
def find_reopened(plan: Plan) -> dict[uuid.UUID, Reopening]:
    return find_reopenings(plan.pk)


@register.filter
def of_task(reopened: dict[uuid.UUID, Reopening], action: Action) -> Reopening | None:
    return reopened.get(action.pk)
