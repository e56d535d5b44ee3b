"""A plan of three weeks with one task, to be edited."""

import pytest

from tests import factories


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def plan(student):
    return factories.make_plan(student, weeks=("Know", "Draw", "Publish"))


@pytest.fixture
def weeks(plan):
    return list(plan.weeks.order_by("number"))


@pytest.fixture
def task(weeks):
    return factories.make_action(weeks[0], requirements=(("One", "written"), ("Two", "shown")))
