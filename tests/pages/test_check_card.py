"""The check card in each of its states, and the tap on Mark complete."""

import re

import pytest
from django.urls import reverse

from judge.models import CheckRun
from plans.agreed_rows import AgreedRow
from plans.models import Completion, How
from sessions.models import CopilotSession
from sessions.transcript import add_student_turn
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.pages.reading import ask, buttons_of, ids_of, text_of

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = "Two risks of the project: rain, bikes."
MET = replies.json(answer("met", "met", text=WORDS))
HALF = replies.json(answer("met", "not_met", text=WORDS))


class Page:
    """The session page of the logged-in student, as a person uses it."""

    def __init__(self, client, session):
        self.client, self.session = client, session
        self.url = reverse("sessions:session", args=[session.pk])

    def read(self):
        return self.client.get(self.url)

    def post(self, name):
        return self.client.post(reverse(f"sessions:{name}", args=[self.session.pk]), follow=True)

    def swap(self, name):
        url = reverse(f"sessions:{name}", args=[self.session.pk])
        return ask(self.client, "post", url, page=self.url)


@pytest.fixture
def page(client, session):
    add_student_turn(session.pk, WORDS, None)
    return Page(client, session)


def can_complete(response):
    return "disabled" not in buttons_of(response)["Mark complete"]


def test_before_any_check_it_says_what_done_means(page):
    response = page.read()
    text = text_of(response)
    assert "What done means Show this in your own messages" in text
    assert "Names two risks of the project In your words" in text
    assert "2 rows left" in text
    assert "Check" in buttons_of(response) and not can_complete(response)


def row_texts(response):
    """What each row of the card says."""
    found = re.findall(r'<li class="row">(.*?)</li>', response.content.decode(), re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in found]


def test_rows_agreed_on_wear_their_badge_before_after_and_at_the_end(page, student, gemini):
    page.session.action.agree_on([AgreedRow("The map names every bike", "shown")], by=student)
    badge = "agreed with you"

    def marked(response):
        rows = row_texts(response)
        assert len(rows) == 3
        return [row for row in rows if badge in row]

    [row] = marked(page.read())
    assert row.startswith("The map names every bike")
    gemini.enqueue(replies.json(answer("met", "met", "not_shown", text=WORDS)))
    [row] = marked(page.post("check"))
    assert row.startswith(f"The map names every bike {badge}")
    gemini.enqueue(replies.json(answer("met", "met", "met", text=WORDS)))
    response = page.post("complete")
    assert "Task complete" in text_of(response)
    [row] = marked(response)
    assert row.startswith(f"The map names every bike {badge}")


def test_a_failed_check_shows_what_is_missing_first(page, gemini):
    gemini.enqueue(HALF)
    text = text_of(page.post("check"))
    assert text.index("Shows the “Open” stations Not met A note on row 2.") < text.index(
        "Names two risks of the project Met A note on row 1."
    )
    assert f"“{WORDS}” — your message, " in text
    assert "You are one row away." in text and "1 row left" in text
    assert not can_complete(page.read())


def test_a_passed_check_makes_the_button_ready_and_completes_nothing(page, gemini):
    gemini.enqueue(MET)
    response = page.post("check")
    assert can_complete(response) and "All there: mark complete" in text_of(response)
    assert not Completion.objects.exists()


def test_the_tap_completes_and_leads_on(page, gemini, action):
    factories.make_action(action.week, "The next task")
    gemini.enqueue(MET, MET)
    page.post("check")
    text = text_of(page.post("complete"))
    assert Completion.objects.get().how == How.CHECKED
    assert "Task complete Checked" in text and "Next: The next task" in text
    assert "Not marked" not in text


def test_under_htmx_the_tap_swaps_the_whole_session(page, gemini):
    gemini.enqueue(MET)
    response = page.swap("complete")
    assert response["HX-Retarget"] == "#session" and ids_of(response)[0] == "session"
    assert "plan is complete" in text_of(response) and "composer" not in ids_of(response)


