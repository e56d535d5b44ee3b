"""Plans and the status of their tasks as JSON. Thin: the use cases are queries and status."""

import uuid
from typing import Annotated

from django.http import HttpRequest
from ninja import Router

from elivio.json_body import JsonBody
from elivio.schemas import BAD_BODY, refusals, show_examples
from plans import examples, queries
from plans.models import Action, Plan
from plans.schemas import ActionOut, PlanOut, StatusIn
from plans.status import change_own_status

router = Router(by_alias=True, tags=["Plans"])


@router.get(
    "/plans",
    response={200: list[PlanOut], **refusals()},
    summary="List your plans",
    openapi_extra=show_examples([examples.PLAN]),
)
def list_plans(request: HttpRequest) -> list[Plan]:
    """Your plans, newest first, each with its weeks, tasks and requirements."""
    return list(queries.plans_of(request.user))


@router.get(
    "/plans/{plan_id}",
    response={200: PlanOut, **refusals(404)},
    summary="Read a plan",
    openapi_extra=show_examples(examples.PLAN),
)
def read_plan(request: HttpRequest, plan_id: uuid.UUID) -> Plan:
    """One of your plans with its weeks, tasks and requirements."""
    return queries.get_plan(request.user, plan_id)


@router.patch(
    "/actions/{action_id}/status",
    response={200: ActionOut, **refusals(403, 404, 409, *BAD_BODY)},
    summary="Change the status of a task",
    openapi_extra=show_examples(examples.SELF_REPORTED, asked=examples.CHANGE_STATUS),
)
def change_status(
    request: HttpRequest, action_id: uuid.UUID, payload: Annotated[StatusIn, JsonBody(...)]
) -> Action:
    """Report your task as completed (self-reported, `confirmed` must be true), start it, or take
    your own report back. A checked task is finished through its session and stays so."""
    action = queries.get_action(request.user, action_id)
    change_own_status(action, payload.status, by=request.user, confirmed=payload.confirmed)
    return action
