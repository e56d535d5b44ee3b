"""Process groups that a run started: name them so that they can be found again, and end them."""

import os
import signal
from contextlib import suppress
from typing import NamedTuple

import psutil

from elivio.embedded.processes import end_processes


class Group(NamedTuple):
    """A process group, by its leader; the start time (Unix seconds) tells a reused pid apart."""

    pid: int
    began: float


def group_of(leader: int) -> Group:
    return Group(leader, psutil.Process(leader).create_time())


def end_groups(groups: list[Group]) -> None:
    """End process groups: first their leaders in good order, then whatever is left of them."""
    leaders = [process for group in groups for process in find_leader(group)]
    end_processes(leaders, signal.SIGTERM)
    rest = [process for group in groups for process in find_members(group)]
    end_processes(rest, signal.SIGKILL)


def find_leader(group: Group) -> list[psutil.Process]:
    """Return the leader, or nothing when it is gone or its pid belongs to another process now."""
    with suppress(psutil.NoSuchProcess):
        leader = psutil.Process(group.pid)
        if abs(leader.create_time() - group.began) < 1:
            return [leader]
    return []


def find_members(group: Group) -> list[psutil.Process]:
    """Return the living processes of the group, none when its pid has a new owner."""
    if psutil.pid_exists(group.pid) and not find_leader(group):
        return []
    members = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError, PermissionError):
            if os.getpgid(process.pid) == group.pid and process.create_time() >= group.began - 1:
                members.append(process)
    return members
