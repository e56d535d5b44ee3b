"""Where tasks go, and what a week's end needs."""

import random
import uuid

import pytest
from django.db import transaction
from django.http import Http404

from plans import editing
from plans.editing import Place
from plans.errors import (
    PlaceGone,
    Refused,
    TextRefused,
    WeekBegun,
    WeekFull,
    WeekWouldClose,
)
from plans.history import describe_edit, say_edit
from plans.models import Action, Status, Week
from plans.status import change_own_status, self_report
from plans.task_text import RowText
from tests import factories
from tests.plans.editing.calls import edit, find_inconsistent, rows_of, titles

pytestmark = pytest.mark.django_db
NEW_ROW = RowText(None, "Shows the new map", "shown")


class TestPlace:
    @pytest.fixture
    def three(self, weeks):
        return [factories.make_action(weeks[0], name) for name in "ABC"]

    def test_within_a_week_the_spec_version_stays(self, student, three, weeks):
        a, b, c = three
        made = editing.move_task(student, c.pk, Place(after=None))
        assert titles(weeks[0]) == ["C", "A", "B"]
        editing.move_task(student, c.pk, Place(after=a.pk))
        assert titles(weeks[0]) == ["A", "C", "B"]
        editing.move_task(student, a.pk, Place())
        assert titles(weeks[0]) == ["C", "B", "A"]
        versions = set(Action.objects.values_list("spec_version", flat=True))
        assert versions == {b.spec_version}
        assert (made.kind, made.before, made.after) == ("moved", {"place": 3}, {"place": 1})

    def test_into_another_week_it_rises(self, student, three, weeks):
        made = editing.move_task(student, three[1].pk, Place(weeks[1].pk, None))
        assert (titles(weeks[0]), titles(weeks[1])) == (["A", "C"], ["B"])
        assert made.spec_version == three[1].spec_version + 1
        [change] = describe_edit(made)
        assert (change.before, change.after) == ("Week 1 — Know", "Week 2 — Draw")
        assert say_edit(made) == "Moved to week 2."

    def test_text_and_week_in_one_go_or_not_at_all(self, student, task, weeks):
        with pytest.raises(WeekWouldClose):
            edit(student, task, title="Other", place=Place(weeks[1].pk))
        task.refresh_from_db()
        assert task.title == "Write down the risks" and task.week == weeks[0]
        made = edit(student, task, title="Other", place=Place(weeks[1].pk), close_week=True)
        assert (made.kind, made.after.keys()) == ("edited", {"title", "week"})

    def test_after_a_task_that_has_gone(self, student, three, weeks):
        editing.drop_task(student, three[0].pk)
        with pytest.raises(PlaceGone):
            editing.move_task(student, three[2].pk, Place(after=three[0].pk))
        with pytest.raises(PlaceGone):
            editing.move_task(student, three[2].pk, Place(weeks[1].pk, three[1].pk))

    def test_a_full_week_takes_no_more(self, student, three, weeks, monkeypatch):
        monkeypatch.setattr(editing, "MOST_TASKS", 3)
        other = factories.make_action(weeks[1])
        with pytest.raises(WeekFull):
            editing.move_task(student, other.pk, Place(weeks[0].pk), close_week=True)
        with pytest.raises(WeekFull):
            editing.add_task(student, weeks[0].pk, title="D", description="", rows=[NEW_ROW])


def completed(*rows):
    return [type(row).objects.get(pk=row.pk).completed_at is not None for row in rows]


