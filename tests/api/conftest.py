"""A student with one plan and one task, and a caller logged in as this student."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from plans.models import Action, Plan
from tests import factories
from tests.api.calling import Caller

ROWS = [
    ('Sets the option "history-limit" to 50000 in the configuration', "either"),
    ("Says why a long history helps the team", "written"),
]
WORK = (
    'I put set -g history-limit 50000 in the configuration: the option "history-limit" is there.'
    "\nA long history helps the team, because errors of the morning are still there to read."
)


@pytest.fixture
def student(db: None) -> User:
    return factories.make_student("student@example.org")


@pytest.fixture
def plan(student: User) -> Plan:
    return factories.make_plan(student, weeks=("Set up", "Use it"), hours_per_week=6)


@pytest.fixture
def action(plan: Plan) -> Action:
    return factories.make_action(plan, "Configure the terminal", requirements=ROWS)


@pytest.fixture
def caller(student: User) -> Caller:
    return Caller(student)


@pytest.fixture
def session_id(caller: Caller, action: Action) -> str:
    return caller.post(f"actions/{action.id}/sessions").json()["id"]


@pytest.fixture
def checks_path(session_id: str) -> Any:
    return lambda call: f"sessions/{session_id}/{call}"
