"""Sharing a plan and withdrawing it, and what may be read at its address."""

import datetime
import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from plans.models import Action, Completion, Plan, Proof, Requirement
from plans.proof import Kind, find_proof, read_proof, share_plan, withdraw_plan
from sessions.erasure import erase_person
from tests import factories
from tests.finishing import finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def plan(student):
    return factories.make_plan(student, weeks=["Look", "Draw"], title="A map", goal="For riders")


@pytest.fixture
def token(plan, student):
    return share_plan(plan, by=student).token


class TestSharing:
    def test_an_address_is_long_and_random(self, plan, student):
        tokens = set()
        for _ in range(50):
            tokens.add(share_plan(plan, by=student).token)
            withdraw_plan(plan, by=student)
        assert len(tokens) == 50
        assert {len(token) for token in tokens} == {32}

    def test_shared_keeps_its_address(self, plan, student, token):
        assert share_plan(plan, by=student).token == token
        assert find_proof(plan).token == token
        assert Proof.objects.count() == 1

    def test_withdrawn_is_gone_and_stays_gone(self, plan, student, token):
        withdraw_plan(plan, by=student)
        assert find_proof(plan) is None and read_proof(token) is None
        assert share_plan(plan, by=student).token != token
        assert read_proof(token) is None
        assert read_proof(find_proof(plan).token)

    def test_withdrawing_again_is_quiet_and_keeps_the_time(self, plan, student, token):
        withdraw_plan(plan, by=student)
        first = Proof.objects.get().withdrawn_at
        withdraw_plan(plan, by=student)
        assert Proof.objects.get().withdrawn_at == first

    def test_withdrawing_what_was_never_shared_is_quiet(self, plan, student):
        withdraw_plan(plan, by=student)
        assert not Proof.objects.exists()

    @pytest.mark.parametrize("change", [share_plan, withdraw_plan])
    def test_only_the_owner(self, plan, token, change):
        for person in (factories.make_student(), factories.make_staff(is_superuser=True)):
            with pytest.raises(Http404):
                change(plan, by=person)
        assert Proof.objects.get().withdrawn_at is None

    def test_another_plan_is_untouched(self, plan, student, token):
        other = factories.make_plan(student)
        withdraw_plan(other, by=student)
        assert read_proof(token)
        share_plan(other, by=student)
        withdraw_plan(plan, by=student)
        assert find_proof(other)

    def test_an_archived_plan_is_not_shared(self, plan, student):
        Plan.objects.update(archived_at=timezone.now())
        with pytest.raises(Http404):
            share_plan(plan, by=student)

    def test_the_database_refuses_a_second_open_sharing(self, plan, token):
        with pytest.raises(IntegrityError), transaction.atomic():
            Proof.objects.create(plan=plan)
        Proof.objects.update(withdrawn_at=timezone.now())
        Proof.objects.create(plan=plan)

    def test_the_database_refuses_the_same_address_twice(self, plan, token, student):
        other = factories.make_plan(student)
        with pytest.raises(IntegrityError), transaction.atomic():
            Proof.objects.create(plan=other, token=token)

    def test_the_database_keeps_what_is_withdrawn_withdrawn(self, plan, student, token):
        """A stale save of the whole row, for example. The control is that an open row saves."""
        read_before = Proof.objects.get()
        read_before.save()
        withdraw_plan(plan, by=student)
        with pytest.raises(IntegrityError), transaction.atomic():
            read_before.save()
        for change in ({"token": "another"}, {"plan": factories.make_plan(student)}):
            with pytest.raises(IntegrityError), transaction.atomic():
                Proof.objects.update(**change)
        assert read_proof(token) is None


@pytest.mark.django_db(transaction=True)
def test_eight_taps_at_once_get_one_address(plan, student):
    tokens, failures, start = [], [], threading.Barrier(8)

    def tap():
        try:
            start.wait(10)
            tokens.append(share_plan(plan, by=student).token)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    taps = [threading.Thread(target=tap) for _ in range(8)]
    for each in taps:
        each.start()
    for each in taps:
        each.join(30)
    assert failures == []
    assert len(tokens) == 8 and set(tokens) == {Proof.objects.get().token}


