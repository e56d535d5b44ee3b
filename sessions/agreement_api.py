"""What is agreed on and what is remembered, as JSON. Thin over the use cases of the pages."""

import uuid
from typing import Annotated

from django.http import Http404, HttpRequest
from ninja import Router

from elivio.json_body import JsonBody
from elivio.schemas import BAD_BODY, refusals, show_examples
from plans import editing
from plans.agreed_rows import AgreedRow
from plans.models import Action
from plans.queries import find_plan, get_action
from plans.schemas import ActionOut
from sessions import agreement, examples, memory
from sessions.chat import get_session
from sessions.models import MemorySummary
from sessions.schemas import AgreementIn, MemoryOut, ProposalOut

router = Router(by_alias=True, tags=["Sessions"])


@router.post(
    "/actions/{action_id}/agreement",
    response={200: ActionOut, **refusals(403, 404, 409, *BAD_BODY)},
    summary="Agree on what you will make",
    openapi_extra=show_examples(examples.AGREED, asked=examples.AGREEMENT_ASKED),
)
def agree(
    request: HttpRequest, action_id: uuid.UUID, payload: Annotated[AgreementIn, JsonBody(...)]
) -> Action:
    """Your lines become requirements of origin `agreed`, in place of those before; the plan's own
    stay. They are checked like the others, and an earlier check no longer counts."""
    action = get_action(request.user, action_id)
    rows = [AgreedRow(row.title, row.evidence_kind) for row in payload.rows]
    editing.agree_on(request.user, action, rows)
    return action


@router.post(
    "/sessions/{session_id}/agreement/proposal",
    response={200: ProposalOut, **refusals(403, 404, 409)},
    summary="Ask for a proposal of what you will make",
    openapi_extra=show_examples(examples.PROPOSAL),
)
def propose(request: HttpRequest, session_id: uuid.UUID) -> agreement.Proposal:
    """From the conversation so far. It agrees on nothing: send what you keep of it yourself. There
    is no body."""
    return agreement.propose_rows(get_session(request.user, session_id))


@router.get(
    "/plans/{plan_id}/memories",
    response={200: list[MemoryOut], **refusals(404)},
    summary="List what is remembered",
    openapi_extra=show_examples([examples.MEMORY]),
)
def list_memories(request: HttpRequest, plan_id: uuid.UUID) -> list[MemorySummary]:
    """Of your sessions in this plan, newest first."""
    plan = find_plan(request.user, plan_id)
    return list(memory.memories_of(plan.pk, request.user.pk))


@router.delete(
    "/plans/{plan_id}/memories/{session_id}",
    response={200: list[MemoryOut], **refusals(403, 404)},
    summary="Delete what is remembered of a session",
    openapi_extra=show_examples([examples.MEMORY]),
)
def forget(request: HttpRequest, plan_id: uuid.UUID, session_id: uuid.UUID) -> list[MemorySummary]:
    """The answer is what is left. Deleting again changes nothing; it does not come back."""
    plan = find_plan(request.user, plan_id)
    if not memory.forget_memory(plan.pk, session_id, request.user.pk):
        raise Http404
    return list(memory.memories_of(plan.pk, request.user.pk))
