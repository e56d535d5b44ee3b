"""Frames in Valkey: how many, how long, for whom, and what a check gets without Valkey."""

import contextlib
import json
import socket
import threading
import time
import uuid

import pytest
import redis
from django.conf import settings as django_settings

from elivio.valkey import connect
from sessions.frames import (
    EXPIRY_SECONDS,
    FramesUnavailable,
    as_evidence,
    read_frames,
    read_newest_age,
    store_frame,
)
from sessions.images import CleanImage
from tests.sessions.together import run_python, run_together

SLACK = 3.0  # seconds that a slow machine may take; without patience nothing would ever end


@pytest.fixture
def session_id() -> uuid.UUID:
    return uuid.uuid4()


@pytest.fixture
def valkey() -> redis.Redis:
    return redis.Redis.from_url(django_settings.REDIS_URL)


@pytest.fixture
def hung():
    """The address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def picture(number: int, is_black: bool = False) -> CleanImage:
    return CleanImage(b"\xff\xd8\n\0" + bytes([number]), is_black)


def store_aged(valkey, session_id, number: int, age: float) -> None:
    head = {"isBlack": False, "receivedAt": time.time() - age}
    packed = json.dumps(head).encode() + b"\n" + picture(number).jpeg
    valkey.lpush(f"elivio:frames:{session_id}", packed)


def test_the_last_three_are_kept_oldest_first(session_id):
    stored = [store_frame(session_id, picture(number, number == 4)) for number in range(5)]
    found = read_frames(session_id)
    assert found == stored[2:]
    assert [frame.is_black for frame in found] == [False, False, True]
    assert read_frames(uuid.uuid4()) == []


def test_three_are_left_when_eight_come_at_once(session_id, valkey):
    run_together(8, lambda number: store_frame(session_id, picture(number)))
    assert len(read_frames(session_id)) == valkey.llen(f"elivio:frames:{session_id}") == 3


def test_all_are_gone_half_an_hour_after_the_newest(session_id, valkey):
    key = f"elivio:frames:{session_id}"
    store_frame(session_id, picture(1))
    assert EXPIRY_SECONDS == 30 * 60
    assert EXPIRY_SECONDS - 5 < valkey.ttl(key) <= EXPIRY_SECONDS
    valkey.expire(key, 10)
    store_frame(session_id, picture(2))
    assert EXPIRY_SECONDS - 5 < valkey.ttl(key) <= EXPIRY_SECONDS


def test_each_frame_is_gone_after_its_own_half_hour(session_id, valkey):
    store_aged(valkey, session_id, 1, EXPIRY_SECONDS + 1)
    store_aged(valkey, session_id, 2, EXPIRY_SECONDS - 60)
    store_frame(session_id, picture(3))
    assert [frame.jpeg[-1] for frame in read_frames(session_id)] == [2, 3]
    # Control: the list itself still holds the first one, as newer ones renew its expiry.
    assert valkey.llen(f"elivio:frames:{session_id}") == 3


def test_a_judge_gets_them_with_number_and_age(session_id, valkey):
    store_aged(valkey, session_id, 1, 700)
    store_frame(session_id, picture(2, is_black=True))
    old, new = as_evidence(read_frames(session_id))
    assert (old.number, old.data, old.is_current) == (1, picture(1).jpeg, False)
    assert 699 <= old.age_seconds <= 702
    assert (new.number, new.is_black, new.is_current) == (2, True, False)
    assert new.age_seconds <= 2


def test_the_age_of_the_newest(session_id, valkey):
    assert read_newest_age(session_id) is None
    store_aged(valkey, session_id, 1, EXPIRY_SECONDS + 1)
    assert read_newest_age(session_id) is None
    store_aged(valkey, session_id, 2, 700)
    assert 700 <= read_newest_age(session_id) <= 702
    store_aged(valkey, session_id, 3, -30)
    assert read_newest_age(session_id) == 0


def test_a_clock_that_is_behind_makes_no_negative_age(session_id, valkey):
    store_aged(valkey, session_id, 1, -30)
    assert as_evidence(read_frames(session_id))[0].age_seconds == 0


STORE = """
import sys, uuid
from sessions import frames, images
frames.store_frame(uuid.UUID(sys.argv[1]), images.CleanImage(bytes.fromhex(sys.argv[2]), False))
"""
READ = """
import sys, uuid
from sessions import frames
print(*[frame.jpeg.hex() for frame in frames.read_frames(uuid.UUID(sys.argv[1]))])
"""


def test_what_one_process_takes_another_reads(session_id):
    run_python(STORE, str(session_id), picture(7).jpeg.hex())
    assert run_python(READ, str(session_id)).split() == [picture(7).jpeg.hex()]


def test_a_connection_that_was_cut_is_made_anew(session_id, valkey):
    """As after a restart of Valkey: the first student to come must not pay for it."""
    store_frame(session_id, picture(1))
    used = connect().client_id()
    valkey.execute_command("CLIENT", "KILL", "ID", used)
    store_frame(session_id, picture(2))
    assert len(read_frames(session_id)) == 2


class TestValkeyOutOfReach:
    def assert_quick_without_frames(self, session_id, within: float) -> None:
        started = time.monotonic()
        with pytest.raises(FramesUnavailable) as refused:
            store_frame(session_id, picture(1))
        assert time.monotonic() - started < within
        assert refused.value.status == 503 and "Paste your work" in str(refused.value)
        started = time.monotonic()
        with pytest.raises(FramesUnavailable):
            read_frames(session_id)
        assert time.monotonic() - started < within

    @pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "unix:///nowhere/valkey.sock"])
    def test_down(self, settings, session_id, url):
        settings.REDIS_URL = url
        self.assert_quick_without_frames(session_id, SLACK)
        assert read_newest_age(session_id) is None

    def test_hung(self, settings, session_id, hung):
        settings.REDIS_URL = hung
        settings.REDIS_SOCKET_SECONDS = 1.0
        self.assert_quick_without_frames(session_id, 1.0 + SLACK)

    def test_the_products_own_patience_is_two_seconds(self, settings):
        assert settings.REDIS_SOCKET_SECONDS == 2.0

    def test_control_without_the_patience_a_hung_valkey_holds_the_request(self, hung):
        client = redis.Redis.from_url(hung, socket_timeout=None)

        def ask() -> None:
            with contextlib.suppress(redis.RedisError):
                client.ping()

        waiting = threading.Thread(target=ask, daemon=True)
        waiting.start()
        waiting.join(1.5)
        assert waiting.is_alive()
