"""What the database refuses on its own, whichever way the write comes."""

import contextlib
import uuid

import pytest
from django.core import serializers
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from plans.models import Action, Completion, Erasure, How, Reopening, Status, Week
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def week(student):
    return Week.objects.create(plan=factories.make_plan(student, weeks=[]), number=1, title="One")


@pytest.fixture
def action(week):
    made = factories.make_action(week, requirements=[("First", "written"), ("Second", "shown")])
    return Action.objects.get(pk=made.pk)


def completion(action, **changes):
    """A completion that the database takes when the action points to it in the same commit."""
    values = {
        "action": action,
        "confirmed_by": action.week.plan.owner,
        "how": How.CHECKED,
        "judge_kind": "gemini",
        "check_id": uuid.uuid4(),
        "spec_version": action.spec_version,
        "checklist": [{"id": str(row.pk), "status": "met"} for row in action.requirements.all()],
    }
    return Completion(**values | changes)


def point(action, to, status=Status.COMPLETED):
    Action.objects.filter(pk=action.pk).update(status=status, current_completion=to)


def forge(action, **changes):
    with transaction.atomic():
        row = completion(action, **changes)
        row.save(force_insert=True)
        point(action, row)


@contextlib.contextmanager
def refused():
    """The block meets a refusal: at once, or at its end, where deferred triggers fire as they do
    at a commit."""
    with pytest.raises(IntegrityError), transaction.atomic():
        yield
        connection.check_constraints()


def test_control_a_consistent_record_is_taken(action):
    """Without this, every refusal below could be for some other reason."""
    forge(action)
    assert Action.objects.get(pk=action.pk).status == Status.COMPLETED


def test_queryset_update(action):
    with refused():
        Action.objects.filter(pk=action.pk).update(status="completed")


def test_save(action):
    action.status = Status.COMPLETED
    with refused():
        action.save()


def test_bulk_update(action):
    action.status = Status.COMPLETED
    with refused():
        Action.objects.bulk_update([action], ["status"])


def test_create_and_bulk_create(week):
    with refused():
        Action.objects.create(week=week, title="Born done", status=Status.COMPLETED)
    with refused():
        Action.objects.bulk_create([Action(week=week, title="Born", status=Status.COMPLETED)])


def test_raw_sql(action):
    with refused(), connection.cursor() as cursor:
        cursor.execute("UPDATE plans_action SET status = 'completed' WHERE id = %s", [action.pk])


def test_loaddata(action):
    action.status = Status.COMPLETED
    text = serializers.serialize("json", [action])
    with refused():
        for row in serializers.deserialize("json", text):
            row.save()


def test_an_unknown_status(action):
    with refused():
        Action.objects.filter(pk=action.pk).update(status="done")


def test_a_borrowed_completion(action, week):
    other = factories.make_action(week, requirements=[("Third", "either")])
    forge(action)
    with refused():
        point(other, Completion.objects.get())


def test_a_status_lost_while_a_completion_is_current(action):
    forge(action)
    with refused():
        Action.objects.filter(pk=action.pk).update(status=Status.IN_PROGRESS)


@pytest.mark.parametrize(
    "checklist",
    [
        [],
        {},
        "met",
        None,
        [{"status": "not_met"}],
        [{"status": "met"}, {"status": "not_shown"}],
        [{"status": ["met"]}],
        [{"status": 1}],
        [{"status": True}],
        [{"note": "met"}],
        ["met"],
        [[{"status": "met"}]],
        [None],
    ],
)
def test_an_unmet_checklist(action, checklist):
    action.requirements.all().delete()
    action.refresh_from_db()
    with refused():
        forge(action, checklist=checklist)


def test_a_checklist_that_misses_a_requirement(action):
    some = completion(action).checklist[:1]
    with refused():
        forge(action, checklist=some)


def test_another_spec_version(action):
    with refused():
        forge(action, spec_version=action.spec_version + 1)
    with refused():
        forge(action, spec_version=action.spec_version - 1)


def test_another_confirmer(action):
    with refused():
        forge(action, confirmed_by=factories.make_staff())


def test_a_checked_one_without_judge_and_a_self_report_with_one(action):
    with refused():
        forge(action, judge_kind="")
    with refused():
        forge(action, how=How.SELF_REPORTED, checklist=[])
    with refused():
        forge(action, check_id=None)  # and the audit is not said to be missing


def test_a_completion_that_is_nobodys(action):
    with refused():
        completion(action).save(force_insert=True)


@pytest.mark.django_db(transaction=True)
def test_a_completion_that_is_nobodys_at_a_real_commit(action):
    with pytest.raises(IntegrityError):
        completion(action).save(force_insert=True)
    assert not Completion.objects.exists()


