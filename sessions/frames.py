"""Frames of the shared screen: the last three of a session, in Valkey, for half an hour.

Shared by all web processes. When Valkey is out of reach a check goes on without them; see
`sessions.gathering`.
"""

import json
import logging
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import redis

from elivio.valkey import connect
from judge.evidence import Frame
from plans.errors import Refused
from sessions.images import CleanImage

KEPT = 3
SHARE_SECONDS = 15  # a shared screen sends a picture this often
EXPIRY_SECONDS = 30 * 60
logger = logging.getLogger(__name__)


class FramesUnavailable(Refused):
    status = 503

    def __init__(self) -> None:
        super().__init__("Your screen could not be received just now. Paste your work as text.")


@dataclass(frozen=True, slots=True)
class StoredFrame:
    """A frame with the time it was received, in seconds since the epoch."""

    jpeg: bytes
    is_black: bool
    received_at: float


def store_frame(session_id: uuid.UUID, image: CleanImage) -> StoredFrame:
    """Keep a frame as the session's newest. Raises FramesUnavailable."""
    frame = StoredFrame(image.jpeg, image.is_black, time.time())
    key = _key(session_id)
    try:
        with connect().pipeline() as pipe:
            pipe.lpush(key, _pack(frame)).ltrim(key, 0, KEPT - 1).expire(key, EXPIRY_SECONDS)
            pipe.execute()
    except redis.RedisError as error:
        raise FramesUnavailable from error
    return frame


def read_frames(session_id: uuid.UUID) -> list[StoredFrame]:
    """The session's frames that have not expired, oldest first. Raises FramesUnavailable."""
    try:
        packed = connect().lrange(_key(session_id), 0, KEPT - 1)
    except redis.RedisError as error:
        logger.warning("Frames could not be read: %s", error)
        raise FramesUnavailable from error
    frames = [_unpack(value) for value in reversed(packed)]
    return [frame for frame in frames if time.time() - frame.received_at < EXPIRY_SECONDS]


def read_newest_age(session_id: uuid.UUID) -> int | None:
    """The age in seconds of the session's newest frame, or None when there is none."""
    try:
        packed = connect().lindex(_key(session_id), 0)
    except redis.RedisError as error:
        logger.warning("The newest frame could not be read: %s", error)
        return None
    age = max(0, round(time.time() - _unpack(packed).received_at)) if packed else EXPIRY_SECONDS
    return age if age < EXPIRY_SECONDS else None


def forget_frames(session_ids: Sequence[uuid.UUID]) -> None:
    """Delete the frames of these sessions. Raises FramesUnavailable."""
    if not session_ids:
        return
    try:
        connect().delete(*map(_key, session_ids))
    except redis.RedisError as error:
        raise FramesUnavailable from error


def as_evidence(frames: list[StoredFrame], *, after: int = 0) -> tuple[Frame, ...]:
    """Frames as a judge gets them, numbered on from `after`, with their age now."""
    now = time.time()
    return tuple(
        Frame(number, frame.jpeg, max(0, round(now - frame.received_at)), frame.is_black)
        for number, frame in enumerate(frames, start=after + 1)
    )


def _key(session_id: uuid.UUID) -> str:
    return f"elivio:frames:{session_id}"


def _pack(frame: StoredFrame) -> bytes:
    head = {"isBlack": frame.is_black, "receivedAt": frame.received_at}
    return json.dumps(head).encode() + b"\n" + frame.jpeg


def _unpack(value: bytes) -> StoredFrame:
    head, _, jpeg = value.partition(b"\n")
    about = json.loads(head)
    return StoredFrame(jpeg, about["isBlack"], about["receivedAt"])