class TestWeeksEnd:
    """The last open task leaves a week by the student's own tap alone."""

    def test_what_is_left_is_done(self, student, plan, weeks, task):
        other = factories.make_action(weeks[0], "Other")
        factories.make_action(weeks[1], "Later")
        self_report(other, by=student)
        for not_confirmed in (False, None, 1, "true"):
            with pytest.raises(WeekWouldClose, match="everything else in it is done"):
                editing.drop_task(student, task.pk, close_week=not_confirmed)
            with pytest.raises(WeekWouldClose):
                editing.move_task(student, task.pk, Place(weeks[1].pk), close_week=not_confirmed)
        assert completed(weeks[0], plan) == [False, False]
        editing.drop_task(student, task.pk, close_week=True)
        assert completed(weeks[0], plan) == [True, False]

    def test_nothing_is_left(self, student, plan, weeks, task):
        factories.make_action(weeks[1], "Later")
        with pytest.raises(WeekWouldClose, match="no other task"):
            editing.drop_task(student, task.pk)
        editing.drop_task(student, task.pk, close_week=True)
        assert completed(*weeks, plan) == [True, False, False, False]
        assert [week.number for week in plan.weeks.all()] == [1, 2, 3]

    def test_the_last_of_the_plan_completes_it(self, student, plan, weeks, task):
        self_report(factories.make_action(weeks[0], "Other"), by=student)
        editing.drop_task(student, task.pk, close_week=True)
        assert completed(weeks[0], plan) == [True, True]

    def test_a_plan_in_which_nothing_was_done_is_not_complete(self, student, plan, weeks, task):
        editing.drop_task(student, task.pk, close_week=True)
        assert completed(weeks[0], plan) == [True, False]

    def test_with_another_open_task_nobody_is_asked(self, student, weeks, task):
        factories.make_action(weeks[0], "Other")
        editing.drop_task(student, task.pk, close_week=True)
        assert completed(weeks[0]) == [False]

    def test_what_comes_into_a_completed_week_opens_it(self, student, plan, weeks, task):
        self_report(task, by=student)
        assert completed(weeks[0], plan) == [True, True]
        texts = {"title": "New", "description": "", "rows": [NEW_ROW]}
        added = editing.add_task(student, weeks[0].pk, **texts).action
        assert completed(weeks[0], plan) == [False, False]
        editing.drop_task(student, added.pk, close_week=True)
        assert completed(weeks[0], plan) == [True, True]
        editing.restore_task(student, added.pk)
        assert completed(weeks[0], plan) == [False, False]
        editing.move_task(student, added.pk, Place(weeks[1].pk), close_week=True)
        assert completed(weeks[0], weeks[1], plan) == [True, False, False]
        editing.move_task(student, added.pk, Place(weeks[0].pk), close_week=True)
        assert completed(weeks[0], weeks[1], plan) == [False, True, False]


class TestAddDropRestore:
    def test_added_with_its_requirements(self, student, weeks, task):
        rows = [RowText(uuid.uuid4(), "First", "written"), NEW_ROW]
        made = editing.add_task(student, weeks[0].pk, title=" New ", description="", rows=rows)
        action = Action.objects.get(pk=made.action_id)
        assert titles(weeks[0]) == ["Write down the risks", "New"]
        assert [row.title for row in rows_of(action)] == ["First", "Shows the new map"]
        assert (action.status, made.kind, made.before) == (Status.NOT_STARTED, "added", {})
        assert made.spec_version == action.spec_version
        assert [each.what for each in describe_edit(made)] == [
            "Title",
            "Requirement added",
            "Requirement added",
            "Week",
        ]

    def test_nothing_is_added_without_a_requirement(self, student, weeks):
        with pytest.raises(TextRefused):
            editing.add_task(student, weeks[0].pk, title="New", description="", rows=[])
        assert not Action.objects.exists()

    def test_dropped_and_back(self, student, weeks, task):
        factories.make_action(weeks[0], "Other")
        change_own_status(task, Status.IN_PROGRESS, by=student)
        dropped = editing.drop_task(student, task.pk)
        assert titles(weeks[0]) == ["Other"]
        with pytest.raises(Http404):
            editing.drop_task(student, task.pk)
        back = editing.restore_task(student, task.pk)
        assert editing.restore_task(student, task.pk) is None
        assert titles(weeks[0]) == ["Write down the risks", "Other"]
        task.refresh_from_db()
        assert (task.status, task.spec_version) == (Status.IN_PROGRESS, back.spec_version)
        assert (dropped.kind, back.kind) == ("dropped", "restored")
        assert say_edit(dropped) == "“Write down the risks” is dropped."

    def test_back_into_a_closed_week_opens_it_and_says_so(self, student, weeks, task):
        editing.drop_task(student, task.pk, close_week=True)
        assert completed(weeks[0]) == [True]
        back = editing.restore_task(student, task.pk)
        assert completed(weeks[0]) == [False]
        assert say_edit(back) == "This task is back in week 1, which is open again."
        [change] = describe_edit(back)
        assert (change.before, change.after) == ("", "Week 1 — Know")

    def test_back_into_an_open_week_says_that_alone(self, student, weeks, task):
        factories.make_action(weeks[0], "Other")
        editing.drop_task(student, task.pk)
        assert say_edit(editing.restore_task(student, task.pk)) == "This task is back in week 1."

    def test_a_full_week_takes_nothing_back(self, student, weeks, task, monkeypatch):
        editing.drop_task(student, task.pk, close_week=True)
        others = [factories.make_action(weeks[0], name) for name in "AB"]
        monkeypatch.setattr(editing, "MOST_TASKS", 2)
        with pytest.raises(WeekFull, match="Week 1 holds 2 tasks already"):
            editing.restore_task(student, task.pk)
        assert titles(weeks[0]) == ["A", "B"]
        editing.drop_task(student, others[0].pk)
        editing.restore_task(student, task.pk)
        assert titles(weeks[0]) == ["Write down the risks", "B"]

    def test_what_staff_archived_is_not_restored(self, student, task):
        Action.objects.update(archived_at="2026-01-01T00:00Z")
        with pytest.raises(Http404):
            editing.restore_task(student, task.pk)