class TestReading:
    def test_the_finished_tasks_by_week(self, plan, token):
        look, draw = plan.weeks.order_by("number")
        late = factories.make_action(draw, "Draw the stations")
        rules = factories.make_action(look, "Count the bikes", requirements=[("Counts", "shown")])
        own = factories.make_action(look, "Ask for the data")
        factories.make_action(draw, "Never begun")
        finish(late)
        finish(own, "self_reported")
        finish(rules, "by_rules")
        proof = read_proof(token)
        assert (proof.title, proof.goal, proof.total, proof.finished) == (
            "A map",
            "For riders",
            4,
            3,
        )
        assert [(week.number, week.title) for week in proof.weeks] == [(1, "Look"), (2, "Draw")]
        tasks = [task for week in proof.weeks for task in week.tasks]
        assert [(task.title, task.kind, task.requirements) for task in tasks] == [
            ("Count the bikes", Kind.BY_RULES, ("Counts",)),
            ("Ask for the data", Kind.SELF_REPORTED, ()),
            ("Draw the stations", Kind.CHECKED, ("Names two risks of the project",)),
        ]
        assert [proof.count(kind) for kind in Kind] == [1, 1, 1]

    def test_what_a_person_decided_is_counted_and_no_more_is_told(self, plan, token):
        rows = [("One", "written"), ("Two", "written"), ("Three", "written")]
        decided = finish(factories.make_action(plan, "Decided", requirements=rows), by_staff=1)
        finish(factories.make_action(plan, "Judged", requirements=rows))
        proof = read_proof(token)
        assert [task.by_person for task in proof.weeks[0].tasks] == [1, 0]
        assert proof.has_decisions
        page = Client().get(reverse("plans:proof", args=[token])).content.decode()
        assert page.count("1 of 3 requirements decided by a person") == 1
        assert page.count("Decided by a person") == 1
        [row] = [row for row in decided.checklist if "decision" in row]
        assert row["decision"] not in page and row["judged"] not in page

    def test_a_week_without_a_finished_task_is_not_named(self, plan, token):
        factories.make_action(plan)
        assert read_proof(token).weeks == ()
        assert read_proof(token).total == 1

    def test_a_day_and_never_a_time(self, plan, token):
        completion = finish(factories.make_action(plan))
        for zone, hours in (("Pacific/Kiritimati", 14), ("Pacific/Pago_Pago", -11)):
            with timezone.override(zone):
                [week] = read_proof(token).weeks
            day = (completion.confirmed_at + datetime.timedelta(hours=hours)).date()
            assert week.tasks[0].finished_on == day
            assert type(week.tasks[0].finished_on) is datetime.date

    def test_the_requirements_are_those_it_was_checked_against(self, plan, token):
        action = factories.make_action(plan)
        finish(action)
        Requirement.objects.update(title="Something harder")
        Requirement.objects.create(action=action, title="One more")
        [week] = read_proof(token).weeks
        assert week.tasks[0].requirements == ("Names two risks of the project",)

    def test_what_is_reopened_or_archived_is_not_shown(self, plan, token, student):
        action = factories.make_action(plan)
        archived = factories.make_action(plan, "Dropped")
        finish(action, "self_reported")
        finish(archived)
        Action.objects.filter(pk=archived.pk).update(archived_at=timezone.now())
        assert (read_proof(token).finished, read_proof(token).total) == (1, 1)
        Action.objects.get(pk=action.pk).reopen(by=student)
        assert (read_proof(token).finished, read_proof(token).total) == (0, 1)
        finish(action)
        assert Completion.objects.filter(action=action).count() == 2
        assert read_proof(token).count(Kind.CHECKED) == read_proof(token).finished == 1

    def test_the_notes_and_quotes_do_not_leave_the_database(
        self, plan, token, django_assert_num_queries
    ):
        """The control is the row itself, which holds them."""
        finish(factories.make_action(plan))
        row = Completion.objects.get().checklist[0]
        assert (row["note"], row["evidence"]) == ("You named both.", [{"turn": 1, "quote": "Rain"}])
        with django_assert_num_queries(3) as queries:
            assert read_proof(token).finished == 1
        with connection.cursor() as cursor:
            for query in queries.captured_queries:
                cursor.execute(query["sql"])
                rows = repr(cursor.fetchall())
                assert "You named both." not in rows and "Rain" not in rows

    def test_another_plans_tasks_are_not_shown(self, plan, token, student):
        finish(factories.make_action(factories.make_plan(student)))
        assert (read_proof(token).finished, read_proof(token).total) == (0, 0)

    @pytest.mark.parametrize(
        "text", ["", "x", "a\x00b", "ü" * 32, "x" * 65, "'--", "\ud800", "a b"]
    )
    def test_what_is_no_address_is_unknown(self, text, token):
        assert read_proof(text) is None

    def test_an_archived_plan_is_gone(self, plan, token):
        Plan.objects.update(archived_at=timezone.now())
        assert read_proof(token) is None

    def test_of_an_account_that_is_switched_off_nothing_is_read(self, student, token):
        student.is_active = False
        student.save()
        assert read_proof(token) is None
        student.is_active = True
        student.save()
        assert read_proof(token)

    def test_removing_the_person_removes_the_page(self, student, token):
        erase_person(student, by=factories.make_staff(), reason="Asked for it.")
        assert read_proof(token) is None
