"""How objections stand, for templates: one query for all rows of a card, or tasks of a plan.

Template tags, because fragments of the plans pages stand below the judge and may not import it.
"""

import uuid

from django import template

from judge.standing import Standing, Standings, find_answered, read_standings
from plans.models import Action, Plan

register = template.Library()
NONE = Standing()


@register.simple_tag
def find_standings(action: Action, spec_version: int) -> Standings:
    return read_standings(action.pk, spec_version)


@register.filter
def of_row(standings: Standings, row_id: str) -> Standing:
    return standings.rows.get(row_id, NONE)


@register.simple_tag
def find_answered_tasks(plan: Plan) -> set[uuid.UUID]:
    return find_answered(plan.pk)
