"""Removing a person: every word of theirs is gone from every column, every fact is still there."""

import threading

import pytest
from django.contrib.auth import authenticate
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.urls import reverse

from elivio.typed import sign_writer
from judge.models import CheckRun
from plans.errors import Archived
from plans.models import Action, Completion, Erasure, Plan, Reopening, Status
from sessions import followups, transcript
from sessions.erasure import ErasureRefused
from sessions.lifecycle import SessionClosed, end_session, open_session
from sessions.models import CopilotSession, MemorySummary, ProgressReport, Turn
from tests import factories
from tests.erasing import (
    BLANKED,
    CODES,
    FACT,
    KEPT,
    WORD,
    Life,
    columns_with,
    rows_with,
    text_columns,
)
from tests.locks import wait_until_somebody_waits

pytestmark = pytest.mark.django_db


@pytest.fixture
def life():
    return Life(WORD)


def test_every_text_column_is_classified():
    """A new column fails here until somebody says whether a person's words can stand in it."""
    assert text_columns() == BLANKED | KEPT | CODES


def test_the_words_go_and_the_facts_stay(life):
    assert columns_with(WORD) == BLANKED
    assert columns_with(FACT) == KEPT - {"plans_erasure.reason"}
    life.erase()
    assert columns_with(WORD) == set()
    assert columns_with(FACT) == KEPT


def test_what_was_done_and_how_stays(life):
    before = Completion.objects.values().get(pk=life.completion.pk)
    life.erase()
    after = Completion.objects.values().get(pk=life.completion.pk)
    [row] = after.pop("checklist")
    [as_judged] = before.pop("checklist")
    assert after == before
    assert row == as_judged | {"note": "", "evidence": []}
    assert Action.objects.get(pk=life.actions[0].pk).status == Status.COMPLETED
    assert Completion.objects.count() == 2
    assert Reopening.objects.count() == 1
    run = CheckRun.objects.get()
    assert (run.outcome, run.judge_kind, run.checklist[0]["status"]) == ("passed", "gemini", "met")
    assert (run.request, run.replies, run.summary) == ({}, [], "")
    assert Turn.objects.count() == 3
    assert Plan.objects.get().archived_at is not None
    assert ProgressReport.objects.get().content["done"][0]["how"] == "checked"


def test_the_erasure_says_who_and_why(life):
    life.erase(reason="  Asked for it.  ")
    erasure = Erasure.objects.get()
    assert (erasure.person, erasure.by, erasure.reason) == (
        life.student,
        life.staff,
        "Asked for it.",
    )


def test_the_person_is_anonymous_and_has_no_rights(life):
    removal = life.erase()
    life.student.refresh_from_db()
    assert removal.name == life.student.username
    assert removal.name.startswith("erased-")
    assert not life.student.is_active
    assert not life.student.has_usable_password()
    assert not life.student.groups.exists()


def test_the_person_is_logged_out_at_once(life, client):
    client.force_login(life.student)
    assert Session.objects.count() == 1
    life.erase()
    assert Session.objects.count() == 0
    email = life.student.username
    assert authenticate(username=email, password=factories.PASSWORD) is None


@pytest.mark.parametrize("kind", ["form", "message", "lines"])
def test_what_was_typed_when_a_login_had_run_out_is_gone(life, client, kind):
    action, session = life.actions[-1], CopilotSession.objects.first()
    sent = {
        "form": ("plans:edit", action, {"writer": sign_writer(life.student), "title": WORD}),
        "message": ("sessions:turn", session, {"text": WORD}),
        "lines": ("sessions:agreement", session, {"line_1": WORD}),
    }
    name, about, fields = sent[kind]
    client.post(reverse(name, args=[about.pk]), fields)
    [kept] = Session.objects.all()
    assert WORD in str(kept.get_decoded())
    life.erase()
    assert not Session.objects.exists()


def test_another_persons_login_stays(life, client):
    client.force_login(life.staff)
    life.erase()
    assert Session.objects.count() == 1


def test_frames_are_removed(life):
    assert life.frame_count() == 1
    assert life.erase().frames_removed
    assert life.frame_count() == 0


def test_frames_expire_when_valkey_is_out_of_reach(life, settings):
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    assert not life.erase().frames_removed
    assert columns_with(WORD) == set()


def test_others_are_untouched(life):
    other = Life("canary-other")
    before = sorted(rows_with("canary-other"))
    life.erase()
    assert len(before) > 15
    assert sorted(rows_with("canary-other")) == before
    assert other.frame_count() == 1


def test_only_active_staff_remove_a_person(life):
    gone = factories.make_staff(is_active=False)
    for actor in (life.student, factories.make_student(), gone):
        with pytest.raises(ErasureRefused):
            life.erase(by=actor)
    assert columns_with(WORD) == BLANKED


def test_a_reason_is_needed(life):
    with pytest.raises(ErasureRefused):
        life.erase(reason=" ")
    assert not Erasure.objects.exists()


def test_nothing_new_is_written_afterwards(life):
    """Neither a turn nor a completion, and what was still to do is dropped."""
    started = open_session(life.actions[2], life.student)
    transcript.add_student_turn(started.pk, WORD, None)
    end_session(started, CopilotSession.EndReason.STUDENT)
    begun = open_session(life.actions[1], life.student)
    life.erase()
    with pytest.raises(SessionClosed):
        transcript.add_student_turn(begun.pk, WORD, None)
    with pytest.raises(Archived):
        life.actions[1].update_status(Status.COMPLETED, by=life.student, confirmed=True)
    assert followups.sweep_followups() == 0
    assert columns_with(WORD) == set()
    assert not CopilotSession.objects.owned_by(life.student).exists()
    assert not Plan.objects.owned_by(life.student).exists()


