"""How a tap differs from the check before it: which rows, and what is known to explain it.

It reads the run before and compares; it decides no row.
"""

import dataclasses
import datetime
import hashlib
from collections.abc import Sequence
from typing import Any

from judge.evidence import Evidence, Task
from judge.models import CheckRun
from judge.policy import RowVerdict
from judge.result import ResultRow
from judge.sentences import say_changed, say_why_changed


def read_run_before(task: Task, started_at: datetime.datetime) -> CheckRun | None:
    """The last decided run at this spec version among those that started before this time."""
    runs = CheckRun.objects.filter(
        action_id=task.action_id, spec_version=task.spec_version, started_at__lt=started_at
    ).exclude(outcome=CheckRun.Outcome.UNDECIDED)
    # The evidence is fetched when a changed row asks for it.
    return runs.order_by("-started_at").only("outcome", "checklist").first()


def mark_changes(rows: Sequence[ResultRow], before: CheckRun | None) -> tuple[ResultRow, ...]:
    """The rows, with what they were where met has become something else, or the reverse. One that
    a person decided meanwhile is no change of the judge's."""
    stored = {row["id"]: row["status"] for row in before.checklist} if before else {}
    return tuple(
        dataclasses.replace(row, was=was)
        if (was := stored.get(str(row.row.id)))
        and (was == "met") != (row.status == "met")
        and not row.decision
        else row
        for row in rows
    )


def describe_changes(
    rows: Sequence[ResultRow], verdicts: Sequence[RowVerdict], before: CheckRun, evidence: Evidence
) -> list[str]:
    """Lines that name each changed row and say why that can be; none without one."""
    changed = [row for row in rows if row.was]
    if not changed:
        return []
    said = {verdict.row.id: verdict for verdict in verdicts}
    faults = [_explain(row, said[row.row.id], before, evidence) for row in changed]
    lines = [say_changed(row.row.title, row.was, row.status) for row in changed]
    return [*lines, say_why_changed(faults)]


def _explain(row: ResultRow, verdict: RowVerdict, before: CheckRun, evidence: Evidence) -> str:
    """What is known to have taken the row its evidence, as a code; "" when nothing is."""
    if row.status == "met":
        return ""
    stored = next(item for item in before.checklist if item["id"] == str(row.row.id))
    if "decision" in stored:
        return "decision_ended"
    if verdict.claimed_met and row.faults:
        return row.faults[0]
    for cited in stored["evidence"]:
        if "turn" in cited and evidence.turn(cited["turn"]) is None:
            return "turn_left_out"
        if "frame" in cited and _is_gone(cited["frame"], before.evidence, evidence):
            return "frame_gone"
    return ""


def _is_gone(number: int, record: dict[str, Any], evidence: Evidence) -> bool:
    """Whether a picture that counted then does not count now. Frames are numbered anew in each
    run, so they are known by their digest."""
    digests = {each["number"]: each["sha256"] for each in record.get("frames", [])}
    if number not in digests:
        return False
    current = (frame.data for frame in evidence.frames if frame.is_current)
    return digests[number] not in {hashlib.sha256(data).hexdigest() for data in current}
