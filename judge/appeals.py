"""A student's objection to a check: written for staff, completes nothing.

What the judge saw of the screen is copied only with the student's consent.
"""

import uuid

from django.db import transaction
from django.shortcuts import get_object_or_404

from elivio.text import find_fault
from judge.kept_pictures import KeptPicture, read_kept
from judge.models import Appeal, AppealFrame, CheckRun
from plans.errors import Refused

LONGEST_MESSAGE = 2000
NO_SUCH_ROW = "This check has no such row. Pick one of the rows on the card."
UNCONTESTED = "This row is met or not decided. Contest a row that is not met, or the whole check."
NO_ROWS = (
    "This check has no rows, so there is nothing to decide. Edit the task to say what "
    "done means, or mark it yourself as self-reported on the plan page."
)
DECIDED = (
    "A person has decided this already; the card says what. "
    "Check again, and contest the new result if it is still wrong."
)


class ReportRefused(Refused):
    """A report that cannot be taken; the sentence says what to do."""

    status = 422


def report_check(
    check_id: uuid.UUID,
    *,
    by,
    requirement_id: uuid.UUID | None = None,
    message: str = "",
    share_pictures: bool = False,
) -> Appeal:
    """File an Appeal to a check, or to one unmet row of it. Again for the same row: the same
    Appeal, with the new words added to it.

    `share_pictures` is the student's consent: the pictures of this check that concern the row are
    then copied, for staff to see until they have decided. Any that have expired are left out.

    Raises Http404 for a missing, archived or somebody else's check, ReportRefused for a check
    without rows, a row that cannot be contested, a text that cannot be stored, and what is decided
    already.
    """
    checks = CheckRun.objects.filter(
        student=by, action__archived_at=None, action__week__plan__archived_at=None
    )
    check_run = get_object_or_404(checks.defer("request", "replies"), pk=check_id)
    if not check_run.checklist:
        raise ReportRefused(NO_ROWS)
    if requirement_id:
        _refuse_row(check_run, str(requirement_id))
    if message and (fault := find_fault(message, longest=LONGEST_MESSAGE)):
        raise ReportRefused(fault)
    # Before the transaction: Valkey may keep us waiting.
    pictures = _find_concerned(check_run, requirement_id) if share_pictures else []
    with transaction.atomic():
        appeal, is_new = Appeal.objects.get_or_create(
            check_run=check_run,
            requirement_id=requirement_id,
            defaults={"student": by, "message": message},
        )
        if not is_new:
            appeal = _add_words(appeal, message)
        if pictures and not appeal.frames.exists():
            AppealFrame.objects.bulk_create(
                AppealFrame(appeal=appeal, jpeg=each.jpeg, taken_at=each.taken_at)
                for each in pictures
            )
    return appeal


def _refuse_row(check_run: CheckRun, row_id: str) -> None:
    statuses = {row["id"]: row["status"] for row in check_run.checklist}
    if row_id not in statuses:
        raise ReportRefused(NO_SUCH_ROW)
    if statuses[row_id] not in ("not_met", "not_shown"):
        raise ReportRefused(UNCONTESTED)


def _find_concerned(check_run: CheckRun, requirement_id: uuid.UUID | None) -> list[KeptPicture]:
    """The kept pictures that could have been evidence for the row; all of them without a row."""
    rows = check_run.evidence.get("task", {}).get("rows", [])
    key = next((row["key"] for row in rows if row["id"] == str(requirement_id)), "")
    return [picture for picture in read_kept(check_run) if picture.concerns(key)]


def _add_words(appeal: Appeal, message: str) -> Appeal:
    appeal = Appeal.objects.select_for_update().get(pk=appeal.pk)
    if appeal.decided_at:
        raise ReportRefused(DECIDED)
    if message not in appeal.message:
        appeal.message = f"{appeal.message}\n\n{message}".strip()
        if len(appeal.message) > LONGEST_MESSAGE:
            raise ReportRefused("Your report of this row is full. A person will read it.")
        appeal.save(update_fields=("message",))
    return appeal
