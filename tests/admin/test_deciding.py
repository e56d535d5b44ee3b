"""Staff work through the queue of appeals: what the judge saw, a decision with name and reason."""

import uuid

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judge.admin.deciding import CHANGED, COMPLETED, DECIDED, OWN, RIGHTS
from judge.appeals import report_check
from judge.models import Appeal, AppealFrame, CheckRun, RowDecision
from plans.models import Action
from plans.status import self_report
from tests import factories
from tests.admin.records import JPEG, add_run, url_of
from tests.admin.test_pages import words_of

pytestmark = pytest.mark.django_db
REASON = "The count stands in the second message."
GIVEN = {"verdict": "met", "reason": REASON, "sure": "on"}


@pytest.fixture
def visitor(teacher, client_of):
    return client_of(teacher)


@pytest.fixture
def run(record):
    """A failed check of an open task with one row, on two turns and a picture."""
    action = factories.make_action(
        record.plan, "Count the stations", requirements=[("Shows the count", "either")]
    )
    session = action.copilot_sessions.create(student=record.student)
    return add_run(session, "Here: Open | 51, as asked.")


@pytest.fixture
def appeal(run):
    return contest(run, row_of(run))


@pytest.fixture
def url(appeal):
    return decide_url(appeal)


def row_of(run):
    return uuid.UUID(run.checklist[0]["id"])


def contest(run, row=None):
    appeal = report_check(run.pk, by=run.student, requirement_id=row, message="It is <b>there</b>")
    AppealFrame.objects.create(appeal=appeal, jpeg=JPEG, taken_at=timezone.now())
    return appeal


def decide_url(appeal, row=None):
    return reverse("admin:judge_appeal_decide", args=[appeal.pk, row or row_of(appeal.check_run)])


def page_url(appeal):
    return reverse(url_of(Appeal, "change"), args=[appeal.pk])


def read(client, appeal):
    response = client.get(page_url(appeal))
    assert response.status_code == 200
    return response.content.decode()


def said(response):
    return [str(message) for message in response.context["messages"]][-1]


class TestQueue:
    def test_what_waits_stands_first_the_oldest_at_the_top(self, visitor, run, record):
        old, new = contest(run, row_of(run)), contest(run)
        Appeal.objects.filter(pk=old.pk).update(created_at="2026-01-01T00:00Z")
        decided = Appeal.objects.exclude(pk__in=[old.pk, new.pk])
        decided.update(decided_at=timezone.now(), created_at="2025-01-01T00:00Z")
        response = visitor.get(reverse(url_of(Appeal, "changelist")))
        assert list(response.context["cl"].result_list) == [old, new, *decided]
        words = words_of(response.content.decode())
        assert "2 appeals wait, the oldest for" in words

    def test_the_filter_leaves_what_waits(self, visitor, appeal):
        Appeal.objects.exclude(pk=appeal.pk).update(decided_at=timezone.now())
        address = reverse(url_of(Appeal, "changelist"))
        assert list(visitor.get(address, {"state": "waiting"}).context["cl"].result_list) == [
            appeal
        ]
        decided = visitor.get(address, {"state": "decided"}).context["cl"].result_list
        assert appeal not in decided and len(decided) == 1

    def test_an_empty_queue_says_so(self, visitor, record):
        Appeal.objects.update(decided_at=timezone.now())
        html = visitor.get(reverse(url_of(Appeal, "changelist"))).content.decode()
        assert "Every appeal is decided." in html


class TestPage:
    def test_everything_the_judge_saw(self, visitor, appeal, run, url):
        words = words_of(read(visitor, appeal))
        assert "The student says: It is <b>there</b>" in words
        assert "Not shown Shows the count" in words
        assert "Count the stations , week 1: Give every station one status" in words
        assert "1 Student" in words and "2 Copilot" in words
        assert "Picture 1, 41 seconds old at the check" in words
        html = read(visitor, appeal)
        assert f'action="{url}"' in html
        assert "<mark>Open | 51</mark>" in html and "cited for this row" in html
        assert "<b>there</b>" not in html

    def test_black_and_old_pictures_are_marked(self, visitor, appeal, run):
        record = {**run.evidence["frames"][0], "isBlack": True, "ageSeconds": 700}
        evidence = {**run.evidence, "frames": [record]}
        other = add_run(action_session(run), "x", evidence=evidence)
        words = words_of(read(visitor, contest(other, row_of(other))))
        assert "700 seconds old at the check" in words
        assert "black, so it counted for nothing" in words
        assert "too old, so it counted for nothing" in words

    def test_pictures_that_were_not_shown_are_said(self, visitor, appeal):
        AppealFrame.objects.filter(appeal=appeal).delete()
        assert "The student did not show it to you" in words_of(read(visitor, appeal))

    def test_a_whole_check_has_a_form_for_each_row(self, visitor, run):
        html = read(visitor, contest(run))
        assert html.count('class="record-decide"') == len(run.checklist)

    def test_the_same_queries_for_few_turns_and_for_many(self, visitor, run):
        turns = run.evidence["turns"]
        many = {**run.evidence, "turns": turns * 250}
        counts = []
        for evidence in (run.evidence, many):
            other = add_run(action_session(run), "x", evidence=evidence)
            made = contest(other, row_of(other))
            read(visitor, made)
            with CaptureQueriesContext(connection) as queries:
                read(visitor, made)
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_a_changed_and_a_completed_task_are_said(self, visitor, appeal, run):
        assert CHANGED not in read(visitor, appeal)
        Action.objects.filter(pk=run.action_id).update(description="Another text")
        assert CHANGED in read(visitor, appeal)
        action = Action.objects.get(pk=run.action_id)
        self_report(action, by=run.student)
        assert COMPLETED in read(visitor, appeal)

    def test_without_the_right_to_see_a_check_its_evidence_is_not_shown(self, client_of, appeal):
        user = factories.make_staff()
        user.user_permissions.add(Permission.objects.get(codename="view_appeal"))
        html = read(client_of(user), appeal)
        assert "What the judge saw" not in html and "record-decide" not in html