class TestWeekText:
    def test_it_raises_every_task_of_the_week(self, student, weeks, task):
        other = factories.make_action(weeks[0], "Other")
        made = editing.edit_week(student, weeks[0].pk, title="Know more", description="All.")
        assert {each.action for each in made} == {task, other}
        for each in made:
            assert (
                each.spec_version
                == each.action.spec_version
                == 1 + (task if each.action == task else other).spec_version
            )
        assert [change.what for change in describe_edit(made[0])] == [
            "Title of week 1",
            "Description of week 1",
        ]
        assert editing.edit_week(student, weeks[0].pk, title="Know more", description="All.") == []

    def test_it_stays_once_something_in_it_is_done(self, student, weeks, task):
        self_report(task, by=student)
        with pytest.raises(WeekBegun):
            editing.edit_week(student, weeks[0].pk, title="Other", description="")

    def test_a_week_has_a_title(self, student, weeks):
        with pytest.raises(TextRefused):
            editing.edit_week(student, weeks[0].pk, title="", description="")


def change_at_random(chance, student, plan):
    week, other = chance.choices(list(plan.weeks.all()), k=2)
    actions = sorted(Action.objects.filter(week__plan=plan), key=str)  # ids are random
    action = chance.choice(actions)
    close = chance.random() < 0.7
    after = chance.choice([None, "end", chance.choice(actions).pk])
    texts = {"title": f"Task {chance.random()}", "description": "", "rows": [NEW_ROW]}
    steps = [
        lambda: editing.add_task(student, week.pk, **texts),
        lambda: editing.drop_task(student, action.pk, close_week=close),
        lambda: editing.restore_task(student, action.pk),
        lambda: editing.move_task(student, action.pk, Place(other.pk, after), close_week=close),
        lambda: edit(student, action, title=texts["title"], place=Place(week.pk), close_week=close),
        lambda: editing.edit_week(student, week.pk, title=texts["title"], description=""),
        *[lambda: self_report(Action.objects.get(pk=action.pk), by=student)] * 3,
        lambda: change_own_status(Action.objects.get(pk=action.pk), "in_progress", by=student),
    ]
    chance.choice(steps)()


@pytest.mark.parametrize("seed", range(6))
def test_completed_at_is_what_the_tasks_say_after_any_sequence(student, plan, weeks, seed):
    chance = random.Random(seed)
    for week in weeks:
        factories.make_action(week, f"Of {week.title}")
    seen, closed = set(), set()
    for _ in range(80):
        try:
            with transaction.atomic():
                change_at_random(chance, student, plan)
        except (Refused, Http404) as refusal:
            seen.add(type(refusal))
        assert find_inconsistent(plan) == []
        closed |= set(Week.objects.exclude(completed_at=None))
    assert WeekWouldClose in seen and closed


def test_control_without_settling_it_would_not_be(student, plan, weeks, monkeypatch):
    monkeypatch.setattr(editing, "settle_completed_at", lambda plan, closing=None: None)
    task = factories.make_action(weeks[0])
    self_report(factories.make_action(weeks[0]), by=student)
    editing.drop_task(student, task.pk, close_week=True)
    assert find_inconsistent(plan) == [weeks[0], plan]