def test_two_open_completions(action):
    forge(action)
    with refused():
        completion(action).save(force_insert=True)


def test_reopening_without_a_row(action):
    forge(action)
    with refused():
        point(action, None, Status.IN_PROGRESS)


def test_a_reopening_that_leaves_the_completion_current(action):
    forge(action)
    with refused():
        Reopening.objects.create(
            completion=Completion.objects.get(), by=action.week.plan.owner, reason="Because."
        )


def test_a_reopened_completion_is_never_current_again(action, student):
    action.update_status(Status.COMPLETED, by=student, confirmed=True)
    old = action.current_completion
    action.reopen(by=student)
    with refused():
        point(action, old)


def test_swapping_one_completion_for_another(action, student):
    action.update_status(Status.COMPLETED, by=student, confirmed=True)
    old = action.current_completion
    action.reopen(by=student)
    action.update_status(Status.COMPLETED, by=student, confirmed=True)
    with refused():
        point(action, old)


@pytest.mark.parametrize("field", ["how", "checklist", "judge_kind", "spec_version", "sequence"])
def test_a_completion_never_changes(action, field):
    forge(action)
    changed = {
        "how": How.SELF_REPORTED,
        "checklist": [{"status": "met"}],
        "judge_kind": "rules",
        "spec_version": 99,
        "sequence": 7,
    }[field]
    with refused():
        Completion.objects.update(**{field: changed})


def test_facts_are_never_deleted(action, student):
    action.update_status(Status.COMPLETED, by=student, confirmed=True)
    action.reopen(by=student)
    erasure = Erasure.objects.create(person=student, by=student, reason="Asked for it.")
    for table in ("plans_reopening", "plans_completion", "plans_erasure"):
        with refused(), connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table}")
    with refused():
        Reopening.objects.update(reason="Another")
    with refused():
        Erasure.objects.filter(pk=erasure.pk).update(reason="Another")


def test_what_was_completed_is_not_deleted(action, student):
    action.update_status(Status.COMPLETED, by=student, confirmed=True)
    for row in (action, action.week, action.week.plan, student):
        with pytest.raises(ProtectedError):
            row.delete()
    with refused(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM plans_requirement")
        cursor.execute("DELETE FROM plans_followup")
        cursor.execute("DELETE FROM plans_action")


def test_an_erasure_blanks_words_and_nothing_else(action, student):
    forge(action)
    blank = [row | {"note": "", "evidence": []} for row in Completion.objects.get().checklist]
    with refused():
        Completion.objects.update(checklist=[*blank, {"status": "met"}])
    Erasure.objects.create(person=student, by=student, reason="Asked for it.")
    Completion.objects.update(checklist=blank)
    with refused():
        Completion.objects.update(checklist=[{"status": "not_met"}])
    with refused():
        Completion.objects.update(judge_kind="rules")


class TestSpecVersion:
    def read(self, action):
        return Action.objects.get(pk=action.pk).spec_version

    def test_the_text_raises_it(self, action):
        start = self.read(action)
        Action.objects.filter(pk=action.pk).update(title="Another")
        Action.objects.filter(pk=action.pk).update(description="Another")
        assert self.read(action) == start + 2

    def test_a_requirement_raises_it(self, action):
        start = self.read(action)
        row = action.requirements.first()
        row.title = "Another"
        row.save()
        assert self.read(action) == start + 1
        action.requirements.create(title="Third")
        assert self.read(action) == start + 2
        row.delete()
        assert self.read(action) == start + 3

    def test_the_week_raises_it(self, action, week):
        start = self.read(action)
        week.description = "Another"
        week.save()
        assert self.read(action) == start + 1
        week.completed_at = "2026-11-01T00:00Z"
        week.save()
        assert self.read(action) == start + 1

    def test_moving_raises_it(self, action, week):
        start = self.read(action)
        other = Week.objects.create(plan=week.plan, number=2, title="Two")
        Action.objects.filter(pk=action.pk).update(week=other)
        assert self.read(action) == start + 1

    def test_saving_the_same_text_does_not(self, action):
        start = self.read(action)
        action.save()
        action.requirements.first().save()
        Action.objects.filter(pk=action.pk).update(position=7)
        assert self.read(action) == start

    def test_a_stale_save_cannot_lower_it(self, action):
        stale = Action.objects.get(pk=action.pk)
        Action.objects.filter(pk=action.pk).update(title="Another")
        risen = self.read(action)
        stale.save()
        assert self.read(action) == risen + 1
        Action.objects.filter(pk=action.pk).update(spec_version=1)
        assert self.read(action) == risen + 1
