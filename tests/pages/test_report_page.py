"""Contesting a check, as a page and inside the card."""

import uuid

import pytest
from django.urls import reverse

from judge.appeals import report_check
from judge.decisions import decide_row
from judge.models import Appeal, CheckRun
from judge.views import NO_SENTENCE
from sessions import frames
from sessions.completion import check_session
from sessions.images import CleanImage
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.pages.reading import ask, box_of, buttons_of, ids_of, text_of


@pytest.fixture
def check(action, session, student):
    rows = action.requirements.all()
    return CheckRun.objects.create(
        action=action,
        student=student,
        session_id=session.pk,
        trigger="check",
        outcome="failed",
        checklist=[
            {"id": str(row.pk), "title": row.title, "status": "not_met", "note": "", "evidence": []}
            for row in rows
        ],
        spec_version=action.spec_version,
        judge_kind="gemini",
        prompt_version=1,
    )


@pytest.fixture
def url(check):
    return reverse("judge:report", args=[check.pk])


def test_the_page_lists_the_rows(client, url):
    text = text_of(client.get(url))
    assert "The check as a whole" in text and "Names two risks of the project" in text


def test_a_row_is_contested_once(client, url, check, session):
    row = check.checklist[0]["id"]
    for _ in range(2):
        response = client.post(url, {"requirement_id": row, "message": "It is there"}, follow=True)
    assert "A person will look at this check." in text_of(response)
    assert response.redirect_chain[0][0] == reverse("sessions:session", args=[session.pk])
    appeal = Appeal.objects.get()
    assert (str(appeal.requirement_id), appeal.message) == (row, "It is there")


def test_inside_the_card(client, url):
    form = ask(client, "get", url)
    assert ids_of(form)[0] == "report" and "Send to a person" in buttons_of(form)
    response = ask(client, "post", url, {"requirement_id": ""})
    assert "Thank you." in text_of(response) and b"<html" not in response.content
    assert Appeal.objects.get().requirement_id is None


def test_each_unmet_row_leads_to_its_form_and_then_says_so(client, session, check, url):
    page = reverse("sessions:session", args=[session.pk])
    row = check.checklist[0]["id"]
    html = client.get(page).content.decode()
    assert html.count("Contest this row") == 2 and f"{url}?row={row}" in html
    form = client.get(f"{url}?row={row}").content.decode()
    assert f'value="{row}" checked' in form
    swapped = ask(client, "post", url, {"requirement_id": row, "message": "It is there"})
    assert f"contested-{row}" in ids_of(swapped) and "Contested." in text_of(swapped)
    html = client.get(page).content.decode()
    assert html.count("Contest this row") == 1 and "Contested." in html


def test_a_row_needs_a_sentence_and_the_whole_does_not(client, url, check):
    row = check.checklist[0]["id"]
    response = client.post(url, {"requirement_id": row, "message": "  "})
    assert response.status_code == 422 and NO_SENTENCE in text_of(response)
    assert not Appeal.objects.exists()
    assert client.post(url, {"requirement_id": "", "message": ""}).status_code == 302
    assert Appeal.objects.count() == 1


class TestDecided:
    REASON = "It stands in your <third> message."

    def decide(self, check, is_met):
        row = uuid.UUID(check.checklist[0]["id"])
        appeal = report_check(check.pk, by=check.student, requirement_id=row, message="Look.")
        decide_row(appeal, row, by=factories.make_staff(), is_met=is_met, reason=self.REASON)
        return row

    def read(self, client, session):
        response = client.get(reverse("sessions:session", args=[session.pk]))
        assert "<third>" not in response.content.decode()
        return text_of(response)

    def test_both_verdicts_can_be_read(self, client, session, check):
        self.decide(check, True)
        text = self.read(client, session)
        assert f"A person decided: this row counts as met. “{self.REASON}”" in text
        assert "Press Check, then Mark complete." in text
        assert "The check that you contested had said: Not met" in text

    def test_agreeing_with_the_check(self, client, session, check, url):
        row = self.decide(check, False)
        text = self.read(client, session)
        assert f"A person looked and agrees with the check. “{self.REASON}”" in text
        assert text.count("Contest this row") == 1, "the other row"
        response = client.post(url, {"requirement_id": row, "message": "No."})
        assert response.status_code == 422 and "decided this already" in text_of(response)

    def test_the_plan_says_that_somebody_decided(self, client, session, check):
        plan = reverse("plans:plan", args=[session.action.week.plan_id])
        words = "A person decided on a row that you contested."
        assert words not in text_of(client.get(plan))
        self.decide(check, True)
        assert words in text_of(client.get(plan))


@pytest.mark.django_db(transaction=True)
class TestPictures:
    OFFER = "share_pictures"

    @pytest.fixture
    def url(self, session, gemini):
        gemini.respond = lambda request: replies.json(answer("not_met", "not_shown"))
        frames.store_frame(session.pk, CleanImage(b"the screen", False))
        return reverse("judge:report", args=[check_session(session).id])

    def test_consent_is_asked_for_and_not_taken_for_granted(self, client, url):
        html = client.get(url).content.decode()
        assert self.OFFER in html and "checked aria-describedby" not in html
        client.post(url, {"message": "Look."})
        assert not Appeal.objects.get().frames.exists()

    def test_with_consent_the_student_is_told_what_staff_see(self, client, url):
        response = client.post(url, {"message": "Look.", self.OFFER: "true"}, follow=True)
        assert "Staff see one picture with it until they have decided" in text_of(response)
        assert Appeal.objects.get().frames.count() == 1

    def test_a_fault_keeps_the_tick(self, client, url):
        data = {"message": "x" * 2001, self.OFFER: "true"}
        assert "checked aria-describedby" in client.post(url, data).content.decode()

    def test_where_there_is_none_it_is_not_asked(self, client, url, session):
        frames.forget_frames([session.pk])
        empty = reverse("judge:report", args=[check_session(session).id])
        assert self.OFFER not in client.get(empty).content.decode()
        response = client.post(empty, {"message": "Look.", self.OFFER: "true"}, follow=True)
        assert "No picture of this check is left" in text_of(response)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"requirement_id": str(uuid.uuid4())}, "This check has no such row."),
        ({"requirement_id": "r1"}, "This check has no such row."),
        ({"message": "x" * 2001}, "That is 2,001 characters"),
        ({"message": "a\x00b"}, "cannot be stored"),
    ],
)
def test_what_is_refused_is_given_back(client, url, data, sentence):
    response = client.post(url, data)
    assert response.status_code in (409, 422) and sentence in text_of(response)
    assert box_of(response, "message") == data.get("message", "")
    assert not Appeal.objects.exists()
