"""A student's objection to a check: written for staff, completes nothing."""

import uuid

from django.db import transaction
from django.shortcuts import get_object_or_404

from elivio.text import find_fault
from judge.models import Appeal, CheckRun
from plans.errors import Refused

LONGEST_MESSAGE = 2000


class ReportRefused(Refused):
    """A report that cannot be taken; the sentence says what to do."""

    status = 422


@transaction.atomic
def report_check(
    check_id: uuid.UUID,
    *,
    by,
    requirement_id: uuid.UUID | None = None,
    message: str = "",
) -> Appeal:
    """File an Appeal to a check, or to one row of it. Again for the same row: the same Appeal,
    with the new words added to it.

    Raises Http404 for a missing, archived or somebody else's check, ReportRefused for a row that
    is not in it or a text that cannot be stored.
    """
    checks = CheckRun.objects.filter(
        student=by, action__archived_at=None, action__week__plan__archived_at=None
    )
    check_run = get_object_or_404(checks, pk=check_id)
    if requirement_id and str(requirement_id) not in {row["id"] for row in check_run.checklist}:
        raise ReportRefused("This check has no such row. Pick one of the rows on the card.")
    if message and (fault := find_fault(message, longest=LONGEST_MESSAGE)):
        raise ReportRefused(fault)
    appeal, is_new = Appeal.objects.get_or_create(
        check_run=check_run,
        requirement_id=requirement_id,
        defaults={"student": by, "message": message},
    )
    if not is_new:
        appeal = Appeal.objects.select_for_update().get(pk=appeal.pk)
        if message not in appeal.message:
            appeal.message = f"{appeal.message}\n\n{message}".strip()
            if len(appeal.message) > LONGEST_MESSAGE:
                raise ReportRefused("Your report of this row is full. A person will read it.")
            appeal.save(update_fields=("message",))
    return appeal
