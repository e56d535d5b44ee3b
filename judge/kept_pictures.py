"""Pictures of a session's newest check that did not pass, in Valkey for half an hour, so that they
can go along when it is contested.

Best effort: without Valkey there are none, and the check stands all the same. Staff see none of
them here; what a student consents to show is copied by `judge.appeals`.
"""

import datetime
import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import redis

from elivio.valkey import connect
from judge.evidence import Evidence
from judge.models import CheckRun
from judge.result import CheckResult
from plans.stored_checklist import dicts_in

EXPIRY_SECONDS = 30 * 60
_CHECK, _STARTED = b"check", b"startedAt"
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A picture as the judge got it. `pinned_to` is the key of the row it was kept for, or ""."""

    number: int
    jpeg: bytes
    taken_at: datetime.datetime
    pinned_to: str

    def concerns(self, row_key: str) -> bool:
        """Whether it could have been evidence for this row; every one is for the whole check."""
        return not row_key or self.pinned_to in ("", row_key)


def keep_pictures(session_id: uuid.UUID, result: CheckResult, evidence: Evidence) -> None:
    """Keep what the judge saw in a check that did not pass, in place of the session's last one. A
    check that answers late, after one that was started later, keeps none."""
    if result.id is None or result.outcome == CheckRun.Outcome.PASSED or not evidence.frames:
        return
    pictures = {str(frame.number): frame.data for frame in evidence.frames}
    key, started = _key(session_id), result.started_at.timestamp()

    def replace_older(pipe: redis.client.Pipeline) -> None:
        there = pipe.hget(key, _STARTED)
        pipe.multi()
        if there is None or float(there) <= started:
            about = {_CHECK: result.id.bytes, _STARTED: started}
            pipe.delete(key).hset(key, mapping=about | pictures).expire(key, EXPIRY_SECONDS)

    try:
        connect().transaction(replace_older, key)
    except redis.RedisError as error:
        logger.warning("The pictures of a check could not be kept: %s", error)


def count_kept(run: CheckRun) -> int:
    """How many pictures of this check are there to show; none of them is read."""
    if run.session_id is None:
        return 0
    try:
        with connect().pipeline() as pipe:
            check_id, fields = (
                pipe.hget(_key(run.session_id), _CHECK).hlen(_key(run.session_id)).execute()
            )
    except redis.RedisError as error:
        logger.warning("Kept pictures could not be counted: %s", error)
        return 0
    return fields - len((_CHECK, _STARTED)) if check_id == run.pk.bytes else 0


def read_kept(run: CheckRun) -> list[KeptPicture]:
    """The pictures of this check that have not expired, by their number."""
    if run.session_id is None:
        return []
    try:
        kept = connect().hgetall(_key(run.session_id))
    except redis.RedisError as error:
        logger.warning("Kept pictures could not be read: %s", error)
        return []
    if kept.get(_CHECK) != run.pk.bytes:
        return []
    seen = {str(frame.get("number")): frame for frame in dicts_in(run.evidence.get("frames"))}
    found = [
        _read_picture(run, seen[number], jpeg)
        for name, jpeg in kept.items()
        if (number := name.decode()) in seen
    ]
    return sorted(found, key=lambda picture: picture.number)


def forget_kept(session_ids: Sequence[uuid.UUID]) -> bool:
    """Delete what is kept of these sessions. False when Valkey is out of reach."""
    if not session_ids:
        return True
    try:
        connect().delete(*map(_key, session_ids))
    except redis.RedisError as error:
        logger.warning("Kept pictures could not be removed, they expire: %s", error)
        return False
    return True


def _read_picture(run: CheckRun, seen: Mapping[str, Any], jpeg: bytes) -> KeptPicture:
    age = datetime.timedelta(seconds=int(seen.get("ageSeconds") or 0))
    pinned_to = str(seen.get("pinnedTo") or "")
    return KeptPicture(int(seen["number"]), jpeg, run.created_at - age, pinned_to)


def _key(session_id: uuid.UUID) -> str:
    return f"elivio:judged:{session_id}"
