"""Sessions as JSON: turns, frames, check and tap. Thin: every use case stands in its own module."""

import datetime
import uuid
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Status, UploadedFile

from elivio.json_body import JsonBody
from elivio.schemas import BAD_BODY, MULTIPART, refusals, show_examples
from judge.card import Card, latest_card
from judge.examples import FAILED
from judge.schemas import CheckOut, LatestCheckOut
from plans.queries import get_action
from sessions import completion, examples, frames, images, lifecycle, transcript
from sessions.chat import TurnAnswer, get_session, send_turn
from sessions.models import CopilotSession
from sessions.schemas import (
    CancelOut,
    CompleteOut,
    FrameOut,
    OpenedOut,
    ScreenshotIn,
    SessionOut,
    SessionPageOut,
    TurnAnswerOut,
    TurnIn,
)

router = Router(by_alias=True, tags=["Sessions"])
Screenshot = Annotated[ScreenshotIn | None, JsonBody(None)]


@router.post(
    "/actions/{action_id}/sessions",
    response={201: OpenedOut, **refusals(403, 404, 409)},
    summary="Open a session on a task",
    openapi_extra=show_examples(examples.OPENED, status=201),
)
def open_session(request: HttpRequest, action_id: uuid.UUID) -> Status[CopilotSession]:
    """Opening again gives the open session. There is no body."""
    action = get_action(request.user, action_id)
    return Status(201, lifecycle.open_session(action, request.user))


@router.get(
    "/sessions/{session_id}",
    response={200: SessionPageOut, **refusals(404, 422)},
    summary="Read a session",
    openapi_extra=show_examples(examples.PAGE),
)
def read_session(
    request: HttpRequest,
    session_id: uuid.UUID,
    before: Annotated[int | None, Query(None, ge=1)] = None,
) -> SessionPageOut:
    """The session with its newest turns, or with the newest of those numbered below `before`,
    and the task's latest check."""
    session = get_session(request.user, session_id)
    turns, next_before = transcript.read_page(session, before)
    card = latest_card(session.action_id)
    return SessionPageOut(
        **dict(SessionOut.model_validate(session)),
        turns=turns,
        next_before=next_before,
        latest_check=LatestCheckOut.describe(card, session.action.spec_version),
    )


@router.post(
    "/sessions/{session_id}/turns",
    response={201: TurnAnswerOut, **refusals(403, 404, 409, *BAD_BODY)},
    summary="Send a message to the copilot",
    openapi_extra=show_examples(examples.TURN_ANSWER, status=201, asked=examples.TURN_ASKED),
)
def add_turn(
    request: HttpRequest, session_id: uuid.UUID, payload: Annotated[TurnIn, JsonBody(...)]
) -> Status[TurnAnswer]:
    """Store your message (1 to 20,000 characters) and answer it. The message is kept when the
    copilot cannot answer: `reply` is then null."""
    session = get_session(request.user, session_id)
    return Status(201, send_turn(session, payload.text, payload.client_id))


@router.post(
    "/sessions/{session_id}/frames",
    response={201: FrameOut, **refusals(403, 404, 409, *BAD_BODY, 503)},
    summary="Share a picture of your screen",
    openapi_extra=show_examples(
        examples.FRAME, status=201, asked=examples.FRAME_ASKED, media_type=MULTIPART
    ),
)
def add_frame(request: HttpRequest, session_id: uuid.UUID, image: UploadedFile) -> Status[FrameOut]:
    """One still JPEG, PNG or WebP of 8 MB at most. The last three are kept, for half an hour."""
    session = get_session(request.user, session_id)
    if session.ended_at:
        raise lifecycle.SessionClosed
    frame = frames.store_frame(session.pk, images.clean_upload(image))
    lifecycle.mark_active(session)
    received_at = datetime.datetime.fromtimestamp(frame.received_at, datetime.UTC)
    return Status(201, FrameOut(received_at=received_at))


@router.post(
    "/sessions/{session_id}/check",
    response={200: CheckOut, **refusals(403, 404, 409, *BAD_BODY)},
    summary="Run the completion check",
    openapi_extra=show_examples(FAILED, asked=examples.SCREENSHOT_ASKED),
)
def run_check(request: HttpRequest, session_id: uuid.UUID, payload: Screenshot = None) -> Card:
    """A checklist from a judge that sees the task, your messages and your pictures, and nothing
    of the copilot's. It completes nothing. The body may be left out."""
    session = get_session(request.user, session_id)
    return completion.check_session(session, _screenshot(payload))


@router.post(
    "/sessions/{session_id}/complete",
    response={200: CompleteOut, **refusals(403, 404, 409, *BAD_BODY)},
    summary="Mark the task complete",
    openapi_extra=show_examples(examples.COMPLETED, asked=examples.SCREENSHOT_ASKED),
)
def mark_complete(
    request: HttpRequest, session_id: uuid.UUID, payload: Screenshot = None
) -> completion.CompleteAnswer:
    """Check again and, if every row is met, complete the task as checked. Not done is a normal
    answer with a fresh checklist. The body may be left out."""
    session = get_session(request.user, session_id)
    return completion.complete_session(session, _screenshot(payload))


@router.post(
    "/sessions/{session_id}/cancel",
    response={200: CancelOut, **refusals(403, 404)},
    summary="Stop marking the task complete",
    openapi_extra=show_examples(examples.CANCELLED),
)
def cancel(request: HttpRequest, session_id: uuid.UUID) -> CancelOut:
    """Stop what is on its way to complete the task in this session. After `completed: false` it
    completes nothing: its own answer is undecided, with the reason `cancelled`. A check needs no
    stopping, as it changes nothing. There is no body."""
    session = get_session(request.user, session_id)
    return CancelOut(completed=completion.cancel_tap(session))


@router.post(
    "/sessions/{session_id}/end",
    response={200: SessionOut, **refusals(403, 404)},
    summary="End a session",
    openapi_extra=show_examples(examples.ENDED),
)
def end_session(request: HttpRequest, session_id: uuid.UUID) -> CopilotSession:
    """Ending an ended session changes nothing. There is no body."""
    session = get_session(request.user, session_id)
    return lifecycle.end_session(session, CopilotSession.EndReason.STUDENT)


def _screenshot(payload: ScreenshotIn | None) -> str | None:
    return payload.screenshot_base64 if payload else None
