"""The embedded servers on real folders: start, share, survive kill -9, and say what is wrong."""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from elivio import env
from elivio.embedded import data_dir, postgres, redis_url, valkey
from elivio.embedded.addresses import CHECKOUT, socket_dir
from elivio.embedded.errors import ServiceError
from elivio.embedded.folders import process_identity
from elivio.embedded.processes import end_processes, find_processes, is_gone, wait_until
from elivio.embedded.servers import services, stop_servers

DEEP = "d" * 60 + "/" + "e" * 60  # too long for the path of a socket
HOLD = """
import sys
from pathlib import Path
from elivio.embedded.servers import services
with services(Path(sys.argv[1]), throwaway=True):
    print("up", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def no_addresses_given(monkeypatch):
    for name in ("DATABASE_URL", "REDIS_URL", "ELIVIO_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def data() -> Iterator[Path]:
    """A new data folder; not pytest's own, whose parents other test runs make private again."""
    with tempfile.TemporaryDirectory(prefix="elivio-embedded-", dir="/tmp") as folder:
        path = Path(folder) / "data"
        yield path
        for used in (path, path / DEEP):
            stop_servers(used)


@pytest.fixture
def hold(data):
    """Start processes that use the services until their standard input is closed."""
    users = []

    def start(folder: Path = data) -> subprocess.Popen:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        user = subprocess.Popen([sys.executable, "-c", HOLD, folder], cwd=CHECKOUT, **pipes)
        users.append(user)
        return user

    yield start
    for user in users:
        user.kill()
        user.communicate()


def servers(data: Path) -> list:
    found = find_processes("postgres", postgres.cluster_dir(data))
    return found + find_processes("valkey-server", valkey.folder(data))


def is_up(data: Path) -> bool:
    return postgres.is_up(data) and valkey.is_up(data)


@pytest.mark.parametrize("name", ["with space", "with,comma", DEEP])
def test_data_is_kept_between_runs_whatever_the_path(data, name):
    data = data / name
    for turn in (1, 2):
        with services(data) as addresses:
            with psycopg.connect(addresses.database_url) as connection:
                connection.execute("create table if not exists kept (turn int)")
                connection.execute("insert into kept values (%s)", [turn])
                assert connection.execute("select count(*) from kept").fetchone() == (turn,)
            client = redis.Redis.from_url(addresses.redis_url)
            assert client.incr("kept") == turn
            client.close()
        assert servers(data) == []
    inside = socket_dir(data).parent == data
    assert socket_dir(data).exists() == inside
    assert len(str(socket_dir(data) / ".s.PGSQL.5432")) <= 103


def test_the_last_user_stops_the_servers_whoever_started_them(data, hold):
    first = hold()
    assert first.stdout.readline() == b"up\n"
    with services(data):
        pass
    assert is_up(data), "a visitor must not stop the servers of the first user"
    with services(data):
        first.communicate(timeout=30)
        assert is_up(data), "the first user must not stop the servers under a visitor"
    assert servers(data) == []


def test_processes_that_start_at_once_share_one_server(data, hold):
    users = [hold() for _ in range(4)]
    assert [user.stdout.readline() for user in users] == [b"up\n"] * 4
    assert len(servers(data)) == 2
    for user in users:
        user.communicate(timeout=30)
    assert [user.returncode for user in users] == [0] * 4
    assert servers(data) == []


def test_servers_of_a_killed_user_are_taken_over_and_stopped(data, hold):
    user = hold()
    user.stdout.readline()
    user.kill()
    user.wait()
    left = servers(data)
    assert len(left) == 2
    with services(data, throwaway=True):
        assert servers(data) == left
    assert servers(data) == []


def test_killed_servers_start_again_with_their_data(data):
    with services(data) as addresses:
        with psycopg.connect(addresses.database_url) as connection:
            connection.execute("create table kept ()")
        end_processes(servers(data), signal.SIGKILL)
        with services(data), psycopg.connect(addresses.database_url) as connection:
            connection.execute("select * from kept")


