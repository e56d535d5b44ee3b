"""Agreed rows: what a student may add to a task, what that changes, and what is refused."""

import threading

import pytest
from django.db import connections
from django.db.models import QuerySet
from django.utils import timezone

from plans.agreed_rows import (
    EVIDENCE_KINDS,
    LONGEST_TITLE,
    MOST_AGREED,
    AgreedRow,
    AgreementRefused,
)
from plans.errors import AlreadyCompleted, Archived, NotOwner
from plans.models import Action, EvidenceKind, Plan, Requirement, Status
from plans.status import self_report
from tests import factories
from tests.locks import Meeting

pytestmark = pytest.mark.django_db
MAP = AgreedRow("You draw a map of the harbour", "shown")
KEY = AgreedRow("You write a key of four signs", "written")


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def action(student):
    return factories.make_action(
        factories.make_plan(student), requirements=[("Names two", "either")]
    )


def rows_of(action):
    rows = action.requirements.order_by("position")
    return list(rows.values_list("title", "evidence_kind", "origin"))


def agreed_in(action):
    return list(action.requirements.filter(origin="agreed").order_by("position"))


PLANNED = ("Names two", "either", "plan")


def test_the_kinds_are_those_of_a_requirement():
    assert set(EVIDENCE_KINDS) == set(EvidenceKind.values)


def test_they_stand_after_the_plans_own_and_raise_the_spec_version(action, student):
    before = action.spec_version
    assert action.agree_on([MAP, KEY], by=student)
    assert rows_of(action) == [
        PLANNED,
        (MAP.title, "shown", "agreed"),
        (KEY.title, "written", "agreed"),
    ]
    stored = Action.objects.get(pk=action.pk).spec_version
    assert action.spec_version == stored > before


def test_the_same_again_changes_nothing(action, student):
    action.agree_on([MAP, KEY], by=student)
    before = list(Requirement.objects.values()), action.spec_version
    again = [AgreedRow(f"  {MAP.title.replace(' ', chr(10), 1)} ", "shown"), KEY]
    assert not action.agree_on(again, by=student)
    assert (list(Requirement.objects.values()), action.spec_version) == before


def test_a_line_whose_words_stay_keeps_its_id(action, student):
    action.agree_on([MAP, KEY], by=student)
    ids = dict(Requirement.objects.values_list("title", "pk"))
    other = AgreedRow("You say why", "written")
    assert action.agree_on([AgreedRow(KEY.title, "either"), other], by=student)
    assert rows_of(action)[1:] == [
        (KEY.title, "either", "agreed"),
        (other.title, "written", "agreed"),
    ]
    assert Requirement.objects.get(title=KEY.title).pk == ids[KEY.title]


@pytest.mark.parametrize(
    ("then", "stays"),
    [
        pytest.param(["A map of all 24", "A key"], {0: 0, 1: 1}, id="the first corrected"),
        pytest.param(["A map", "A key of five"], {0: 0, 1: 1}, id="the second corrected"),
        pytest.param(["One", "Two"], {0: 0, 1: 1}, id="both corrected"),
        pytest.param(["A key", "A map"], {0: 1, 1: 0}, id="turned round"),
        pytest.param(["A key", "Another"], {0: 1}, id="the first dropped, another added"),
        pytest.param(["A key of five"], {}, id="the first dropped, the second corrected"),
        pytest.param(["A key"], {0: 1}, id="the first dropped"),
        pytest.param(["A map", "A key", "Another"], {0: 0, 1: 1}, id="one more"),
    ],
)
def test_a_corrected_line_keeps_its_id(action, student, then, stays):
    """Its pictures hang on it."""
    action.agree_on([AgreedRow("A map"), AgreedRow("A key")], by=student)
    before = [row.pk for row in agreed_in(action)]
    version = action.spec_version
    assert action.agree_on([AgreedRow(title) for title in then], by=student)
    rows = agreed_in(action)
    assert [row.title for row in rows] == then
    assert {place: before.index(row.pk) for place, row in enumerate(rows) if row.pk in before} == (
        stays
    )
    assert action.spec_version > version


def test_no_line_takes_back_and_leaves_the_plans_own(action, student):
    action.agree_on([MAP], by=student)
    assert action.agree_on([], by=student)
    assert rows_of(action) == [PLANNED]
    assert not action.agree_on([], by=student)


@pytest.mark.parametrize(
    "rows",
    [
        [AgreedRow(f"Line {number}") for number in range(MOST_AGREED + 1)],
        [MAP, AgreedRow("")],
        [AgreedRow(" \n\t")],
        [AgreedRow("\u200b\u2060")],
        [AgreedRow("...")],
        [AgreedRow("x" * (LONGEST_TITLE + 1))],
        [AgreedRow("a\0b")],
        [AgreedRow("a\ud800b")],
        [AgreedRow("You draw", "seen")],
        [MAP, AgreedRow(MAP.title.upper() + ".", "written")],
        [AgreedRow("names  TWO.")],
    ],
)
def test_lines_that_cannot_be_agreed_on(action, student, rows):
    action.agree_on([KEY], by=student)
    before = rows_of(action)
    with pytest.raises(AgreementRefused) as refusal:
        action.agree_on(rows, by=student)
    assert str(refusal.value).endswith(".") and refusal.value.status == 422
    assert rows_of(action) == before


def test_the_longest_line_fits(action, student):
    assert action.agree_on([AgreedRow("x" * LONGEST_TITLE)], by=student)


def test_nobody_elses_task(action):
    for other in (factories.make_student(), factories.make_staff()):
        with pytest.raises(NotOwner):
            action.agree_on([MAP], by=other)
    assert rows_of(action) == [PLANNED]


def test_not_on_a_completed_task(action, student):
    self_report(action, by=student)
    with pytest.raises(AlreadyCompleted):
        action.agree_on([MAP], by=student)
    action.reopen(by=student)
    assert action.agree_on([MAP], by=student)


@pytest.mark.parametrize("model", [Action, Plan])
def test_not_on_an_archived_one(action, student, model):
    model.objects.update(archived_at=timezone.now())
    with pytest.raises(Archived):
        action.agree_on([MAP], by=student)


def agree_at_once(action, student, monkeypatch, *, locked):
    """Two taps with three lines each, from two windows. Returns how many agreed rows there are."""
    if not locked:
        monkeypatch.setattr(QuerySet, "select_for_update", lambda self, *args, **kwargs: self.all())
    meeting, write = Meeting(), Action._write_agreed

    def wait_and_write(self, *args, **kwargs):
        meeting.wait()
        return write(self, *args, **kwargs)

    monkeypatch.setattr(Action, "_write_agreed", wait_and_write)

    def tap(name):
        rows = [AgreedRow(f"{name} {number}") for number in range(3)]
        try:
            Action.objects.get(pk=action.pk).agree_on(rows, by=student)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=tap, args=(name,)) for name in ("One", "Two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return action.requirements.filter(origin="agreed").count()


@pytest.mark.django_db(transaction=True)
class TestTwoWindows:
    def test_three_rows_are_left(self, action, student, monkeypatch):
        assert agree_at_once(action, student, monkeypatch, locked=True) == MOST_AGREED

    def test_control_without_the_lock_there_are_six(self, action, student, monkeypatch):
        assert agree_at_once(action, student, monkeypatch, locked=False) == 2 * MOST_AGREED


def test_the_status_stays(action, student):
    action.agree_on([MAP], by=student)
    assert Action.objects.get(pk=action.pk).status == Status.NOT_STARTED
