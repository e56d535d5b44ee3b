"""The main job over HTTP against real web processes: from nothing to checked, and eight at once."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.db import connection

from judge.models import CheckRun
from plans.models import Completion, FollowUp, How
from tests import factories
from tests.e2e.site import Client, environment, run_site

pytestmark = pytest.mark.django_db(transaction=True)
TAPS = 8


@pytest.fixture
def action(student):
    rows = [("Name two risks for riders", "written"), ("Show the count by status", "shown")]
    return factories.make_action(factories.make_plan(student), requirements=rows)


def do_the_job(client, action):
    status, plan = client.call("GET", f"plans/{action.week.plan_id}")
    assert status == 200
    task = plan["weeks"][0]["actions"][0]
    assert (task["status"], task["completion"]) == ("not_started", None)
    status, session = client.call("POST", f"actions/{action.pk}/sessions")
    assert status == 201
    path = f"sessions/{session['id']}"
    status, check = client.call("POST", f"{path}/check")
    assert (status, check["outcome"], check["allMet"]) == (200, "failed", False)
    assert len(check["blockers"]) == 2
    for text in (
        "Two risks for riders: rain on the hill, and bikes that run out.",
        "The count by status:\nOpen   | 51\nClosed | 13",
    ):
        status, answer = client.call(
            "POST", f"{path}/turns", {"text": text, "clientId": str(uuid4())}
        )
        assert status == 201 and answer["reply"]["text"]
    status, check = client.call("POST", f"{path}/check")
    assert (status, check["allMet"], check["blockers"]) == (200, True, [])
    status, _ = client.call("PATCH", f"actions/{action.pk}/status", {"status": "completed"})
    assert status == 409
    status, answer = client.call("POST", f"{path}/complete")
    assert (status, answer["completed"]) == (200, True)
    status, answer = client.call("POST", f"{path}/complete")
    assert (status, answer) == (200, {"completed": True, "check": None})
    _, plan = client.call("GET", f"plans/{action.week.plan_id}")
    return plan["weeks"][0]["actions"][0]["completion"]


def test_from_nothing_to_checked_with_a_model(gemini_site, student, action):
    client = Client(gemini_site).log_in(student.email, factories.PASSWORD)
    done = do_the_job(client, action)
    assert (done["how"], done["judgeKind"], done["label"]) == ("checked", "gemini", "checked")


def test_from_nothing_to_checked_with_the_rules(rules_site, student, action):
    client = Client(rules_site).log_in(student.email, factories.PASSWORD)
    done = do_the_job(client, action)
    assert (done["how"], done["judgeKind"]) == ("checked", "rules")
    assert done["label"] == "checked by plain rules (demo)"


def test_eight_taps_at_once_on_two_web_processes(transactional_db, rules, student, action):
    """Every answer is the same quiet success, with one Completion and one set of FollowUps."""
    with run_site(workers=2) as url:
        first = Client(url).log_in(student.email, factories.PASSWORD)
        _, session = first.call("POST", f"actions/{action.pk}/sessions")
        path = f"sessions/{session['id']}"
        work = "Two risks for riders: rain.\nThe count by status:\nOpen | 51"
        first.call("POST", f"{path}/turns", {"text": work})
        clients = [Client(url, first.jar) for _ in range(TAPS)]
        with ThreadPoolExecutor(TAPS) as pool:
            answers = list(
                pool.map(lambda client: client.call("POST", f"{path}/complete"), clients)
            )
    assert [(status, answer["completed"]) for status, answer in answers] == [(200, True)] * TAPS
    assert Completion.objects.count() == 1
    causes = FollowUp.objects.filter(key__startswith="completion:")
    assert causes.count() == 2


TAP = """
import sys, django
django.setup()
from django.contrib.auth.models import User
from django.db import connection
from plans.models import Action
action = Action.objects.get(pk=sys.argv[1])
owner = User.objects.get(pk=sys.argv[2])
print("ready", flush=True)
with connection.cursor() as cursor:
    cursor.execute("SELECT pg_advisory_lock_shared(71)")
action.update_status("completed", by=owner, confirmed=True)
print("done", flush=True)
"""


def test_eight_processes_behind_a_barrier(transactional_db, student, action):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(71)")
    env = environment(DJANGO_SETTINGS_MODULE="elivio.settings")
    command = [sys.executable, "-c", TAP, str(action.pk), str(student.pk)]
    taps = [subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    assert [tap.stdout.readline() for tap in taps] == ["ready\n"] * TAPS
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(71)")
    assert [tap.communicate(timeout=60)[0] for tap in taps] == ["done\n"] * TAPS
    assert [tap.returncode for tap in taps] == [0] * TAPS
    assert Completion.objects.get().how == How.SELF_REPORTED
    assert FollowUp.objects.count() == 2
    assert not CheckRun.objects.exists()
