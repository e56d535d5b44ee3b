"""The outbox: a row first, a task second. The one caller of Celery, it never waits for a broker."""

import logging
import threading
import uuid
from collections.abc import Iterable, Sequence

from celery import current_app
from django.db import transaction

from plans.models.followup import FollowUp

TASK = "elivio.run_followup"
logger = logging.getLogger(__name__)
# A hung broker may keep this many publishers waiting; what does not fit waits for the sweep.
_publishers = threading.BoundedSemaphore(8)


def add(cause: str, plan_id: uuid.UUID, kinds: Sequence[str], **about: uuid.UUID) -> None:
    """Write one FollowUp per kind, inside the caller's transaction, and enqueue them on commit.

    `cause` names what happened, for example "completion:<uuid>"; the same cause and kind are
    written once. `about` may hold `action_id` and `session_id`.
    """
    rows = [FollowUp(key=f"{cause}:{kind}", kind=kind, plan_id=plan_id, **about) for kind in kinds]
    FollowUp.objects.bulk_create(rows, ignore_conflicts=True)
    ids = [str(row.id) for row in rows]
    transaction.on_commit(lambda: enqueue(ids), robust=True)


def enqueue(ids: Iterable[str]) -> None:
    """Hand FollowUp ids to the worker; what is not delivered, the sweep does later."""
    publish(TASK, ids)


def publish(task: str, ids: Iterable[str]) -> None:
    """Send one task per id, from a thread of its own: a broker that is down or hung costs the
    caller nothing. Whoever calls has rows and a sweep that make up for a lost message."""
    if not _publishers.acquire(blocking=False):
        return
    try:
        threading.Thread(target=_publish, args=(list(ids), task), daemon=True).start()
    except RuntimeError as error:
        # No thread to be had: at the end of the process, or at a limit of the machine's.
        _publishers.release()
        logger.warning("%s: its rows wait for the sweep: %r", task, error)


def _publish(ids: list[str], task: str = TASK) -> None:
    try:
        for row_id in ids:
            current_app.send_task(task, [row_id], retry=False)
    except Exception as error:
        # Any failure of the broker's client is the same to us: the rows wait for the sweep.
        logger.warning("The broker did not take %s, the sweep will: %r", task, error)
    finally:
        _publishers.release()
