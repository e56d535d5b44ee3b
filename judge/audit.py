"""Writing the CheckRun, best effort: a failing audit keeps no answer from the student. Its times
come from the database's clock, the one that all web processes share."""

import dataclasses
import datetime
import logging
import uuid

from django.db import connection, transaction

from judge.models import CheckRun
from judge.result import CheckResult, ModelCalls

logger = logging.getLogger(__name__)


def read_clock() -> datetime.datetime:
    """The database's time now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


def record_check(
    result: CheckResult,
    calls: ModelCalls,
    *,
    trigger: str,
    student_id: int,
    session_id: uuid.UUID | None,
) -> CheckResult:
    """Store the run in a savepoint of its own. Returns the result with the row's id, or with
    id None when the row could not be written."""
    try:
        with transaction.atomic():
            row = CheckRun.objects.create(
                action_id=result.task.action_id,
                student_id=student_id,
                session_id=session_id,
                trigger=trigger,
                outcome=result.outcome,
                reason=result.reason,
                checklist=[row.as_json() for row in result.rows],
                summary=result.summary,
                is_stuck=result.is_stuck,
                all_met_mismatch=result.mismatch,
                spec_version=result.task.spec_version,
                judge_kind=result.judge_kind,
                started_at=result.started_at,
                **calls.as_columns(),
            )
    except Exception:
        # Whatever keeps the row from being written (database, encoding, size), the student's
        # answer stands, and a Completion made from it says that the audit is missing.
        logger.exception("The audit row of a check could not be written.")
        return result
    return dataclasses.replace(result, id=row.id, created_at=row.created_at)
