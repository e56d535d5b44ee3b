"""The card "What will you make?": the student's tap alone agrees, and no typed line is lost."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plans import editing
from plans.agreed_rows import AgreementChanged
from plans.editing import Changes
from plans.models import Action, Requirement
from plans.status import self_report
from plans.task_text import RowText
from sessions.agreement import FULL, NOTHING_SAID
from sessions.agreement_views import AGREED, PROPOSED, TAKEN_BACK, UNCHANGED
from sessions.completion import check_session
from sessions.lifecycle import end_session, open_session
from sessions.transcript import add_student_turn
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.pages.reading import ask, box_of, buttons_of, hidden_of, ids_of, text_of

pytestmark = pytest.mark.django_db(transaction=True)
CONFIRM = "Confirm these lines"
LINE = "You draw the <b>harbour</b> in ink"
SENT = {"line_1": f"  {LINE}\r\n", "kind_1": "shown", "line_2": " ", "kind_2": "either"}


@pytest.fixture
def page_url(session):
    return reverse("sessions:session", args=[session.pk])


@pytest.fixture
def url(session):
    return reverse("sessions:agreement", args=[session.pk])


@pytest.fixture
def propose_url(session):
    return reverse("sessions:propose", args=[session.pk])


def agreed():
    rows = Requirement.objects.filter(origin="agreed").order_by("position")
    return list(rows.values_list("title", "evidence_kind"))


def test_at_the_start_the_card_asks(client, page_url):
    page = client.get(page_url)
    assert "What will you make?" in text_of(page)
    assert box_of(page, "line_1") == box_of(page, "line_3") == ""
    assert {CONFIRM, "Ask for a proposal"} <= set(buttons_of(page))
    assert "Take back what we agreed" not in buttons_of(page)


def test_the_tap_makes_a_requirement_of_it(client, url, page_url, action):
    response = client.post(url, SENT)
    assert response["Location"] == f"{page_url}#agreement"
    assert agreed() == [(LINE, "shown")]
    page = client.get(page_url)
    assert AGREED in text_of(page) and "What you will make" in text_of(page)
    assert text_of(page).count("agreed with you") == 2  # on the card, and under what done means
    assert b"<b>harbour</b>" not in page.content and b"&lt;b&gt;harbour" in page.content
    assert box_of(page, "line_1") == LINE
    plan = client.get(reverse("plans:plan", args=[action.week.plan_id]))
    assert "agreed with you" in text_of(plan)


def test_under_htmx_card_check_and_bar_are_swapped_and_the_message_box_stays(client, url, page_url):
    response = ask(client, "post", url, SENT, page=page_url)
    assert response["HX-Retarget"] == "#beside"
    ids = set(ids_of(response))
    assert {"beside", "agreement", "check", "bar", "live"} <= ids and "composer" not in ids
    assert AGREED in text_of(response) and "3 rows left" in text_of(response)


def test_an_earlier_check_is_stale_and_the_page_says_so(client, url, page_url, session, gemini):
    add_student_turn(session.pk, "Two risks of the project: rain and wind.", None)
    gemini.enqueue(replies.json(answer("not_met", "not_met")))
    check_session(session)
    assert "Add lines of your own" in text_of(client.get(page_url))
    client.post(url, SENT)
    assert "has changed since this check" in text_of(client.get(page_url))


def test_changing_and_taking_back(client, url, page_url):
    client.post(url, SENT)
    client.post(url, {"line_1": "You draw a map", "line_2": LINE, "kind_2": "shown"})
    assert agreed() == [("You draw a map", "either"), (LINE, "shown")]
    again = {"line_1": "You draw a map", "line_2": LINE, "kind_2": "shown"}
    client.post(url, again)
    assert UNCHANGED in text_of(client.get(page_url))
    client.post(url, {**again, "none": "1"})
    assert agreed() == []
    page = client.get(page_url)
    assert TAKEN_BACK in text_of(page) and "What will you make?" in text_of(page)


def test_the_plans_own_rows_are_out_of_reach(client, url, action):
    before = list(Requirement.objects.values())
    response = client.post(url, {"line_1": before[0]["title"]})
    assert response.status_code == 422 and "on the list already" in text_of(response)
    client.post(url, {"none": "1"})
    assert list(Requirement.objects.values()) == before


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "Write at least one line first."),
        ({"line_1": " \n"}, "Write at least one line first."),
        ({"line_1": "x" * 301}, "301 characters"),
        ({"line_1": "You draw", "kind_1": "seen"}, "Choose how you will show"),
        ({"line_1": "You draw", "line_3": "you DRAW."}, "twice"),
        ({"line_1": "a\0b"}, "cannot be stored"),
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_a_refused_line_comes_back_as_it_was_typed(client, url, sent, words, htmx):
    response = ask(client, "post", url, sent) if htmx else client.post(url, sent)
    assert response.status_code == 422 and words in text_of(response)
    typed = [text for name, text in sorted(sent.items()) if "line" in name and text.strip()]
    boxes = [box_of(response, f"line_{number}") for number in (1, 2, 3)]
    assert [text.replace("\x00", "") for text in typed] == [
        box.replace("\x00", "").replace("\ufffd", "") for box in boxes if box
    ]
    assert agreed() == []


def test_typed_lines_outlive_a_login_that_ran_out(session, student, url, page_url):
    visitor = Client()
    response = visitor.post(url, SENT, headers={"Referer": f"http://testserver{page_url}"})
    assert "/login/" in response["Location"]
    visitor.post(
        response["Location"], {"username": student.username, "password": factories.PASSWORD}
    )
    page = visitor.get(page_url)
    assert LINE in box_of(page, "line_1") and agreed() == []
    visitor.post(url, {"line_1": LINE})
    assert agreed() == [(LINE, "either")]
    visitor.post(url, {"none": "1"})
    assert box_of(visitor.get(page_url), "line_1") == ""


def test_nobody_else_sees_what_waits(session, url, propose_url, page_url):
    other = Client()
    other.force_login(User.objects.create(username="other@example.org"))
    assert other.post(url, SENT).status_code == other.post(propose_url, SENT).status_code == 404
    assert agreed() == []


class TestAgreedInAnotherWindow:
    """Lines typed before what stands now was agreed on."""

    @pytest.mark.parametrize("htmx", [False, True])
    def test_neither_the_newer_nor_the_typed_lines_are_lost(self, client, url, page_url, htmx):
        sent = {**SENT, "seen": hidden_of(client.get(page_url), "seen")}
        client.post(url, {"line_1": "You draw the newer one"})
        response = ask(client, "post", url, sent) if htmx else client.post(url, sent)
        assert response.status_code == 409 and str(AgreementChanged()) in text_of(response)
        assert agreed() == [("You draw the newer one", "either")]
        assert "You draw the newer one" in text_of(response)
        assert LINE in box_of(response, "line_1")
        client.post(url, {**sent, "seen": hidden_of(response, "seen")})
        assert agreed() == [(LINE, "shown")]

    def test_three_lines_seen_as_they_stand_are_no_conflict(self, client, url, page_url):
        lines = {f"line_{number}": f"You make part {number}" for number in (1, 2, 3)}
        for _ in range(5):
            seen = hidden_of(client.get(page_url), "seen")
            lines = dict(zip(lines, [*list(lines.values())[1:], f"You make {seen}"], strict=True))
            assert client.post(url, {**lines, "seen": seen}).status_code == 302
        assert [title for title, _ in agreed()] == list(lines.values())

    def test_the_same_lines_sent_twice_are_one_agreement(self, client, url, page_url):
        sent = {**SENT, "seen": hidden_of(client.get(page_url), "seen")}
        client.post(url, sent)
        assert UNCHANGED in text_of(client.post(url, sent, follow=True))
        assert agreed() == [(LINE, "shown")]

    def test_what_was_not_seen_is_not_taken_back(self, client, url, page_url):
        client.post(url, SENT)
        seen = hidden_of(client.get(page_url), "seen")
        client.post(url, {"line_1": "You draw the newer one", "seen": seen})
        response = client.post(url, {**SENT, "none": "1", "seen": seen})
        assert response.status_code == 409 and len(agreed()) == 1
        assert LINE in box_of(response, "line_1"), "as it stood in the form"
        client.post(url, {**SENT, "none": "1", "seen": hidden_of(response, "seen")})
        assert agreed() == []

    def test_a_refused_line_still_belongs_to_what_was_seen(self, client, url, page_url):
        seen = hidden_of(client.get(page_url), "seen")
        client.post(url, {"line_1": "You draw the newer one"})
        refused = client.post(url, {"line_1": "x" * 301, "seen": seen})
        assert refused.status_code == 422
        sent = {**SENT, "seen": hidden_of(refused, "seen")}
        assert client.post(url, sent).status_code == 409


def test_a_line_made_longer_in_the_tasks_form_can_be_confirmed_again(
    client, url, page_url, action, student
):
    client.post(url, SENT)
    stored = Requirement.objects.get(origin="agreed")
    rows = [RowText(row.pk, row.title, row.evidence_kind) for row in action.requirements.all()]
    longer = [replace(row, title="x" * 300) if row.id == stored.pk else row for row in rows]
    version = Action.objects.get(pk=action.pk).spec_version
    editing.edit_task(student, action.pk, Changes(rows=longer), expected_version=version)
    line = box_of(client.get(page_url), "line_1")
    assert line == "x" * 300
    assert client.post(url, {"line_1": line, "kind_1": "shown"}).status_code == 302


class TestProposing:
    def test_it_stands_in_the_form_until_the_tap(
        self, client, url, propose_url, page_url, session, gemini
    ):
        add_student_turn(session.pk, "I want to draw the harbour.", None)
        line = {"title": "You draw the harbour", "evidence_kind": "shown"}
        gemini.enqueue(replies.json({"lines": [line]}))
        response = client.post(propose_url, {"line_1": "You write why"})
        assert response["Location"] == f"{page_url}#agreement"
        for _ in range(2):  # also when the page is loaded again
            page = client.get(page_url)
            assert [box_of(page, f"line_{n}") for n in (1, 2)] == [
                "You write why",
                "You draw the harbour",
            ]
            assert agreed() == []
        client.post(url, {"line_1": "You draw the harbour and the pier", "kind_1": "shown"})
        assert agreed() == [("You draw the harbour and the pier", "shown")]
        assert box_of(client.get(page_url), "line_2") == ""

    def test_under_htmx_the_card_is_swapped(self, client, propose_url, session, rules):
        add_student_turn(session.pk, "I want to draw the harbour.", None)
        response = ask(client, "post", propose_url, {})
        assert response.content.lstrip().startswith(b'<section id="agreement"')
        assert PROPOSED in text_of(response)
        assert box_of(response, "line_1") == "I want to draw the harbour."

    def test_with_nothing_said_a_sentence_says_what_to_do(self, client, propose_url, gemini):
        response = ask(client, "post", propose_url, {"line_1": "Mine"})
        assert NOTHING_SAID in text_of(response) and box_of(response, "line_1") == "Mine"
        assert gemini.calls == 0

    def test_three_full_lines_ask_nobody(self, client, propose_url, session, gemini):
        add_student_turn(session.pk, "I want to draw the harbour.", None)
        sent = {f"line_{number}": f"Line {number}" for number in (1, 2, 3)}
        response = ask(client, "post", propose_url, sent)
        assert FULL in text_of(response) and gemini.calls == 0
        assert box_of(response, "line_3") == "Line 3"

    def test_a_model_that_is_down_costs_no_line(self, client, propose_url, session, gemini):
        add_student_turn(session.pk, "I want to draw the harbour.", None)
        gemini.enqueue(replies.error(503))
        response = ask(client, "post", propose_url, {"line_1": "Mine"})
        assert "Write your own lines" in text_of(response)
        assert (response.status_code, box_of(response, "line_1")) == (200, "Mine")


def test_after_the_end_the_lines_wait_for_the_next_session(client, url, session, student):
    end_session(session, "student")
    response = client.post(url, SENT)
    assert response.status_code == 302 and agreed() == []
    following = open_session(session.action, student)
    page = client.get(reverse("sessions:session", args=[following.pk]))
    assert LINE in box_of(page, "line_1")


def test_a_completed_task_has_no_card_and_takes_no_line(client, url, page_url, action, student):
    self_report(Action.objects.get(pk=action.pk), by=student)
    assert "agreement" not in ids_of(client.get(page_url))
    response = ask(client, "post", url, SENT)
    assert response.status_code == 409 and "This task is complete" in text_of(response)
    assert agreed() == []
