"""One form that is sent twice, and two forms that know nothing of each other."""

import pytest
from django.db.models import QuerySet

from elivio.text import digest_of
from plans import editing
from plans.agreed_rows import AgreedRow, AgreementChanged, digest_rows
from plans.editing import Place
from plans.errors import TaskChanged, WeekChanged
from plans.history import take_week
from plans.models import Action, ActionEdit, Requirement, Week
from plans.task_text import RowText
from tests import factories
from tests.locks import Meeting
from tests.plans.editing.calls import edit, rows_of, titles
from tests.plans.test_races import unlock
from tests.sessions.together import run_together

pytestmark = pytest.mark.django_db
ROW = RowText(None, "Shows the new map", "shown")
NEW = {"title": "New", "description": "", "rows": [ROW]}


class TestANewTask:
    def test_the_same_form_again_is_the_same_task(self, student, weeks):
        made = [editing.add_task(student, weeks[0].pk, **NEW, form_id="f") for _ in range(2)]
        assert made[0] == made[1] and titles(weeks[0]) == ["New"]

    @pytest.mark.parametrize(
        "other",
        [
            {"form_id": "g"},
            {"form_id": ""},
            {"title": "Newer"},
            {"description": "More."},
            {"rows": [ROW, RowText(None, "Another", "either")]},
            {"rows": [RowText(None, ROW.title, "either")]},
        ],
    )
    def test_other_words_or_another_form_are_another_task(self, student, weeks, other):
        editing.add_task(student, weeks[0].pk, **NEW, form_id="f")
        editing.add_task(student, weeks[0].pk, **{**NEW, "form_id": "f", **other})
        assert len(titles(weeks[0])) == 2

    def test_in_another_week_it_is_another_task(self, student, weeks):
        for week in weeks[:2]:
            editing.add_task(student, week.pk, **NEW, form_id="f")
        assert titles(weeks[0]) == titles(weeks[1]) == ["New"]

    def test_after_a_drop_it_is_added_anew(self, student, weeks, task):
        made = editing.add_task(student, weeks[0].pk, **NEW, form_id="f")
        editing.drop_task(student, made.action_id)
        editing.add_task(student, weeks[0].pk, **NEW, form_id="f")
        assert titles(weeks[0]) == [task.title, "New"]

    @pytest.mark.django_db(transaction=True)
    def test_sent_at_the_same_time(self, student, weeks):
        made = run_together(
            4, lambda at: editing.add_task(student, weeks[0].pk, **NEW, form_id="f")
        )
        assert len(set(made)) == 1 and titles(weeks[0]) == ["New"]

    @pytest.mark.django_db(transaction=True)
    def test_control_without_the_plans_lock_one_of_them_fails(self, student, weeks, monkeypatch):
        """Not two tasks all the same: the id is one, and the database refuses the second."""
        unlock(monkeypatch, "Plan")
        first = QuerySet.first

        def wait(rows):
            found = first(rows)
            if rows.model is ActionEdit:
                meeting.wait()
            return found

        meeting = Meeting()
        monkeypatch.setattr(QuerySet, "first", wait)
        made = run_together(
            2, lambda at: editing.add_task(student, weeks[0].pk, **NEW, form_id="f")
        )
        assert any(isinstance(each, Exception) for each in made)


class TestAnEdit:
    def test_the_same_again_is_no_change(self, student, task):
        version = task.spec_version
        changes = {"title": "Other", "description": "More.\r\n", "rows": [*rows_of(task), ROW]}
        assert edit(student, task, version=version, **changes)
        kept = [row.id for row in rows_of(task)]
        assert edit(student, task, version=version, **changes) is None
        assert [row.id for row in rows_of(task)] == kept
        assert ActionEdit.objects.count() == 1

    @pytest.mark.parametrize(
        "other",
        [{"title": "Third"}, {"description": "Less."}, {"rows": [ROW]}],
    )
    def test_other_words_are_still_refused(self, student, task, other):
        version = task.spec_version
        changes = {"title": "Other", "description": "More.", "rows": rows_of(task)}
        edit(student, task, version=version, **changes)
        with pytest.raises(TaskChanged):
            edit(student, task, version=version, **{**changes, **other})

    def test_moved_and_sent_again(self, student, task, weeks):
        factories.make_action(weeks[0])
        changes = {"title": "Other", "place": Place(weeks[1].pk)}
        version = task.spec_version
        assert edit(student, task, version=version, **changes)
        assert edit(student, task, version=version, **changes) is None
        assert Action.objects.get(pk=task.pk).week == weeks[1]


class TestAWeeksText:
    def test_typed_before_another_change_it_is_refused(self, student, weeks, task):
        week, seen = weeks[0].pk, digest_of(take_week(weeks[0]))
        editing.edit_week(student, week, title="Newer", description="", seen=seen)
        with pytest.raises(WeekChanged):
            editing.edit_week(student, week, title="Mine", description="", seen=seen)
        assert Week.objects.get(pk=week).title == "Newer"

    def test_the_same_again_is_no_change(self, student, weeks, task):
        week, seen = weeks[0].pk, digest_of(take_week(weeks[0]))
        editing.edit_week(student, week, title="Newer", description="", seen=seen)
        assert editing.edit_week(student, week, title="Newer", description="", seen=seen) == []


class TestAgreedLines:
    FIRST, SECOND = AgreedRow("You draw"), AgreedRow("You write")

    def agreed(self):
        return [row.title for row in Requirement.objects.filter(origin="agreed")]

    def test_typed_before_others_were_agreed_on_they_are_refused(self, student, task):
        seen = digest_rows([])
        editing.agree_on(student, task, [self.FIRST], seen=seen)
        with pytest.raises(AgreementChanged):
            editing.agree_on(student, task, [self.SECOND], seen=seen)
        assert self.agreed() == ["You draw"]
        editing.agree_on(student, task, [self.SECOND], seen=digest_rows([self.FIRST]))
        assert self.agreed() == ["You write"]

    def test_the_same_again_is_no_change(self, student, task):
        assert editing.agree_on(student, task, [self.FIRST], seen=digest_rows([]))
        assert not editing.agree_on(student, task, [self.FIRST], seen=digest_rows([]))

    def test_who_saw_nothing_may_set_them(self, student, task):
        """A program that sends the whole list."""
        for row in (self.FIRST, self.SECOND):
            editing.agree_on(student, task, [row])
        assert self.agreed() == ["You write"]
