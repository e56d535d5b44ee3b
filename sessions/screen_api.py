"""Pictures kept for a row and messages marked as one's work, as JSON. Thin over `sessions.pins`."""

import uuid
from typing import Annotated

from django.http import HttpRequest
from ninja import Form, Router, Status, UploadedFile

from elivio.schemas import BAD_BODY, MULTIPART, refusals, show_examples
from sessions import examples, images, pins
from sessions.chat import get_session
from sessions.models import CopilotSession, Turn
from sessions.schemas import PictureOut, TurnOut

router = Router(by_alias=True, tags=["Pictures and marks"])


@router.get(
    "/sessions/{session_id}/pictures",
    response={200: list[PictureOut], **refusals(404)},
    summary="List the pictures kept for a task",
    openapi_extra=show_examples([examples.PICTURE]),
)
def list_pictures(request: HttpRequest, session_id: uuid.UUID) -> list[PictureOut]:
    """The pictures of the session's task, oldest first, without their bytes: `url` has those."""
    return _describe_kept(get_session(request.user, session_id))


@router.post(
    "/sessions/{session_id}/pictures",
    response={201: PictureOut, **refusals(403, 404, 409, *BAD_BODY)},
    summary="Keep a picture for a row",
    openapi_extra=show_examples(
        examples.PICTURE, status=201, asked=examples.PICTURE_ASKED, media_type=MULTIPART
    ),
)
def keep_picture(
    request: HttpRequest,
    session_id: uuid.UUID,
    requirement_id: Annotated[uuid.UUID, Form(..., alias="requirementId")],
    image: UploadedFile,
) -> Status[PictureOut]:
    """One still JPEG, PNG or WebP of 8 MB at most, for a row that can be shown. Every check of
    the task sees it, for that row alone, until the task is done."""
    session = get_session(request.user, session_id)
    picture = pins.keep_picture(session, requirement_id, images.clean_upload(image))
    return Status(201, PictureOut.describe(picture, session))


@router.delete(
    "/sessions/{session_id}/pictures/{picture_id}",
    response={200: list[PictureOut], **refusals(403, 404)},
    summary="Remove a kept picture",
    openapi_extra=show_examples([examples.PICTURE]),
)
def remove_picture(
    request: HttpRequest, session_id: uuid.UUID, picture_id: uuid.UUID
) -> list[PictureOut]:
    """Gives the pictures that are left. Removing one that is gone changes nothing. There is no
    body."""
    session = get_session(request.user, session_id)
    pins.remove_picture(session, picture_id)
    return _describe_kept(session)


@router.post(
    "/sessions/{session_id}/turns/{turn_id}/pin",
    response={200: TurnOut, **refusals(403, 404, 409)},
    summary="Mark a message as your work",
    openapi_extra=show_examples(examples.PINNED),
)
def pin_turn(request: HttpRequest, session_id: uuid.UUID, turn_id: uuid.UUID) -> Turn:
    """However long the conversation gets, every check reads this message. Marking twice changes
    nothing. There is no body."""
    return pins.pin_turn(get_session(request.user, session_id), turn_id)


@router.delete(
    "/sessions/{session_id}/turns/{turn_id}/pin",
    response={200: TurnOut, **refusals(403, 404, 409)},
    summary="Take the mark off a message",
    openapi_extra=show_examples(examples.TURN),
)
def unpin_turn(request: HttpRequest, session_id: uuid.UUID, turn_id: uuid.UUID) -> Turn:
    """A message without a mark stays as it is. There is no body."""
    return pins.unpin_turn(get_session(request.user, session_id), turn_id)


def _describe_kept(session: CopilotSession) -> list[PictureOut]:
    return [PictureOut.describe(picture, session) for picture in pins.read_pictures(session)]
