"""What a migration makes of rows that were there before it."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from judge.models import CheckRun
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE, AFTER = ("judge", "0004_decisions_unchanged"), ("judge", "0005_check_started")


@pytest.fixture
def before():
    """The models as they were before; afterwards all is migrated again."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    executor.migrate([BEFORE])
    yield executor.loader.project_state([BEFORE]).apps
    executor = MigrationExecutor(connection)
    executor.migrate(newest)


def test_runs_from_before_count_as_started_when_they_were_written(before):
    action = factories.make_action(factories.make_plan(factories.make_student()))
    old = before.get_model("judge", "CheckRun").objects.create(
        action_id=action.pk,
        student_id=action.week.plan.owner_id,
        trigger="check",
        outcome="failed",
        spec_version=1,
        judge_kind="rules",
        prompt_version=1,
    )
    MigrationExecutor(connection).migrate([AFTER])
    run = CheckRun.objects.get()
    assert run.started_at == run.created_at == old.created_at
