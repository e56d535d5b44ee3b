"""The handlers behind FollowUp rows: best effort, idempotent, each effect once.

A row is claimed for a while instead of locked, because a handler may ask a model. A worker that
dies leaves its claim to run out, and the sweep takes the row again.
"""

import datetime
import logging
import time
import uuid
from collections.abc import Callable

from django.db.models import F, Q
from django.utils import timezone

from elivio.llm.errors import LLMError
from plans.models import Action, FollowUp, Status
from sessions import frames, memory, report
from sessions.lifecycle import end_session
from sessions.models import CopilotSession
from sessions.pins import forget_pictures

# Longer than settings.CELERY_TASK_TIME_LIMIT: no claim runs out under a handler that still works.
CLAIM = datetime.timedelta(minutes=6)
MOST_ATTEMPTS = 12
# Well under that limit, as the last handler begun may still wait for a model.
SWEEP_SECONDS = 120.0
logger = logging.getLogger(__name__)


def close_sessions(followup: FollowUp) -> None:
    """End the open sessions of a completed action and delete its pictures; a late run leaves a
    reopened one alone."""
    sessions = CopilotSession.objects.open().filter(
        action_id=followup.action_id, action__status=Status.COMPLETED
    )
    for session in sessions:
        end_session(session, CopilotSession.EndReason.COMPLETED)
    if Action.objects.filter(pk=followup.action_id, status=Status.COMPLETED).exists():
        forget_pictures(followup.action_id)
        _forget_frames(followup.action_id)


def _forget_frames(action_id: uuid.UUID) -> None:
    sessions = CopilotSession.objects.filter(action_id=action_id)
    try:
        frames.forget_frames(list(sessions.values_list("pk", flat=True)))
    except frames.FramesUnavailable as error:
        # Not worth another try: they are gone within half an hour.
        logger.warning("Frames of a completed task were left to expire: %s", error)


def remember_session(followup: FollowUp) -> None:
    session = CopilotSession.objects.select_related("action__week").get(pk=followup.session_id)
    memory.remember_session(session)


def refresh_report(followup: FollowUp) -> None:
    report.refresh_report(followup.plan_id)


HANDLERS: dict[str, Callable[[FollowUp], None]] = {
    FollowUp.Kind.CLOSE_SESSIONS: close_sessions,
    FollowUp.Kind.REMEMBER_SESSION: remember_session,
    FollowUp.Kind.REFRESH_REPORT: refresh_report,
}


def run_followup(followup_id: uuid.UUID) -> bool:
    """Do one piece of work unless it is done, claimed or gone. Returns whether it was done now."""
    followup = _claim(followup_id)
    if followup is None:
        return False
    try:
        HANDLERS[followup.kind](followup)
    except LLMError as error:
        logger.warning("Follow-up %s waits for its model: %s", followup.key, error)
        _put_back(followup, error)
        return False
    except Exception as error:
        # Whatever went wrong, the row stays open and the sweep comes back to it.
        logger.exception("Follow-up %s failed", followup.key)
        _put_back(followup, error)
        return False
    FollowUp.objects.filter(pk=followup.pk).update(done_at=timezone.now(), last_error="")
    return True


def sweep_followups(limit: int = 200) -> int:
    """Do what is open and unclaimed, oldest first, for at most about SWEEP_SECONDS; the next
    sweep goes on from there. Returns how many were done."""
    ends_at = time.monotonic() + SWEEP_SECONDS
    open_rows = FollowUp.objects.filter(_claimable()).order_by("created_at")
    done = 0
    for followup_id in list(open_rows.values_list("pk", flat=True)[:limit]):
        if time.monotonic() > ends_at:
            break
        done += run_followup(followup_id)
    return done


def _claimable() -> Q:
    free = Q(claimed_until=None) | Q(claimed_until__lt=timezone.now())
    return Q(done_at=None, attempts__lt=MOST_ATTEMPTS) & free


def _claim(followup_id: uuid.UUID) -> FollowUp | None:
    claimed = FollowUp.objects.filter(_claimable(), pk=followup_id).update(
        claimed_until=timezone.now() + CLAIM, attempts=F("attempts") + 1
    )
    return FollowUp.objects.get(pk=followup_id) if claimed else None


def _put_back(followup: FollowUp, error: Exception) -> None:
    """Let the row be tried again after a pause, from a minute to about an hour. `attempts` tells
    our claim from a later one, which is left alone."""
    pause = datetime.timedelta(seconds=30 * 2 ** min(followup.attempts, 7))
    FollowUp.objects.filter(pk=followup.pk, attempts=followup.attempts, done_at=None).update(
        last_error=repr(error)[:300], claimed_until=timezone.now() + pause
    )
