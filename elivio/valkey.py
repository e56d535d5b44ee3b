"""The connection to Valkey for what is kept for minutes: pictures, and
replies while they come. It decides nothing to keep."""

import functools

import redis
from django.conf import settings


def connect() -> redis.Redis:
    """The client of `settings.REDIS_URL`, with short time-outs. Its calls raise RedisError."""
    return _client(settings.REDIS_URL)


@functools.lru_cache(maxsize=4)
def _client(url: str) -> redis.Redis:
    seconds = settings.REDIS_SOCKET_SECONDS
    return redis.Redis.from_url(url, socket_timeout=seconds, socket_connect_timeout=seconds)
