"""Plans in the making as JSON. Thin: the use cases are in `plans.making.drafts`."""

import uuid
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Status

from elivio.json_body import JsonBody
from elivio.schemas import BAD_BODY, refusals, show_examples
from plans.making import drafts, examples
from plans.making.schemas import AcceptedOut, BriefIn, DraftOut, DraftStateOut, DroppedOut, EditIn
from plans.models import PlanDraft

router = Router(by_alias=True, tags=["Plan making"])


@router.post(
    "/plan-drafts",
    response={202: DraftStateOut, **refusals(403, 409, *BAD_BODY)},
    summary="Ask for a plan",
    openapi_extra=show_examples(examples.ASKED, status=202, asked=examples.BRIEF),
)
def ask_for_plan(
    request: HttpRequest, payload: Annotated[BriefIn, JsonBody(...)]
) -> Status[PlanDraft]:
    """Describe your project and have a plan proposed. It is made in the background: read the draft
    to see how far it is. The same request again, while it is being made, gives the same draft. At
    most five drafts that you have not accepted."""
    return Status(202, drafts.ask_for_plan(request.user, **payload.model_dump()))


@router.get(
    "/plan-drafts",
    response={200: list[DraftOut], **refusals()},
    summary="List your plans in the making",
    openapi_extra=show_examples([examples.DRAFT]),
)
def list_drafts(request: HttpRequest) -> list[PlanDraft]:
    """Your drafts that have not become a plan, newest first."""
    return list(drafts.drafts_of(request.user))


@router.get(
    "/plan-drafts/{draft_id}",
    response={200: DraftOut, **refusals(404)},
    summary="Read a plan in the making",
    openapi_extra=show_examples(examples.DRAFT),
)
def read_draft(request: HttpRequest, draft_id: uuid.UUID) -> PlanDraft:
    """Where it stands, what you asked for, the proposal, and what the review found in it."""
    return drafts.get_draft(request.user, draft_id)


@router.put(
    "/plan-drafts/{draft_id}/proposal",
    response={200: DraftOut, **refusals(403, 404, 409, *BAD_BODY)},
    summary="Change the proposal",
    openapi_extra=show_examples(examples.DRAFT, asked=examples.EDIT),
)
def edit_proposal(
    request: HttpRequest, draft_id: uuid.UUID, payload: Annotated[EditIn, JsonBody(...)]
) -> PlanDraft:
    """Put your own version in place of the proposal. What code finds in it is told, and stops
    nothing. 409 while it is being made, and when `version` is no longer the stored one, unless
    the plan that is stored is this very one."""
    return drafts.edit_proposal(request.user, draft_id, payload.proposal, payload.version)


@router.post(
    "/plan-drafts/{draft_id}/retry",
    response={202: DraftStateOut, **refusals(403, 404, 409)},
    summary="Try again",
    openapi_extra=show_examples(examples.ASKED, status=202),
)
def try_again(request: HttpRequest, draft_id: uuid.UUID) -> Status[PlanDraft]:
    """Have a plan that did not come through made anew, from the same description."""
    return Status(202, drafts.try_again(request.user, draft_id))


@router.post(
    "/plan-drafts/{draft_id}/accept",
    response={200: AcceptedOut, **refusals(403, 404, 409)},
    summary="Accept the plan",
    openapi_extra=show_examples(examples.ACCEPTED),
)
def accept_draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    """Make it your plan. Accepting again gives the same plan."""
    return {"plan_id": drafts.accept_draft(request.user, draft_id).pk}


@router.delete(
    "/plan-drafts/{draft_id}",
    response={200: DroppedOut, **refusals(403, 404, 409)},
    summary="Drop a plan in the making",
    openapi_extra=show_examples(examples.DROPPED),
)
def drop_draft(request: HttpRequest, draft_id: uuid.UUID) -> dict[str, Any]:
    """Delete the draft and what you wrote for it, also while it is being made."""
    drafts.drop_draft(request.user, draft_id)
    return {"id": draft_id, "dropped": True}