def test_again_blanks_what_came_in_meanwhile(life):
    """A reply, a judge's audit row and a memory that were under way when the person was removed."""
    name = life.erase().name
    turn = Turn.objects.get(role="student")
    Turn.objects.filter(reply_to=turn).delete()
    transcript.add_reply(turn, WORD, [])
    MemorySummary.objects.update(made=WORD, deleted_at=None)
    life.check()
    assert columns_with(WORD) != set()
    assert life.erase().name == name
    assert columns_with(WORD) == set()
    assert Erasure.objects.count() == 1


def erase_in_thread(life, failures):
    try:
        life.erase()
    except DatabaseError as error:
        failures.append(error)
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_tap_under_way_ends_first(life):
    """It holds its plan's lock and then points a Completion to the person: no deadlock."""
    failures = []
    erasing = threading.Thread(target=erase_in_thread, args=(life, failures))
    with transaction.atomic():
        list(Plan.objects.select_for_update(no_key=True).filter(pk=life.plan.pk))
        erasing.start()
        wait_until_somebody_waits()
        life.actions[2].update_status(Status.COMPLETED, by=life.student, confirmed=True)
    erasing.join(30)
    assert failures == []
    assert Action.objects.get(pk=life.actions[2].pk).status == Status.COMPLETED
    assert columns_with(WORD) == set()


WORDS_OF_FACTS = [
    (Completion, {"checklist": "blank"}),
    (CheckRun, {"checklist": "blank"}),
    (CheckRun, {"request": {}}),
    (CheckRun, {"replies": []}),
    (CheckRun, {"summary": ""}),
]


def blank(model, changes):
    if changes == {"checklist": "blank"}:
        row = model.objects.exclude(checklist=[]).get()
        changes = {"checklist": [item | {"note": "", "evidence": []} for item in row.checklist]}
    with transaction.atomic():
        model.objects.exclude(checklist=[]).update(**changes)


@pytest.mark.parametrize(("model", "changes"), WORDS_OF_FACTS)
def test_the_database_blanks_nothing_without_an_erasure(life, model, changes):
    with pytest.raises(IntegrityError):
        blank(model, changes)


@pytest.mark.parametrize(("model", "changes"), WORDS_OF_FACTS)
def test_the_database_blanks_nothing_for_another_persons_erasure(life, model, changes):
    Erasure.objects.create(person=factories.make_student(), by=life.staff, reason="Asked for it.")
    with pytest.raises(IntegrityError):
        blank(model, changes)


@pytest.mark.parametrize(("model", "changes"), WORDS_OF_FACTS)
def test_control_with_an_erasure_it_does(life, model, changes):
    Erasure.objects.create(person=life.student, by=life.staff, reason="Asked for it.")
    blank(model, changes)


@pytest.mark.parametrize(
    ("model", "changes"),
    [
        (Completion, {"how": "self_reported"}),
        (Completion, {"judge_kind": "rules"}),
        (Completion, {"check_id": None}),
        (Completion, {"checklist": []}),
        (Completion, {"checklist": [{"id": "x", "status": "not_met"}]}),
        (Completion, {"checklist": [{"id": "x", "status": "met"}]}),
        (CheckRun, {"outcome": "failed"}),
        (CheckRun, {"summary": "Forged"}),
        (CheckRun, {"request": {"a": 1}}),
        (CheckRun, {"checklist": [{"id": "x", "status": "met"}]}),
        (CheckRun, {"model": "another"}),
        (CheckRun, {"spec_version": 1}),
        (Reopening, {"reason": ""}),
        (Erasure, {"reason": ""}),
    ],
)
def test_the_facts_stay_closed_with_an_erasure_too(life, model, changes):
    life.erase()
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.update(**changes)
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.all()._raw_delete(using="default")


@pytest.mark.django_db(transaction=True)
def test_all_or_nothing(life):
    """The user row is the last one written; when it is refused, no word has gone."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'refused'; END $$; CREATE TRIGGER refuse BEFORE UPDATE "
            "ON auth_user FOR EACH ROW EXECUTE FUNCTION refuse()"
        )
    try:
        with pytest.raises(DatabaseError, match="refused"):
            life.erase()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION refuse() CASCADE")
    assert columns_with(WORD) == BLANKED
    assert life.frame_count() == 1
    assert not Erasure.objects.exists()


def run_command(life, *options, person=None, **more):
    person = person or life.student.username
    call_command(
        "erase_person",
        person,
        f"--by={life.staff.username}",
        "--reason=Asked for it.",
        *options,
        **more,
    )


def test_command(life, capsys):
    run_command(life, "--no-input", person=life.student.username.upper())
    life.student.refresh_from_db()
    assert life.student.username in capsys.readouterr().out
    assert columns_with(WORD) == set()


def test_command_asks_first(life, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda _: "yes")
    with pytest.raises(CommandError, match="Nothing was changed"):
        run_command(life)
    assert not Erasure.objects.exists()
    monkeypatch.setattr("builtins.input", lambda _: f" {life.student.username} ")
    run_command(life)
    assert Erasure.objects.exists()


def test_command_names_the_fault(life):
    with pytest.raises(CommandError, match="Nobody logs in as"):
        run_command(life, "--no-input", person="nobody@example.org")
    life.staff.is_staff = False
    life.staff.save()
    with pytest.raises(CommandError, match="Only an active member of staff"):
        run_command(life, "--no-input")


def test_staff_can_still_look_at_the_record(life, admin_client):
    life.erase()
    for row in (life.run, life.completion, life.session, life.actions[0], life.plan, life.student):
        url = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
        assert admin_client.get(url).status_code == 200, url
