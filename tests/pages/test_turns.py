"""Sending a message on the session page: it is stored once, and no text is ever lost."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from plans.models import Status
from sessions.chat import SENTENCES
from sessions.lifecycle import end_session
from sessions.models import CopilotSession, Turn
from sessions.transcript import add_reply, add_student_turn
from tests import factories
from tests.fakes import replies
from tests.pages.reading import ask, box_of, buttons_of, hidden_of, ids_of, text_of

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "Two risks of the project: rain & <b>no</b> bikes."


@pytest.fixture
def page_url(session):
    return reverse("sessions:session", args=[session.pk])


@pytest.fixture
def send_url(session):
    return reverse("sessions:turn", args=[session.pk])


def student_texts():
    return list(Turn.objects.filter(role="student").values_list("text", flat=True))


def test_a_message_and_its_answer(client, rules, page_url, send_url):
    client_id = hidden_of(client.get(page_url), "client_id")
    response = client.post(send_url, {"text": TEXT, "client_id": client_id})
    assert response["Location"] == f"{page_url}#end"
    page = client.get(page_url)
    assert b"&lt;b&gt;no&lt;/b&gt; bikes" in page.content and b"<b>no</b>" not in page.content
    assert "Next on your list" in text_of(page)
    assert box_of(page) == "" and hidden_of(page, "client_id") != client_id


def test_under_htmx_the_conversation_is_swapped(client, rules, page_url, send_url):
    data = {"text": TEXT, "client_id": str(uuid.uuid4())}
    response = ask(client, "post", send_url, data, page=page_url)
    assert response.status_code == 200 and response["Cache-Control"] == "no-store"
    assert response.content.lstrip().startswith(b'<section id="conversation"')
    assert {"turn-1", "turn-3", "composer", "live"} <= set(ids_of(response))
    assert "The copilot: No AI is connected here" in text_of(response)


def test_sent_twice_is_stored_once(client, rules, send_url):
    data = {"text": TEXT, "client_id": str(uuid.uuid4())}
    for _ in range(2):
        assert client.post(send_url, data).status_code == 302
    assert student_texts() == [TEXT]


def test_other_words_from_an_old_page_are_not_swallowed(client, rules, send_url):
    client_id = str(uuid.uuid4())
    for text in (TEXT, "Other words", "Other words"):
        client.post(send_url, {"text": text, "client_id": client_id})
    assert student_texts() == [TEXT, "Other words"]


@pytest.mark.parametrize("client_id", ["", "x" * 65, "nul\x00"])
def test_a_client_id_that_cannot_be_kept_counts_as_none(client, rules, send_url, client_id):
    assert client.post(send_url, {"text": TEXT, "client_id": client_id}).status_code == 302
    assert Turn.objects.get(role="student").client_id is None


def test_line_breaks_of_a_form_are_plain_ones(client, rules, send_url):
    client.post(send_url, {"text": "one\r\ntwo"})
    assert student_texts() == ["one\ntwo"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x" * 20_001, "That is 20,001 characters"),
        ("a\x00b", "cannot be stored"),
        ("   ", "Write something first"),
    ],
)
def test_a_refused_text_stands_in_the_box_again(client, page_url, send_url, text, sentence):
    plain = client.post(send_url, {"text": text, "client_id": "c-1"})
    swapped = ask(client, "post", send_url, {"text": text, "client_id": "c-1"}, page=page_url)
    for response in (plain, swapped):
        assert response.status_code == 422
        assert box_of(response) == text and sentence in text_of(response)
        assert hidden_of(response, "client_id") == "c-1"
    assert not Turn.objects.exists()


def test_an_expired_login_keeps_the_text(student, page_url, send_url, rules):
    visitor = Client()
    response = visitor.post(
        send_url, {"text": TEXT}, headers={"Referer": f"http://testserver{page_url}"}
    )
    assert response["Location"] == f"/login/?next={page_url}"
    login = {"username": student.email, "password": factories.PASSWORD, "next": page_url}
    assert visitor.post(reverse("login"), login)["Location"] == page_url
    assert box_of(visitor.get(page_url)) == TEXT
    assert box_of(visitor.get(page_url)) == TEXT  # still there after a reload
    visitor.post(send_url, {"text": TEXT})
    assert box_of(visitor.get(page_url)) == "" and student_texts() == [TEXT]


def test_without_an_expired_login_the_box_is_empty(client, page_url):
    assert box_of(client.get(page_url)) == ""


def test_anothers_kept_text_is_not_shown(student, session, send_url, page_url):
    visitor = Client()
    visitor.post(send_url, {"text": TEXT})
    other = factories.make_student()
    login = {"username": other.email, "password": factories.PASSWORD}
    visitor.post(reverse("login"), login)
    response = visitor.get(page_url)
    assert response.status_code == 404 and TEXT not in text_of(response)


def test_drafts_do_not_pile_up(send_url):
    visitor = Client()
    for _ in range(5):
        url = reverse("sessions:turn", args=[uuid.uuid4()])
        visitor.post(url, {"text": "x" * 90_000})
    drafts = visitor.session["drafts"]
    assert len(drafts) == 3 and all(len(text) == 40_000 for text in drafts.values())


def test_a_copilot_that_fails_leaves_the_message_and_asks_again(client, gemini, page_url, send_url):
    gemini.enqueue(replies.error(429))
    client_id = str(uuid.uuid4())
    response = ask(client, "post", send_url, {"text": TEXT, "client_id": client_id})
    assert SENTENCES["rate_limited"] in text_of(response)
    assert "Ask again" in buttons_of(client.get(page_url))
    assert student_texts() == [TEXT]

    again = {"again": "1", "client_id": client_id}
    response = ask(client, "post", send_url, again, page=page_url)
    assert "What did you find so far?" in text_of(response)
    assert "Ask again" not in buttons_of(response) and student_texts() == [TEXT]


def test_asking_again_for_nothing_is_refused(client, send_url):
    response = client.post(send_url, {"again": "1", "client_id": "unknown"})
    assert response.status_code == 422 and not Turn.objects.exists()


def test_a_claim_of_the_copilot_stands_beside_the_stored_state(
    client, rules, page_url, send_url, action
):
    client.post(send_url, {"text": "Where do I begin?"})
    assert "Not marked" not in text_of(client.get(page_url))
    client.post(send_url, {"text": "I am done"})
    text = text_of(client.get(page_url))
    assert "Not marked This task is still in progress. Only your check and your tap" in text
    action.refresh_from_db()
    assert action.status != Status.COMPLETED


def test_a_closed_session_gives_the_text_back_and_the_next_one_has_it(
    client, session, page_url, send_url, action
):
    end_session(session, CopilotSession.EndReason.IDLE)
    response = ask(client, "post", send_url, {"text": TEXT}, page=page_url)
    assert response.status_code == 409
    assert box_of(response) == TEXT and "Go on with this task" in buttons_of(response)
    started = client.post(reverse("sessions:start", args=[action.pk]), {"text": TEXT}, follow=True)
    assert box_of(started) == TEXT
    assert CopilotSession.objects.open().get().pk != session.pk


def test_an_ended_session_can_be_read_and_gone_on_with(client, session, page_url, rules, send_url):
    client.post(send_url, {"text": TEXT})
    client.post(reverse("sessions:end", args=[session.pk]))
    page = client.get(page_url)
    assert "This session has ended." in text_of(page) and "rain & <b>no</b> bikes" in text_of(page)
    assert box_of(page) is None
    assert "Go on with this task" in buttons_of(page)
    assert "Check" not in buttons_of(page)


MARKED = "Not marked This task is still open."


@pytest.mark.parametrize(
    ("said", "is_marked"),
    [("I've gone ahead and marked it complete.", True), ("What did you find so far?", False)],
)
def test_words_alone_are_answered_by_what_is_stored(client, session, page_url, said, is_marked):
    """No tool was called: the copilot's own words say that it is done."""
    add_reply(add_student_turn(session.pk, "Here is my map.", None), said, [])
    assert (MARKED in text_of(client.get(page_url))) is is_marked


def test_an_answer_to_the_question_is_known_also_when_others_came_between(
    client, session, page_url
):
    asked = add_student_turn(session.pk, "Did you save my progress?", None)
    other = add_student_turn(session.pk, "And here is my map.", None)
    add_reply(asked, "Your words are here.", [])
    add_reply(other, "What does it show?", [])
    first, second = (
        text_of(client.get(page_url)).split("Your words are here.")[1].split("What does")
    )
    assert MARKED in first and MARKED not in second


def test_a_page_is_full_of_words_however_many_tools_were_run(client, session, page_url):
    turn = add_student_turn(session.pk, "Here is my map.", None)
    add_reply(turn, "What does it show?", [("mark_task_completed", "Nothing.")] * 30)
    text = text_of(client.get(page_url))
    assert "Here is my map." in text and MARKED in text
