"""What plan making knew of a task, for pages: the names of the tasks it comes after. No check goes
by any of it, and nothing here decides by it."""

import uuid

from django import template

from plans.models import Action, Plan
from plans.queries import actions_of, find_titles

register = template.Library()
Titles = dict[uuid.UUID, str]


@register.simple_tag
def list_titles(plan: Plan) -> Titles:
    """The titles of a loaded plan's tasks by their ids; no query."""
    return {action.pk: action.title for action in actions_of(plan)}


@register.simple_tag
def find_titles_around(action: Action) -> Titles:
    """The same for one task's plan: one query, and none for a task that comes after nothing."""
    return find_titles(action.week.plan_id) if action.depends_on else {}


@register.filter
def named_before(titles: Titles, action: Action) -> list[str]:
    """What the task comes after, by title. What has been dropped since is left out."""
    wanted = {f"{other}" for other in action.depends_on or ()}
    return [title for pk, title in titles.items() if f"{pk}" in wanted]
