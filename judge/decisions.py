"""Staff's decisions on contested rows: written once, counted at the student's next check or tap.

A decision completes nothing. It is bound to the action and the spec version that was contested.
"""

import uuid
from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from judge.evidence import Task
from judge.models import Appeal, RowDecision
from judge.policy import StaffDecision
from judge.reopened import is_after, reopened_at
from plans.errors import Refused


class DecisionRefused(Refused):
    """A decision that cannot be taken; the sentence says why."""


def read_decisions(task: Task) -> dict[uuid.UUID, StaffDecision]:
    """Requirements of the task that a person decided are met, at its spec version and since it
    was last reopened; the newest decision on a row counts. One query."""
    rows = RowDecision.objects.filter(action_id=task.action_id, spec_version=task.spec_version)
    rows = rows.annotate(reopened_at=reopened_at("action_id")).filter(is_after("decided_at"))
    newest = {row.requirement_id: row for row in rows.order_by("decided_at")}
    return {key: StaffDecision(row.pk) for key, row in newest.items() if row.is_met}


@transaction.atomic
def decide_row(
    appeal: Appeal, requirement_id: uuid.UUID, *, by, is_met: bool, reason: str
) -> RowDecision:
    """Decide one row of a contested check. The appeal is decided with the row it names, or with
    the last row that is not met when it is about the check as a whole; its pictures are then
    deleted.

    Raises DecisionRefused for somebody who is not staff, one's own appeal, an unknown row, a row
    that is decided already, or a decision without a reason.
    """
    appeal = (
        Appeal.objects.select_for_update(of=("self",)).select_related("check_run").get(pk=appeal.pk)
    )
    run = appeal.check_run
    judged = {row["id"]: row["status"] for row in run.checklist}
    if not by.is_staff:
        raise DecisionRefused("Only staff decide appeals.")
    if by.pk == appeal.student_id:
        raise DecisionRefused("This appeal is your own. Somebody else decides it.")
    if str(requirement_id) not in judged:
        raise DecisionRefused("This check has no such row.")
    if not reason.strip():
        raise DecisionRefused("Say in a sentence why you decide so; the student may ask.")
    if appeal.decisions.filter(requirement_id=requirement_id).exists():
        raise DecisionRefused("This row has been decided already. A decision is not changed.")
    decision = RowDecision.objects.create(
        appeal=appeal,
        action_id=run.action_id,
        requirement_id=requirement_id,
        spec_version=run.spec_version,
        judged_status=judged[str(requirement_id)],
        is_met=is_met,
        reason=reason.strip()[:500],
        decided_by=by,
    )
    wanted = _find_disputed(appeal, judged)
    decided = {str(pk) for pk in appeal.decisions.values_list("requirement_id", flat=True)}
    if wanted <= decided and appeal.decided_at is None:
        appeal.decided_at = timezone.now()
        appeal.save(update_fields=("decided_at",))
        appeal.frames.all().delete()
    return decision


def _find_disputed(appeal: Appeal, judged: Mapping[str, str]) -> set[str]:
    """Rows without whose decision the appeal waits: of a whole check those that are not met, and
    all where nothing else is."""
    if appeal.requirement_id:
        return {str(appeal.requirement_id)}
    return {key for key, status in judged.items() if status != "met"} or set(judged)
