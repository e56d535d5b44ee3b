"""`python -m elivio.run` as a user meets it: it starts, says what is wrong, and leaves nothing."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from elivio import env
from elivio.embedded.addresses import CHECKOUT
from elivio.embedded.processes import is_gone, wait_until
from elivio.embedded.servers import stop_servers
from elivio.process_groups import Group
from elivio.run import is_on_this_machine

pytestmark = pytest.mark.xdist_group("run")  # one after the other: each is a whole installation
SECONDS = 60


@pytest.fixture
def data() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="elivio-run-", dir="/tmp") as folder:
        path = Path(folder) / "data"
        yield path
        stop_servers(path)


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture
def start(data, port) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start runs; at the end kill whatever of them is still there."""
    runs = []

    def start_run(**changes: str) -> subprocess.Popen:
        fresh = {"DATABASE_URL": "", "REDIS_URL": "", "DEBUG": "1", "HOST": ""}
        environment = env.copy_with(**{**fresh, "PORT": str(port), **changes})
        environment["ELIVIO_DATA_DIR"] = str(data)
        run = subprocess.Popen(
            [sys.executable, "-m", "elivio.run"],
            cwd=CHECKOUT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        runs.append(run)
        return run

    yield start_run
    for run in runs:
        run.kill()
        run.wait()
        run.stdout.close()
        run.stderr.close()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("ELIVIO_DATA_DIR") == str(data):
                process.kill()


def recorded_groups(data: Path) -> list[Group]:
    return [Group(*group) for group in json.loads((data / "run.lock").read_text())["children"]]


def read_until_ready(run: subprocess.Popen) -> str:
    lines = []
    for line in run.stdout:
        lines.append(line)
        if line.startswith("Ctrl-C"):
            return "".join(lines)
    raise AssertionError(f"ended early: {''.join(lines)}{run.stderr.read()}")


def refusal(run: subprocess.Popen) -> str:
    """Return what a run that must not start says."""
    _, said = run.communicate(timeout=SECONDS)
    assert run.returncode == 1, said
    assert "Traceback" not in said
    return said


def last_words(run: subprocess.Popen) -> str:
    """Return the last line of a run that failed: a killed child may have complained before it."""
    _, said = run.communicate(timeout=SECONDS)
    assert run.returncode == 1, said
    return said.strip().splitlines()[-1]


def offspring(run: subprocess.Popen) -> list[psutil.Process]:
    found = psutil.Process(run.pid).children(recursive=True)
    names = " ".join(word for process in found for word in command_of(process))
    assert all(part in names for part in ("uvicorn", "celery", "bin/postgres", "valkey-server"))
    return found


def command_of(process: psutil.Process) -> list[str]:
    """Nothing for one that has ended since it was listed: the servers have short-lived children."""
    with suppress(psutil.Error):
        return process.cmdline()
    return []


def all_gone(processes: list[psutil.Process]) -> bool:
    return wait_until(lambda: all(map(is_gone, processes)), 5)


def web_answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status < 500
    except OSError:
        return False
    finally:
        connection.close()


def test_a_run_from_start_to_ctrl_c_with_a_kill_in_between(start, data, port):
    first = start()
    said = read_until_ready(first)
    assert f"http://127.0.0.1:{port}" in said
    assert "student@example.org and staff@example.org, password elivio-demo" in said
    assert web_answers(port)

    second = refusal(start())
    assert f"already runs from this folder, at http://127.0.0.1:{port}" in second
    assert str(first.pid) in second

    orphans = offspring(first)
    leaders = [psutil.Process(group.pid) for group in recorded_groups(data)]
    first.kill()
    first.wait()
    assert not any(map(is_gone, leaders)), "the control: a killed run leaves web and worker"

    again = start()
    read_until_ready(again)
    assert web_answers(port)
    assert all(map(is_gone, leaders))
    family = psutil.Process(again.pid).children(recursive=True) + orphans
    again.send_signal(signal.SIGINT)
    out, err = again.communicate(timeout=SECONDS)
    assert again.returncode == 0, err
    assert "Traceback" not in err
    assert out.endswith("Stopped.\n")
    assert all_gone(family)
    assert not web_answers(port)


def test_given_addresses_start_nothing_embedded_and_a_dead_child_ends_the_run(start, data):
    run = start(DATABASE_URL=env.text("DATABASE_URL"), REDIS_URL=env.text("REDIS_URL"))
    read_until_ready(run)
    family = psutil.Process(run.pid).children(recursive=True)
    os.kill(recorded_groups(data)[1].pid, signal.SIGKILL)
    assert last_words(run).startswith("The worker process ended on its own (exit status -9)")
    assert all_gone(family)
    assert not (data / "postgres").exists()
    assert not (data / "valkey").exists()


def test_a_stop_while_it_still_starts_leaves_nothing(start, data):
    run = start()
    assert run.stdout.readline().startswith("Starting")
    run.send_signal(signal.SIGTERM)
    _, said = run.communicate(timeout=SECONDS)
    assert (run.returncode, said) == (0, "")
    assert [p for p in psutil.process_iter(["cmdline"]) if str(data) in str(p.info)] == []


def test_a_taken_port_is_said_before_anything_heavy(start, data, port):
    with socket.create_server(("127.0.0.1", port)):
        said = refusal(start())
    assert f"Port {port} is taken by another program. Choose another: make run PORT=" in said
    assert not (data / "postgres").exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"PORT": "80a"}, "PORT must be a whole number"),
        ({"PORT": "70000"}, "PORT must be between 1 and 65535"),
        ({"HOST": "192.0.2.1"}, "cannot listen on HOST=192.0.2.1"),
        ({"WEB_WORKERS": "0"}, "WEB_WORKERS must be 1 or more"),
        ({"DEBUG": "maybe"}, "DEBUG must be one of"),
    ],
)
def test_odd_settings_are_said_in_a_sentence(start, changes, sentence):
    assert sentence in refusal(start(**changes))


def test_a_stale_lock_file_is_no_obstacle_and_a_reused_pid_is_left_alone(start, data, port):
    """A lock file naming an unrelated process, as after kill -9 and a full turn of process ids."""
    data.mkdir()
    bystander = subprocess.Popen(["sleep", "60"], start_new_session=True)
    record = {"pid": bystander.pid, "address": "x", "children": [[bystander.pid, 1.0]]}
    (data / "run.lock").write_text(json.dumps(record))
    try:
        with socket.create_server(("127.0.0.1", port)):
            assert "is taken" in refusal(start())
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_data_folder_that_cannot_be_written_is_said_in_a_sentence(start, data):
    data.touch()
    assert f"The data folder {data} cannot be used" in refusal(start())


@pytest.mark.parametrize(
    ("database_url", "local"),
    [
        ("", True),
        ("postgresql://me@/elivio?host=/tmp/sockets", True),
        ("postgresql://me@localhost/elivio", True),
        ("postgresql://me@127.0.0.1:5432/elivio", True),
        ("postgresql://me@db.example.org/elivio", False),
        ("postgresql://me@10.0.0.7/elivio", False),
    ],
)
def test_demo_logins_never_reach_another_machines_database(database_url, local):
    assert is_on_this_machine(database_url) is local
