"""A broker that is down, hung or full: the tap answers at once, and the sweep works later."""

import json
import socket
import subprocess
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from django.db import transaction

from elivio.embedded import valkey
from plans import outbox
from plans.models import Completion, FollowUp
from sessions.followups import sweep_followups
from sessions.lifecycle import open_session
from sessions.models import ProgressReport
from tests import factories
from tests.sessions.together import database_url, run_python
from tests.sessions.worker_process import wait_until

AT_ONCE = 0.9  # seconds: a tap takes hundredths, and twice this is within a broker's two
TAP = """
import json, sys, threading, time
from elivio import celery
from plans import outbox
from plans.models import Action
from plans.status import self_report

def measure(work):
    started = time.monotonic()
    work()
    return time.monotonic() - started

first, second = Action.objects.select_related("week__plan__owner").filter(pk__in=sys.argv[1:])
student = first.week.plan.owner
before = threading.active_count()
taps = [measure(lambda: self_report(action, by=student)) for action in (first, second)]
many = measure(lambda: [outbox.enqueue([str(first.pk)]) for _ in range(200)])
threads = threading.active_count() - before
while threading.active_count() > before:
    time.sleep(0.02)
outbox._publishers.acquire()
inline = measure(lambda: outbox._publish([str(first.pk)]))
found = {"taps": taps, "many": many, "threads": threads, "inline": inline}
found["free"] = sum(outbox._publishers.acquire(blocking=False) for _ in range(20))
print(json.dumps(found))
"""


@contextmanager
def refusing() -> Iterator[str]:
    yield "redis://127.0.0.1:1/0"


@contextmanager
def hanging() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


@contextmanager
def full() -> Iterator[str]:
    """A Valkey whose memory is used up before anything is in it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        path = f"{folder}/valkey.sock"
        limits = ["--maxmemory", "100kb", "--maxmemory-policy", "noeviction"]
        command = [valkey.program(), "--port", "0", "--save", "", "--unixsocket", path, *limits]
        server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
        try:
            assert wait_until(Path(path).exists)
            with pytest.raises(redis.ResponseError, match="maxmemory"):
                redis.Redis(unix_socket_path=path).lpush("celery", "a message")
            yield f"unix://{path}"
        finally:
            server.kill()
            server.wait(10)


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def actions(student):
    plan = factories.make_plan(student)
    return [factories.make_action(plan, title) for title in ("Read a book", "Write a page")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("broker", [refusing, hanging, full])
def test_the_tap_answers_at_once_and_the_sweep_does_the_work(broker, student, actions, rules):
    sessions = [open_session(action, student) for action in actions]
    with broker() as url:
        ids = [str(action.pk) for action in actions]
        found = json.loads(run_python(TAP, *ids, DATABASE_URL=database_url(), REDIS_URL=url))
    assert max(found["taps"]) < AT_ONCE
    assert found["many"] < AT_ONCE
    assert 0 < found["threads"] <= 8, "the publishers do not pile up"
    assert found["free"] == 8, "and each gives its place back"
    assert Completion.objects.count() == 2
    assert FollowUp.objects.filter(done_at=None, attempts=0).count() == 4
    while sweep_followups():
        pass
    assert not FollowUp.objects.filter(done_at=None).exists()
    assert len(ProgressReport.objects.get().content["done"]) == 2
    for session in sessions:
        session.refresh_from_db()
        assert session.ended_at
    if broker is refusing:
        assert found["inline"] < 2 * AT_ONCE, "a publisher waits for no broker that is down"
    if broker is hanging:
        # Control: published in the request, the same message would hold the tap.
        assert found["inline"] > 2 * AT_ONCE


@pytest.mark.django_db(transaction=True)
class TestEnqueue:
    @pytest.fixture
    def plan(self, student):
        return factories.make_plan(student)

    def test_nothing_is_sent_before_the_commit(self, plan, settings):
        queue = redis.Redis.from_url(settings.REDIS_URL)
        with transaction.atomic():
            outbox.add("test:1", plan.pk, ["refresh_report"])
            row = FollowUp.objects.get()
            wait_for_publishers()
            assert str(row.pk) not in read_queue(queue)
        assert wait_until(lambda: str(row.pk) in read_queue(queue))

    def test_nothing_is_left_of_what_is_rolled_back(self, plan, settings):
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            outbox.add("test:1", plan.pk, ["refresh_report"])
            pk = str(FollowUp.objects.get().pk)
            raise ZeroDivisionError
        wait_for_publishers()
        assert pk not in read_queue(redis.Redis.from_url(settings.REDIS_URL))
        assert not FollowUp.objects.exists()

    def test_without_a_thread_to_be_had_the_tap_still_succeeds(self, plan, caplog):
        wait_for_publishers()
        usual = threading.stack_size(1 << 46)
        try:
            for number in range(20):
                outbox.add(f"test:{number}", plan.pk, ["refresh_report"])
        finally:
            threading.stack_size(usual)
        assert "wait for the sweep" in caplog.text
        assert FollowUp.objects.count() == 20
        wait_for_publishers()

    def test_the_queue_is_in_the_database_that_the_address_names(self, plan, settings):
        """Kombu takes no `?db=` in a socket's address, and would use database 0 without a word."""
        outbox.enqueue([marker := str(uuid.uuid4())])
        queue = redis.Redis.from_url(settings.REDIS_URL)
        assert wait_until(lambda: marker in read_queue(queue))


@pytest.mark.parametrize(
    ("given", "broker"),
    [
        (
            "unix:///run/a%20b/valkey.sock?db=3",
            "redis+socket:///run/a%20b/valkey.sock?virtual_host=3",
        ),
        ("redis://:secret@cache.example.org:6379/2", "redis://:secret@cache.example.org:6379/2"),
    ],
)
def test_celery_gets_the_address_in_its_own_words(given, broker):
    code = "from django.conf import settings; print(settings.CELERY_BROKER_URL)"
    assert run_python(code, REDIS_URL=given).strip() == broker


def read_queue(client: redis.Redis) -> str:
    return b"".join(client.lrange("celery", 0, -1)).decode()


def wait_for_publishers() -> None:
    """Until every place is free again; the places are given back at once."""

    def are_all_free() -> bool:
        taken = [outbox._publishers.acquire(blocking=False) for _ in range(8)]
        for _ in filter(None, taken):
            outbox._publishers.release()
        return all(taken)

    assert wait_until(are_all_free)
