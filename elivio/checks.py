"""System checks: settings that would quietly break a promise. They read settings and nothing else.

Run with `python manage.py check`; the commands `migrate` and `runserver` run them too.
"""

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from elivio import embedded

# Setting: lowest and highest sensible value.
SECONDS_AND_MINUTES = {
    "JUDGE_DEADLINE_SECONDS": (1, 120),
    "COPILOT_DEADLINE_SECONDS": (1, 180),
    "PLANNER_DEADLINE_SECONDS": (1, 150),
    "REDIS_SOCKET_SECONDS": (0.1, 10),
    "SESSION_IDLE_MINUTES": (5, 24 * 60),
}
BROKER_TIMEOUTS = ("socket_timeout", "socket_connect_timeout")
LONGEST_BROKER_TIMEOUT = 5  # seconds


@register
def check_database(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    if uses_embedded_database() and not settings.DEBUG:
        yield Error(
            "DEBUG is off, and the database is the embedded one.",
            hint="Set DATABASE_URL to a PostgreSQL server of your own, or DEBUG=1 on your machine.",
            id="elivio.E001",
        )
    if settings.DEBUG and not uses_embedded_database():
        yield Warning(
            "DEBUG is on, and the database is not the embedded one: without a model key, plain "
            "rules decide about completions in it.",
            hint="Set DEBUG=0 where real students work.",
            id="elivio.W002",
        )
    if settings.DATABASES["default"].get("ATOMIC_REQUESTS"):
        yield Error(
            "ATOMIC_REQUESTS is on, so every check would ask a model inside a transaction.",
            hint="Set ATOMIC_REQUESTS to False; the use cases open their own transactions.",
            id="elivio.E002",
        )


def uses_embedded_database() -> bool:
    """Whether the database is the one that the project starts itself, by its address."""
    own = embedded.database_url(embedded.data_dir())
    return settings.DATABASE_URL in ("", own)


@register
def check_model_key(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    if not settings.DEBUG and not settings.GEMINI_API_KEY:
        yield Warning(
            "DEBUG is off and GEMINI_API_KEY is not set: every completion check will be undecided.",
            hint="Set GEMINI_API_KEY, and look for a mistyped name.",
            id="elivio.W001",
        )


@register
def check_aiohttp(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    if find_spec("aiohttp"):
        yield Warning(
            "aiohttp is installed: google-genai then uses it for asynchronous calls, with other "
            "errors and with retries of its own that outlast a deadline.",
            hint="Uninstall aiohttp, or install from requirements.txt into a fresh environment.",
            id="elivio.W003",
        )


@register
def check_limits(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    for name, (lowest, highest) in SECONDS_AND_MINUTES.items():
        value = getattr(settings, name)
        if not lowest <= value <= highest:
            yield Error(
                f"{name} is {value:g}.",
                hint=f"Set it to a value from {lowest:g} to {highest:g}.",
                id="elivio.E003",
            )


@register
def check_ceilings(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    """A check takes a call and keeps two for its tap, so fewer would let nobody finish."""
    for purpose, calls in settings.DAILY_MODEL_CALLS.items():
        least = 3 if purpose == "check" else 1
        if calls < least:
            yield Error(
                f"DAILY_{purpose.upper()}_CALLS is {calls}.",
                hint=f"Set it to {least} or more; to end all model calls there is a switch in the "
                "admin.",
                id="elivio.E007",
            )


@register
def check_worker_limit(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    """A task asks a model for as long as COPILOT_DEADLINE_SECONDS, then still has to write."""
    least = settings.COPILOT_DEADLINE_SECONDS + 30
    limit = getattr(settings, "CELERY_TASK_TIME_LIMIT", None)
    if limit is None or limit < least:
        yield Error(
            f"CELERY_TASK_TIME_LIMIT is {limit}: it could end a follow-up while a model answers.",
            hint=f"Set it to {least:g} seconds or more.",
            id="elivio.E004",
        )


@register
def check_broker(app_configs: Any, **kwargs: Any) -> Iterable[CheckMessage]:
    """A broker that is down or hung must cost nobody more than a moment."""
    options = getattr(settings, "CELERY_BROKER_TRANSPORT_OPTIONS", {})
    for name in BROKER_TIMEOUTS:
        value = options.get(name)
        if value is None or not 0 < value <= LONGEST_BROKER_TIMEOUT:
            yield Error(
                f"CELERY_BROKER_TRANSPORT_OPTIONS has {name} = {value}.",
                hint=f"Set it to more than 0 and at most {LONGEST_BROKER_TIMEOUT} seconds.",
                id="elivio.E005",
            )
    if getattr(settings, "CELERY_TASK_PUBLISH_RETRY", True):
        yield Error(
            "CELERY_TASK_PUBLISH_RETRY is on: publishing would wait for a broker that is down.",
            hint="Set it to False; the sweep does what was not published.",
            id="elivio.E006",
        )