def test_under_htmx_a_check_swaps_card_and_bar(page, gemini):
    gemini.enqueue(HALF)
    response = page.swap("check")
    assert "HX-Retarget" not in response
    assert [part for part in ids_of(response) if part in ("check", "bar", "live")] == [
        "check",
        "bar",
        "live",
    ]
    assert b'id="bar" class="bar" hx-swap-oob="true"' in response.content
    assert b'hx-swap-oob="true"' not in page.read().content


def test_a_tap_that_is_not_met_shows_a_fresh_card(page, gemini):
    gemini.enqueue(MET, HALF)
    assert can_complete(page.post("check"))
    response = page.post("complete")
    assert not can_complete(response) and "You are one row away." in text_of(response)
    assert not Completion.objects.exists()


def test_a_card_from_before_a_change_is_stale(page, gemini, action):
    gemini.enqueue(MET)
    assert can_complete(page.post("check"))
    action.title = "Know all the risks"
    action.save()
    response = page.read()
    assert "The task has changed since this check." in text_of(response)
    assert not can_complete(response) and "Check again" in buttons_of(response)
    assert "Contest it" not in text_of(response)


def test_an_undecided_card_says_what_to_do(page, gemini, action):
    gemini.enqueue(replies.blocked(), replies.blocked())
    response = page.post("check")
    text = text_of(response)
    assert response.status_code == 200
    assert "Send your work again in a new message and check again" in text
    assert reverse("plans:status", args=[action.pk]) in response.content.decode()
    assert "Not decided" in text and not can_complete(response)
    assert "Contest it" not in text


def test_an_undecided_card_takes_nothing_from_a_check_that_passed(page, gemini, action):
    gemini.enqueue(MET, replies.blocked(), replies.blocked())
    page.post("check")
    response = page.post("check")
    assert "Not decided" in text_of(response) and can_complete(response)
    assert "had every row, so you can tap Mark complete" in text_of(response)
    assert can_complete(page.read())
    action.title = "Know all the risks"
    action.save()
    assert not can_complete(page.read())


def test_a_stuck_card_offers_the_report(page, gemini):
    gemini.enqueue(HALF, HALF)
    assert "Report this check" not in text_of(page.post("check"))
    text = text_of(page.post("check"))
    assert "likely on our side" in text and "Report this check" in text


def test_rules_are_named_on_the_card(page, rules):
    text = text_of(page.post("check"))
    assert "Checked by plain rules (demo), not by a model." in text
    assert "No AI is connected" in text


def test_a_card_without_its_audit_row_is_shown_all_the_same(page, gemini, monkeypatch):
    def refuse(**fields):
        raise RuntimeError("no room")

    gemini.enqueue(HALF)
    monkeypatch.setattr(CheckRun.objects, "create", refuse)
    response = page.post("check")
    assert response.status_code == 200 and not response.redirect_chain
    assert "You are one row away." in text_of(response) and "Contest it" not in text_of(response)


def test_a_task_without_rows_has_no_dead_button(page, action):
    action.requirements.all().delete()
    response = page.read()
    assert "Mark the task yourself" in text_of(response)
    assert not {"Check", "Mark complete"} & set(buttons_of(response))


def test_notes_and_quotes_are_text(client, session, gemini):
    words = "<img src=x onerror=alert(1)> two risks"
    add_student_turn(session.pk, words, None)
    body = answer("met", "not_met", text=words)
    body["rows"][1]["note"] = "<script>alert(2)</script>"
    gemini.enqueue(replies.json(body))
    html = Page(client, session).post("check").content.decode()
    assert "<img src=x" not in html and "<script>alert" not in html
    assert "&lt;img src=x" in html and "&lt;script&gt;alert(2)" in html


def test_checking_an_ended_session_says_so(page, client):
    client.post(reverse("sessions:end", args=[page.session.pk]))
    assert "This session has ended. Open the task again" in text_of(page.post("check"))
    assert page.swap("check").status_code == 409
    assert not CheckRun.objects.exists()


def test_starting_a_complete_task_is_refused_in_words(page, client, gemini, action):
    gemini.enqueue(MET)
    page.post("complete")
    CopilotSession.objects.update(ended_at="2026-01-01T00:00Z")
    response = client.post(reverse("sessions:start", args=[action.pk]), follow=True)
    assert "This task is complete. Take back your own report" in text_of(response)
