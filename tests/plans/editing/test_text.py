"""What changes in a task, what is refused, and what is kept of it."""

import uuid

import pytest
from django.db import IntegrityError, transaction
from django.http import Http404

from plans import editing
from plans.editing import Changes, Place
from plans.errors import (
    AlreadyCompleted,
    TaskChanged,
    TextRefused,
)
from plans.history import describe_edit, say_edit
from plans.models import Action, ActionEdit, FollowUp, Origin, Plan, Requirement
from plans.status import self_report
from plans.task_text import RowText
from tests import factories
from tests.plans.editing.calls import edit, rows_of

pytestmark = pytest.mark.django_db
NEW_ROW = RowText(None, "Shows the new map", "shown")


class TestText:
    def test_each_text_raises_the_spec_version_and_is_kept(self, student, task):
        before = task.spec_version
        first = edit(student, task, title="  Name \n the risks ")
        second = edit(student, task, description="Three of them.\r\nAt least.")
        task.refresh_from_db()
        assert (task.title, task.description) == ("Name the risks", "Three of them.\nAt least.")
        assert before < first.spec_version < second.spec_version == task.spec_version
        assert (first.kind, first.by, first.action) == ("edited", student, task)
        assert first.before == {"title": "Write down the risks"}
        assert first.after == {"title": "Name the risks"}
        assert say_edit(second) == "Saved: description."

    def test_requirements_change_stay_go_and_come(self, student, task):
        one, two = rows_of(task)
        Requirement.objects.filter(pk=two.id).update(origin=Origin.AGREED)
        rows = [NEW_ROW, RowText(two.id, "Two, larger", "either")]
        made = edit(student, task, rows=rows)
        new, kept = task.requirements.order_by("position")
        assert (new.title, new.origin) == ("Shows the new map", Origin.PLAN)
        assert (kept.pk, kept.title, kept.evidence_kind) == (two.id, "Two, larger", "either")
        assert kept.origin == Origin.AGREED
        assert not Requirement.objects.filter(pk=one.id).exists()
        assert [(each.what, each.before, each.after) for each in describe_edit(made)] == [
            ("Requirement removed", "One (in your words)", ""),
            ("Requirement added", "", "Shows the new map (shown on screen or pasted)"),
            (
                "Requirement changed",
                "Two (shown on screen or pasted)",
                "Two, larger (written or shown)",
            ),
        ]

    def test_the_order_of_requirements_is_a_change_too(self, student, task):
        version = task.spec_version
        made = edit(student, task, rows=rows_of(task)[::-1])
        assert [row.title for row in rows_of(task)] == ["Two", "One"]
        assert made.spec_version > version
        assert [each.what for each in describe_edit(made)] == ["Order of the requirements"]

    def test_nothing_different_changes_nothing(self, student, task):
        same = {"title": task.title, "description": " ", "rows": rows_of(task)}
        assert edit(student, task, **same, place=Place(task.week_id, None)) is None
        assert Action.objects.get().spec_version == task.spec_version
        assert not ActionEdit.objects.exists() and not FollowUp.objects.exists()

    def test_the_report_is_made_again(self, student, task):
        made = edit(student, task, title="Another")
        assert FollowUp.objects.get().key == f"edit:{made.pk}:refresh_report"

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"title": " \n "}, "title"),
            ({"title": "x" * 201}, "title"),
            ({"title": "a\0b"}, "title"),
            ({"description": "\ud800"}, "description"),
            ({"description": "x" * 5001}, "description"),
            ({"rows": []}, "requirements"),
            ({"rows": [RowText(None, f"Row {at}", "shown") for at in range(13)]}, "requirements"),
            ({"rows": [RowText(None, " ", "shown")]}, "requirements.0"),
            ({"rows": [NEW_ROW, RowText(None, "x" * 301, "shown")]}, "requirements.1"),
            ({"rows": [NEW_ROW, RowText(None, "shows  the NEW map", "either")]}, "requirements.1"),
            ({"rows": [RowText(None, "Row", "felt")]}, "requirements.0"),
        ],
    )
    def test_what_cannot_be_kept_is_refused_in_words(self, student, task, changes, field):
        with pytest.raises(TextRefused) as refusal:
            edit(student, task, **changes)
        assert list(refusal.value.faults) == [field]
        assert str(refusal.value).endswith(".")
        assert refusal.value.status == 422
        assert not ActionEdit.objects.exists() and len(rows_of(task)) == 2

    def test_one_id_twice_is_refused(self, student, task):
        one = rows_of(task)[0]
        with pytest.raises(TextRefused):
            edit(student, task, rows=[one, RowText(one.id, "Other words", "shown")])

    def test_another_tasks_requirement_is_never_touched(self, student, task, weeks):
        other = factories.make_action(weeks[0], "Other")
        theirs = rows_of(other)[0]
        with pytest.raises(TaskChanged):
            edit(student, task, rows=[RowText(theirs.id, "Mine now", "shown")])
        assert rows_of(other) == [theirs]

    def test_a_form_of_before_is_refused(self, student, task):
        edit(student, task, title="First")
        with pytest.raises(TaskChanged):
            edit(student, task, title="Second", version=task.spec_version)
        assert Action.objects.get().title == "First"


class TestWho:
    def test_another_students_task_and_week_are_missing(self, task, weeks):
        stranger, one = factories.make_student(), uuid.uuid4()
        texts = {"title": "Mine", "description": "", "rows": [NEW_ROW]}
        for action_id, week_id in ((task.pk, weeks[0].pk), (one, one)):
            for call in (
                lambda at: edit_at(stranger, at),
                lambda at: editing.move_task(stranger, at, Place()),
                lambda at: editing.drop_task(stranger, at),
                lambda at: editing.restore_task(stranger, at),
            ):
                with pytest.raises(Http404):
                    call(action_id)
            with pytest.raises(Http404):
                editing.add_task(stranger, week_id, **texts)
            with pytest.raises(Http404):
                editing.edit_week(stranger, week_id, title="Mine", description="")
        assert not ActionEdit.objects.exists()

    def test_a_week_of_another_plan_is_missing(self, student, task):
        other = factories.make_plan(student).weeks.get()
        with pytest.raises(Http404):
            editing.move_task(student, task.pk, Place(other.pk), close_week=True)

    def test_a_completed_task_stays_as_it_was_checked(self, student, task, weeks):
        self_report(task, by=student)
        for call in (
            lambda: edit(student, task, title="Other"),
            lambda: editing.move_task(student, task.pk, Place(weeks[1].pk)),
            lambda: editing.drop_task(student, task.pk, close_week=True),
        ):
            with pytest.raises(AlreadyCompleted):
                call()

    def test_of_an_archived_plan_nothing_changes(self, student, task, plan, weeks):
        Plan.objects.update(archived_at="2026-01-01T00:00Z")
        with pytest.raises(Http404):
            edit(student, task, title="Other")
        with pytest.raises(Http404):
            editing.add_task(student, weeks[0].pk, title="New", description="", rows=[NEW_ROW])


def edit_at(user, action_id):
    return editing.edit_task(user, action_id, Changes(title="Mine"), expected_version=1)


@pytest.mark.parametrize("write", ["update", "delete"])
def test_the_database_keeps_an_edit_as_it_is(student, task, write):
    edit(student, task, title="Other")
    with pytest.raises(IntegrityError, match="is a fact"), transaction.atomic():
        if write == "update":
            ActionEdit.objects.update(after={})
        else:
            ActionEdit.objects.all().delete()
