"""The system checks: silent on sensible settings, and each speaks up for its own fault alone."""

import importlib
from importlib.metadata import version

import pytest
from django.conf import settings as project_settings
from django.core.checks import Error, run_checks
from packaging.requirements import Requirement
from packaging.version import Version

from elivio import embedded
from judge.evidence import OLDEST_FRAME_SECONDS
from sessions.followups import CLAIM
from sessions.frames import EXPIRY_SECONDS

OWN_SERVER = "postgresql://elivio_app@db.internal/elivio"
FLOORS = {"django": "5.2.19", "pillow": "13.0.0"}  # older ones have known faults
EMBEDDED = embedded.database_url(embedded.data_dir())


@pytest.fixture
def production(settings):
    """Settings of a server without a fault."""
    settings.DEBUG = False
    settings.DATABASE_URL = OWN_SERVER
    settings.GEMINI_API_KEY = "a-key"
    return settings


def found_ids():
    return [message.id for message in found()]


def found():
    return [message for message in run_checks() if message.id.startswith("elivio.")]


def broker(settings, **changes):
    return {**settings.CELERY_BROKER_TRANSPORT_OPTIONS, **changes}


def test_production_without_a_fault_is_silent(production):
    assert found() == []


def test_a_fresh_machine_is_silent(settings):
    settings.DEBUG, settings.DATABASE_URL, settings.GEMINI_API_KEY = True, "", ""
    assert found() == []


@pytest.mark.parametrize("url", ["", EMBEDDED])
def test_embedded_database_in_production(production, url):
    production.DATABASE_URL = url
    assert found_ids() == ["elivio.E001"]
    assert isinstance(found()[0], Error)


def test_debug_on_another_database(production):
    production.DEBUG = True
    assert found_ids() == ["elivio.W002"]


@pytest.mark.parametrize("key", ["", None])
def test_no_key_in_production(production, key):
    production.GEMINI_API_KEY = key
    assert found_ids() == ["elivio.W001"]


def test_atomic_requests(production, monkeypatch):
    monkeypatch.setitem(production.DATABASES["default"], "ATOMIC_REQUESTS", True)
    assert found_ids() == ["elivio.E002"]


def test_aiohttp_installed(production, tmp_path, monkeypatch):
    (tmp_path / "aiohttp.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    assert found_ids() == ["elivio.W003"]


@pytest.mark.parametrize(
    ("name", "bad", "good"),
    [
        ("JUDGE_DEADLINE_SECONDS", [0, 0.5, 121], [1, 45.0, 120]),
        ("COPILOT_DEADLINE_SECONDS", [0, 181], [1, 180]),
        ("REDIS_SOCKET_SECONDS", [0, 11], [0.1, 10]),
        ("SESSION_IDLE_MINUTES", [0, 1441], [5, 1440]),
    ],
)
def test_limits(production, name, bad, good):
    for value in bad:
        setattr(production, name, value)
        assert found_ids() == ["elivio.E003"], value
    for value in good:
        setattr(production, name, value)
        assert found_ids() == [], value


@pytest.mark.parametrize("limit", [None, 60, 89])
def test_worker_ends_a_task_while_a_model_answers(production, limit):
    production.CELERY_TASK_TIME_LIMIT = limit
    assert found_ids() == ["elivio.E004"]


@pytest.mark.parametrize("name", ["socket_timeout", "socket_connect_timeout"])
@pytest.mark.parametrize("value", [None, 0, 6])
def test_broker_without_a_short_timeout(production, name, value):
    production.CELERY_BROKER_TRANSPORT_OPTIONS = broker(production, **{name: value})
    assert found_ids() == ["elivio.E005"]


def test_publishing_retries(production):
    production.CELERY_TASK_PUBLISH_RETRY = True
    assert found_ids() == ["elivio.E006"]


def test_each_message_says_what_to_do(production):
    production.DATABASE_URL, production.GEMINI_API_KEY = "", ""
    production.JUDGE_DEADLINE_SECONDS = 0
    production.CELERY_BROKER_TRANSPORT_OPTIONS = {}
    production.CELERY_TASK_PUBLISH_RETRY = True
    production.CELERY_TASK_TIME_LIMIT = None
    messages = found()
    assert len(messages) == 7
    assert all(message.hint for message in messages)


def test_limits_in_code_fit_each_other(settings):
    """A frame lives longer than it counts; a claim on a follow-up outlasts its task, and the
    broker waits longer than the task before it hands a message to another worker."""
    assert EXPIRY_SECONDS > OLDEST_FRAME_SECONDS
    assert settings.CELERY_TASK_TIME_LIMIT < CLAIM.total_seconds()
    wait = settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    assert settings.CELERY_TASK_TIME_LIMIT < wait


@pytest.mark.parametrize("name", FLOORS)
def test_version_floors(name):
    """Both what is pinned and what runs."""
    lines = (project_settings.BASE_DIR / "requirements.txt").read_text().splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    [pin] = [pin for pin in pins if pin.name.lower() == name]
    [exact] = pin.specifier
    assert exact.operator == "=="
    assert Version(exact.version) >= Version(FLOORS[name])
    assert Version(version(name)) >= Version(FLOORS[name])
