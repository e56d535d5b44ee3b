"""The latest checks of a plan's tasks, for its page: one query for all of them.

A template tag, because the plans pages stand below the judge and may not import it.
"""

import uuid

from django import template

from judge.card import Card, card_from_run, latest_card, standing_runs
from plans.models import Plan

register = template.Library()


@register.simple_tag
def find_latest_checks(plan: Plan) -> dict[uuid.UUID, Card]:
    """The newest check of each task of the plan, by the task's id."""
    runs = (
        standing_runs()
        .filter(action__week__plan=plan)
        .order_by("action_id", "-started_at")
        .distinct("action_id")
    )
    return {run.action_id: card_from_run(run) for run in runs}


@register.filter
def current_card(cards: dict[uuid.UUID, Card], action) -> Card | None:
    """The card of a task, unless the task has changed since or it decided nothing."""
    card = cards.get(action.pk)
    if card is None or card.outcome == "undecided" or card.is_stale(action.spec_version):
        return None
    return card


@register.simple_tag
def find_latest_check(action) -> Card | None:
    """The newest check of one task, if it still says something about the task. One query."""
    card = latest_card(action.pk)
    return current_card({action.pk: card} if card else {}, action)


@register.filter
def is_outdated(cards: dict[uuid.UUID, Card], action) -> bool:
    """Whether the task was checked, and has changed since."""
    card = cards.get(action.pk)
    return card is not None and card.is_stale(action.spec_version)


@register.filter
def count_met(card: Card) -> int:
    return len(card.requirements) - card.unmet_count
