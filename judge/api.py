"""Reporting a check as JSON. Thin: the use case is `judge.appeals`; it completes nothing."""

import uuid
from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Status

from elivio.json_body import JsonBody
from elivio.schemas import BAD_BODY, refusals, show_examples
from judge import examples
from judge.appeals import report_check
from judge.models import Appeal
from judge.schemas import ReportIn, ReportOut

router = Router(by_alias=True, tags=["Checks"])


@router.post(
    "/checks/{check_id}/report",
    response={201: ReportOut, **refusals(403, 404, 409, *BAD_BODY)},
    summary="Report a check that seems wrong",
    openapi_extra=show_examples(examples.REPORT, status=201, asked=examples.REPORT_ASKED),
)
def report(
    request: HttpRequest,
    check_id: uuid.UUID,
    payload: Annotated[ReportIn | None, JsonBody(None)] = None,
) -> Status[Appeal]:
    """Put one of your checks, or one row of it, before the staff. The body may be left out.
    Reporting the same row again gives the same report. With `sharePictures` staff see the pictures
    of this check that concern the row, until they have decided."""
    asked = payload or ReportIn()
    appeal = report_check(
        check_id,
        by=request.user,
        requirement_id=asked.requirement_id,
        message=asked.message,
        share_pictures=asked.share_pictures,
    )
    return Status(201, appeal)
