"""The words of a reply while it is made: published by the request that answers a turn, followed by
the student's page, and stopped from there.

They stand in Valkey for a few minutes, and nothing depends on them: when it is out of reach the
reply arrives whole. Must not decide what is stored.
"""

import json
import logging
import re
import time
import uuid
from collections.abc import AsyncIterator

import redis
import redis.asyncio
from django.conf import settings

from elivio.valkey import connect
from plans.errors import Refused
from sessions.models import Turn

LEFTOVER_SECONDS = 60
BLOCK_SECONDS = 5
_EVENT_ID = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")
_WORDS, _END = b"words", b"end"
logger = logging.getLogger(__name__)


class Stopped(Exception):
    """The student does not want the rest of this reply."""


class StopUnavailable(Refused):
    status = 409

    def __init__(self) -> None:
        super().__init__("This answer cannot be stopped just now. It will be here in a minute.")


def make_key(session_id: uuid.UUID, client_id: str, tries: int) -> str:
    """Where the words of one try at a reply stand."""
    return f"elivio:live:{session_id}:{tries}:{client_id}"


def key_of(turn: Turn) -> str | None:
    """Where the reply to a student's turn is published now; None for one without a client id,
    which no page can follow."""
    return make_key(turn.session_id, turn.client_id, turn.tries) if turn.client_id else None


class Preview:
    """The text of a reply as it comes. `emit` raises Stopped once the student has asked for it."""

    def __init__(self, key: str | None) -> None:
        self.text = ""
        self._key = key
        self._is_new_part = False

    def begin_part(self) -> None:
        """What comes next stands apart from the words so far: a tool was run between them."""
        self._is_new_part = bool(self.text)

    def emit(self, piece: str) -> None:
        if piece and self._is_new_part:
            piece, self._is_new_part = f"\n\n{piece}", False
        self.text += piece
        if self._publish({_WORDS: json.dumps(piece)} if piece else {}):
            raise Stopped

    def end(self) -> None:
        """Say that what is stored now is all there will be."""
        self._publish({_END: b"1"})

    def _publish(self, fields: dict[bytes, str | bytes]) -> bool:
        """Publish, and return whether the student has asked to stop."""
        if self._key is None:
            return False
        try:
            with connect().pipeline() as pipe:
                if fields:
                    pipe.xadd(self._key, fields).expire(self._key, _longest_seconds())
                pipe.exists(_stop_key(self._key))
                return bool(pipe.execute()[-1])
        except redis.RedisError as error:
            logger.warning("A reply could not be shown as it came: %s", error)
            self._key = None  # Trying again would hold up each piece.
            return False


def ask_to_stop(turn: Turn) -> None:
    """Have the reply to this turn end at its next piece. Raises StopUnavailable."""
    key = key_of(turn)
    if key is None:
        raise StopUnavailable
    try:
        connect().set(_stop_key(key), 1, ex=_longest_seconds())
    except redis.RedisError as error:
        raise StopUnavailable from error


async def follow(key: str, after: str) -> AsyncIterator[bytes]:
    """The words as server-sent events, from the one after `after` on, until the reply is stored,
    given up, or later than any reply can be. Holds no database connection."""
    ends_at = time.monotonic() + settings.COPILOT_DEADLINE_SECONDS + BLOCK_SECONDS
    after = after if _EVENT_ID.fullmatch(after) else "0-0"
    client = _async_client()
    yield b"retry: 1000\n\n"
    try:
        while time.monotonic() < ends_at:
            found = await client.xread({key: after}, block=round(BLOCK_SECONDS * 1000))
            # A comment, by which a connection that is gone is noticed.
            yield b"" if found else b":\n\n"
            for event_id, fields in found[0][1] if found else []:
                after = event_id.decode()
                yield _as_event(after, fields)
                if _END in fields:
                    return
        yield b"event: end\ndata:\n\n"
    except redis.RedisError as error:
        logger.warning("A reply cannot be followed: %s", error)
        yield b"event: quiet\ndata:\n\n"
    finally:
        await client.aclose()


def _as_event(event_id: str, fields: dict[bytes, bytes]) -> bytes:
    name = b"end" if _END in fields else b"words"
    data = fields.get(_WORDS, b"")
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (event_id.encode(), name, data)


def _stop_key(key: str) -> str:
    return f"{key}:stop"


def _longest_seconds() -> int:
    return round(settings.COPILOT_DEADLINE_SECONDS) + LEFTOVER_SECONDS


def _async_client() -> redis.asyncio.Redis:
    """One for each follower: connections belong to an event loop."""
    seconds = settings.REDIS_SOCKET_SECONDS
    return redis.asyncio.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=seconds + BLOCK_SECONDS,
        socket_connect_timeout=seconds,
        single_connection_client=True,
    )
