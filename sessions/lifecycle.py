"""Opening and ending a session. Ending writes follow-ups; nothing here asks a model."""

import datetime
import logging
import uuid

from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone

from plans import outbox
from plans.errors import AlreadyCompleted, Refused
from plans.models import Action, FollowUp, Status
from sessions.models import CopilotSession

logger = logging.getLogger(__name__)


class SessionClosed(Refused):
    def __init__(self) -> None:
        super().__init__("This session has ended. Open the task again from your plan to go on.")


def open_session(action: Action, student) -> CopilotSession:
    """The student's open session on this action, made when there is none. The caller has checked
    that the action is the student's. Raises Refused on a completed action."""
    mine = CopilotSession.objects.open().filter(action=action, student=student)
    if session := mine.first():
        return session
    if action.status == Status.COMPLETED:
        raise AlreadyCompleted
    # Two tabs may come this far; the database lets one of them in, and the other gets its session.
    return CopilotSession.objects.get_or_create(action=action, student=student, ended_at=None)[0]


@transaction.atomic
def end_session(session: CopilotSession, reason: str) -> CopilotSession:
    """End the session and write what follows from it. Ended already is a quiet success."""
    row = _lock(session.pk)
    if row.ended_at is None:
        _end(row, reason)
    return row


def end_idle_sessions() -> int:
    """End sessions without activity for settings.SESSION_IDLE_MINUTES. Returns how many. One that
    cannot be ended is logged and keeps no other one open."""
    since = timezone.now() - datetime.timedelta(minutes=settings.SESSION_IDLE_MINUTES)
    idle = CopilotSession.objects.open().filter(last_active_at__lt=since).order_by("last_active_at")
    ended = 0
    for pk in list(idle.values_list("pk", flat=True)[:500]):
        try:
            ended += _end_if_idle(pk, since)
        except DatabaseError:
            logger.exception("Session %s could not be ended", pk)
    return ended


def mark_active(session: CopilotSession) -> None:
    """A check or a picture is work too: the idle sweep counts from here."""
    CopilotSession.objects.filter(pk=session.pk).update(last_active_at=timezone.now())


@transaction.atomic
def _end_if_idle(session_id: uuid.UUID, since: datetime.datetime) -> bool:
    """The student may have come back since the sweep read its list: decide from the locked row."""
    row = _lock(session_id)
    if row.ended_at or row.last_active_at >= since:
        return False
    _end(row, CopilotSession.EndReason.IDLE)
    return True


def _lock(session_id: uuid.UUID) -> CopilotSession:
    sessions = CopilotSession.objects.select_for_update(no_key=True, of=("self",))
    return sessions.select_related("action__week").get(pk=session_id)


def _end(row: CopilotSession, reason: str) -> None:
    """The caller holds the row's lock."""
    row.ended_at = timezone.now()
    row.end_reason = reason
    row.save(update_fields=("ended_at", "end_reason"))
    outbox.add(
        f"session:{row.pk}",
        row.action.week.plan_id,
        [FollowUp.Kind.REMEMBER_SESSION, FollowUp.Kind.REFRESH_REPORT],
        action_id=row.action_id,
        session_id=row.pk,
    )
