"""Fixtures of the pages' tests: a logged-in student with one task, and a session on it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from plans.models import Action
from sessions.lifecycle import open_session
from sessions.models import CopilotSession
from tests import factories

ROWS = (("Names two risks of the project", "written"), ("Shows the “Open” stations", "shown"))


@pytest.fixture
def student(db: None) -> User:
    return factories.make_student("mira@example.org", first_name="Mira")


@pytest.fixture
def client(student: User) -> Client:
    client = Client()
    client.force_login(student)
    return client


@pytest.fixture
def action(student: User) -> Action:
    plan = factories.make_plan(student, title="A bike map", hours_per_week=6)
    return factories.make_action(plan, "Know the risks", requirements=ROWS)


@pytest.fixture
def session(action: Action, student: User) -> CopilotSession:
    return open_session(action, student)