def test_a_pid_file_whose_number_was_given_away_is_no_obstacle(data, monkeypatch):
    with services(data, throwaway=True):
        pass
    other = subprocess.Popen(["sleep", "60"], **process_identity())
    pid_file = postgres.cluster_dir(data) / "postmaster.pid"
    stale = f"{other.pid}\n{pid_file.parent}\n1\n5432\n\n\n  0 0\nready\n"
    pid_file.write_text(stale)
    try:
        with monkeypatch.context() as without_guard:
            without_guard.setattr(postgres, "remove_stale_pid_files", lambda data: None)
            with pytest.raises(ServiceError, match="Is another postmaster"), services(data):
                pass
        pid_file.write_text(stale)
        with services(data):
            assert is_up(data)
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_a_killed_initdb_leaves_nothing_half(data):
    half = data / "postgres.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18")
    with services(data, throwaway=True):
        assert is_up(data)


@pytest.mark.parametrize("name", ["short", DEEP])
def test_servers_whose_data_folder_was_removed_are_ended(data, hold, name):
    folder = data / name
    user = hold(folder)
    user.stdout.readline()
    user.kill()
    user.wait()
    left = servers(folder)
    assert len(left) == 2
    data.rename(data.with_name("moved away"))
    with services(folder, throwaway=True) as addresses:
        assert wait_until(lambda: all(map(is_gone, left)), 10)
        psycopg.connect(addresses.database_url).close()


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(data):
    data.touch()
    said = f"data folder {data} cannot be used .*File exists"
    with pytest.raises(ServiceError, match=said), services(data):
        pass


def test_a_server_that_cannot_start_shows_the_end_of_its_log(data):
    with services(data, throwaway=True):
        pass
    (postgres.cluster_dir(data) / "postgresql.conf").write_text("no_such_setting = 1")
    said = r"PostgreSQL did not start\. Its log .*no_such_setting"
    with pytest.raises(ServiceError, match=said), services(data):
        pass
    assert servers(data) == []


@pytest.mark.parametrize(("module", "name"), [(postgres, "DATABASE_URL"), (valkey, "REDIS_URL")])
def test_a_missing_wheel_is_said_in_a_sentence(data, monkeypatch, module, name):
    monkeypatch.setattr(module, "find_spec", lambda wheel: None)
    with pytest.raises(ServiceError, match=f"set {name}"), services(data):
        pass


def test_with_both_addresses_given_nothing_is_touched(data, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/elivio")
    monkeypatch.setenv("REDIS_URL", "redis://cache.example")
    with services(data) as addresses:
        assert addresses == ("postgresql://db.example/elivio", "redis://cache.example")
    assert not data.exists()


def test_with_one_address_given_only_the_other_server_starts(data, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/elivio")
    with services(data) as addresses:
        assert addresses == ("postgresql://db.example/elivio", redis_url(data))
        assert [process.name() for process in servers(data)] == ["valkey-server"]


def test_manage_py_ends_with_the_sentence_and_no_traceback(data):
    data.touch()
    environment = env.copy_with(ELIVIO_DATA_DIR=str(data))
    command = [sys.executable, "manage.py", "check"]
    result = subprocess.run(
        command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 1
    assert result.stderr.startswith(f"The data folder {data} cannot be used")
    assert "Traceback" not in result.stderr


def test_manage_py_help_needs_no_services(data):
    data.touch()
    environment = env.copy_with(ELIVIO_DATA_DIR=str(data))
    command = [sys.executable, "manage.py", "help", "migrate"]
    result = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, timeout=60)
    assert result.returncode == 0


def test_data_folder_can_be_named(monkeypatch):
    assert data_dir() == CHECKOUT / ".data"
    monkeypatch.setenv("ELIVIO_DATA_DIR", "/var/lib/elivio")
    assert data_dir() == Path("/var/lib/elivio")
