"""Changing the tasks of a plan, and what was changed, as JSON. Thin over `plans.editing`."""

import uuid
from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Status

from elivio.json_body import JsonBody
from elivio.schemas import BAD_BODY, refusals, show_examples
from plans import editing, examples
from plans.editing_schemas import EditOut, TaskDropIn, TaskEditIn, TaskIn, TaskMoveIn
from plans.history import read_history
from plans.models import Action
from plans.queries import get_action
from plans.schemas import ActionOut

router = Router(by_alias=True, tags=["Editing"])
REFUSALS = refusals(403, 404, 409, *BAD_BODY)


@router.patch(
    "/actions/{action_id}",
    response={200: ActionOut, **REFUSALS},
    summary="Edit a task",
    openapi_extra=show_examples(examples.EDITED, asked=examples.EDIT_TASK),
)
def edit_task(
    request: HttpRequest, action_id: uuid.UUID, payload: Annotated[TaskEditIn, JsonBody(...)]
) -> Action:
    """Change the texts of a task that is not complete. Any change raises its spec version, and a
    check of the earlier version no longer counts. 409 when it is not at `specVersion` any more,
    unless it has these texts already."""
    version = payload.spec_version
    editing.edit_task(request.user, action_id, payload.as_changes(), expected_version=version)
    return get_action(request.user, action_id)


@router.post(
    "/actions/{action_id}/move",
    response={200: ActionOut, **REFUSALS},
    summary="Move a task",
    openapi_extra=show_examples(examples.EDITED, asked=examples.MOVE_TASK),
)
def move_task(
    request: HttpRequest, action_id: uuid.UUID, payload: Annotated[TaskMoveIn, JsonBody(...)]
) -> Action:
    """Move a task that is not complete within its week, or into another. The last open task of a
    week leaves it only with `closeWeek`: ask the student first."""
    close_week = payload.close_week
    editing.move_task(request.user, action_id, payload.as_place(), close_week=close_week)
    return get_action(request.user, action_id)


@router.post(
    "/weeks/{week_id}/actions",
    response={201: ActionOut, **REFUSALS},
    summary="Add a task",
    openapi_extra=show_examples(examples.EDITED, status=201, asked=examples.ADD_TASK),
)
def add_task(
    request: HttpRequest, week_id: uuid.UUID, payload: Annotated[TaskIn, JsonBody(...)]
) -> Status:
    """Add a task at the end of a week, with one requirement at least. A complete week opens."""
    edit = editing.add_task(
        request.user,
        week_id,
        title=payload.title,
        description=payload.description,
        rows=[row.as_row() for row in payload.requirements],
    )
    return Status(201, get_action(request.user, edit.action_id))


@router.post(
    "/actions/{action_id}/drop",
    response={200: EditOut, **REFUSALS},
    summary="Drop a task",
    openapi_extra=show_examples(examples.DROPPED, asked=examples.DROP_TASK),
)
def drop_task(
    request: HttpRequest, action_id: uuid.UUID, payload: Annotated[TaskDropIn, JsonBody(...)]
) -> EditOut:
    """Take a task that is not complete out of the plan. Nothing of it is deleted, and it can be
    restored. The last open task of a week goes only with `closeWeek`: ask the student first."""
    edit = editing.drop_task(request.user, action_id, close_week=payload.close_week)
    return EditOut.describe(edit)


@router.post(
    "/actions/{action_id}/restore",
    response={200: ActionOut, **refusals(403, 404, 409)},
    summary="Restore a dropped task",
    openapi_extra=show_examples(examples.EDITED),
)
def restore_task(request: HttpRequest, action_id: uuid.UUID) -> Action:
    """Take a drop back. A task that was not dropped is answered as it is."""
    editing.restore_task(request.user, action_id)
    return get_action(request.user, action_id)


@router.get(
    "/actions/{action_id}/history",
    response={200: list[EditOut], **refusals(404)},
    summary="Read what was changed in a task",
    openapi_extra=show_examples([examples.EDIT]),
)
def list_edits(request: HttpRequest, action_id: uuid.UUID) -> list[EditOut]:
    """The edits of a task, newest first."""
    action = get_action(request.user, action_id)
    return [EditOut.describe(edit) for edit in read_history(action)]
