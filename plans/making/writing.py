"""From an accepted proposal to the rows of a plan, inside the transaction that accepts it."""

import uuid

from plans.making.brief import Brief
from plans.making.proposal import Proposal, ProposedTask
from plans.models import Action, Origin, Plan, Requirement, Week


def write_plan(owner, brief: Brief, proposal: Proposal) -> Plan:
    plan = Plan.objects.create(
        owner=owner,
        title=proposal.title,
        goal=proposal.goal,
        hours_per_week=brief.hours_per_week,
        target_date=brief.target_date,
    )
    weeks = Week.objects.bulk_create(
        Week(plan=plan, number=number, title=week.title, description=week.description)
        for number, week in enumerate(proposal.weeks, start=1)
    )
    ids = {task.key: uuid.uuid4() for _, _, task in proposal.places}
    Action.objects.bulk_create(
        _make_action(task, weeks[week - 1], place, ids) for week, place, task in proposal.places
    )
    Requirement.objects.bulk_create(
        Requirement(
            action_id=ids[task.key],
            position=position,
            title=row.title,
            evidence_kind=row.evidence_kind,
            origin=Origin.PLAN,
        )
        for _, _, task in proposal.places
        for position, row in enumerate(task.requirements)
    )
    return plan


def _make_action(task: ProposedTask, week: Week, place: int, ids: dict[str, uuid.UUID]) -> Action:
    return Action(
        id=ids[task.key],
        week=week,
        position=place - 1,
        title=task.title,
        description=task.description,
        hours=task.hours,
        topics=task.topics,
        depends_on=[str(ids[key]) for key in dict.fromkeys(task.depends_on)],
    )