class TestDeciding:
    def test_it_decides_with_name_and_reason_and_completes_nothing(
        self, visitor, teacher, appeal, url, run
    ):
        response = visitor.post(url, {**GIVEN, "reason": f"  {REASON}\n"}, follow=True)
        assert response.redirect_chain == [(page_url(appeal), 302)]
        decision = RowDecision.objects.get(appeal=appeal)
        assert (decision.is_met, decision.reason) == (True, REASON)
        assert (decision.decided_by, decision.judged_status) == (teacher, "not_shown")
        assert Action.objects.get(pk=run.action_id).status == "not_started"
        assert CheckRun.objects.get(pk=run.pk).checklist == run.checklist
        entry = LogEntry.objects.get()
        assert (entry.user, entry.get_change_message()) == (teacher, "Decided a row.")
        words = words_of(response.content.decode())
        assert f"Decided: met by {teacher.username} on" in words and REASON in words
        assert "The judge had said: Not shown" in words
        assert "record-decide" not in response.content.decode()
        assert "was deleted with the decision" in words

    def test_not_met(self, visitor, appeal, url):
        visitor.post(url, {**GIVEN, "verdict": "not_met"})
        assert RowDecision.objects.get(appeal=appeal).is_met is False

    @pytest.mark.parametrize(
        "changes",
        [
            {"reason": ""},
            {"reason": "  \n"},
            {"reason": "x" * 501},
            {"verdict": ""},
            {"verdict": "maybe"},
            {"sure": ""},
        ],
    )
    def test_what_is_missing_is_said_and_what_was_typed_is_kept(
        self, visitor, appeal, url, changes
    ):
        sent = {**GIVEN, **changes}
        response = visitor.post(url, sent)
        html = response.content.decode()
        assert response.status_code == 200 and "Nothing is decided yet." in html
        [name] = changes
        assert 'class="errorlist"' in html and response.context["case"].rows[0].form.errors[name]
        assert sent["reason"].strip() in html
        assert "<mark>" in html, "beside what the judge saw"
        assert not RowDecision.objects.filter(appeal=appeal).exists()
        assert not LogEntry.objects.exists()

    def test_a_second_decision_is_refused(self, visitor, appeal, url):
        visitor.post(url, GIVEN)
        for response in (visitor.post(url, GIVEN, follow=True), visitor.get(url, follow=True)):
            assert said(response) == DECIDED
        assert RowDecision.objects.filter(appeal=appeal).count() == 1
        assert LogEntry.objects.count() == 1

    def test_nobody_decides_their_own(self, client_of, run, appeal, url):
        run.student.is_staff = run.student.is_superuser = True
        run.student.save()
        visitor = client_of(run.student)
        html = read(visitor, appeal)
        assert OWN in html and "record-decide" not in html
        assert said(visitor.post(url, GIVEN, follow=True)) == OWN
        assert not RowDecision.objects.filter(appeal=appeal).exists()

    def test_a_row_that_is_not_in_dispute_is_missing(self, visitor, appeal):
        assert visitor.post(decide_url(appeal, uuid.uuid4()), GIVEN).status_code == 404

    @pytest.mark.parametrize("right", RIGHTS)
    def test_each_right_is_needed(self, client_of, teacher, appeal, url, right):
        app_label, codename = right.split(".")
        teacher.user_permissions.remove(
            Permission.objects.get(content_type__app_label=app_label, codename=codename)
        )
        visitor = client_of(teacher)
        assert visitor.get(url).status_code == visitor.post(url, GIVEN).status_code == 403
        assert not RowDecision.objects.filter(appeal=appeal).exists()

    def test_it_needs_a_token(self, teacher, client_of, appeal, url):
        visitor = client_of(teacher, enforce_csrf_checks=True)
        assert visitor.post(url, GIVEN).status_code == 403
        visitor.get(page_url(appeal))
        token = visitor.cookies["csrftoken"].value
        assert visitor.post(url, {**GIVEN, "csrfmiddlewaretoken": token}).status_code == 302
        assert RowDecision.objects.filter(appeal=appeal).exists()


class TestPicture:
    @pytest.fixture
    def picture(self, appeal):
        return reverse("admin:judge_appealframe_picture", args=[appeal.frames.get().pk])

    def test_it_is_shown_on_the_page_and_kept_nowhere(self, visitor, appeal, picture):
        assert f'<img src="{picture}"' in read(visitor, appeal)
        response = visitor.get(picture)
        assert (response.content, response["Content-Type"]) == (JPEG, "image/jpeg")
        assert "no-store" in response["Cache-Control"]
        assert response["X-Content-Type-Options"] == "nosniff"

    def test_it_goes_with_the_decision(self, visitor, picture, url):
        visitor.post(url, GIVEN)
        assert visitor.get(picture).status_code == 404

    def test_it_has_a_right_of_its_own(self, client_of, teacher, appeal, picture):
        teacher.user_permissions.remove(Permission.objects.get(codename="view_appealframe"))
        visitor = client_of(teacher)
        assert visitor.get(picture).status_code == 403
        html = read(visitor, appeal)
        assert picture not in html and "You may not see the pictures" in html


def action_session(run):
    return Action.objects.get(pk=run.action_id).copilot_sessions.get()
