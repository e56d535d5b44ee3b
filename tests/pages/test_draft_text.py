"""The page on which title and goal of a draft are changed, without a script."""

import pytest
from django.urls import reverse

from plans.making import drafts
from plans.making.proposal import LONGEST_GOAL, LONGEST_TITLE
from plans.models import Plan, PlanDraft
from tests import factories
from tests.pages.reading import box_of, hidden_of, text_of

pytestmark = pytest.mark.django_db
State = PlanDraft.State


@pytest.fixture
def draft(student):
    return factories.make_draft(student)


@pytest.fixture
def url(draft):
    return reverse("plans:draft_text", args=[draft.pk])


def fields(draft, **changes):
    """What the form sends as it stands, and `changes` to it."""
    texts = {name: draft.proposal[name] for name in ("title", "goal")}
    return {"version": str(draft.version), **texts, **changes}


def test_the_draft_page_leads_to_what_is_stored(client, draft, url):
    assert url in client.get(reverse("plans:draft", args=[draft.pk])).content.decode()
    page = client.get(url)
    assert hidden_of(page, "title") == draft.proposal["title"]
    assert box_of(page, "goal") == draft.proposal["goal"]


def test_saved_and_taken_into_the_plan(client, student, draft, url):
    weeks = draft.proposal["weeks"]
    sent = fields(draft, title=" Beds  and water ", goal="First line\r\nSecond <b>line</b>\r\n")
    page = client.post(url, sent, follow=True)
    assert "Saved." in text_of(page) and "Beds and water" in text_of(page)
    draft.refresh_from_db()
    assert draft.version == 4 and draft.proposal["weeks"] == weeks
    assert draft.review["is_edited"] is True
    drafts.accept_draft(student, draft.pk)
    plan = Plan.objects.get(owner=student)
    assert (plan.title, plan.goal) == ("Beds and water", "First line\nSecond <b>line</b>")


def test_saving_what_is_there_says_that_nothing_changed(client, draft, url):
    PlanDraft.objects.update(proposal=draft.proposal | {"goal": "One\nTwo"})
    page = client.post(url, fields(draft, goal="One\r\nTwo"), follow=True)
    assert "Nothing was different" in text_of(page)
    draft.refresh_from_db()
    assert draft.version == 3


def test_the_same_form_sent_twice_is_no_conflict(client, draft, url):
    sent = fields(draft, title="Mine", goal="To count birds.")
    client.post(url, sent)
    assert "Nothing was different" in text_of(client.post(url, sent, follow=True))
    draft.refresh_from_db()
    assert draft.proposal["title"] == "Mine"


def test_the_goal_may_be_empty(client, draft, url):
    assert client.post(url, fields(draft, goal=" ")).status_code == 302
    draft.refresh_from_db()
    assert draft.proposal["goal"] == ""


def test_faults_stand_at_their_fields_and_what_was_typed_stays(client, draft, url):
    goal = "g" * (LONGEST_GOAL + 1)
    page = client.post(url, fields(draft, title=" ", goal=goal))
    text = text_of(page)
    assert page.status_code == 422 and "Nothing is saved yet." in text
    assert "Give the plan a title." in text
    assert "Keep the goal to 2,000 characters; it has 2,001." in text
    assert box_of(page, "goal") == goal
    draft.refresh_from_db()
    assert draft.version == 3


@pytest.mark.parametrize(("more", "status"), [(0, 302), (1, 422)])
def test_the_longest_there_may_be(client, draft, url, more, status):
    """Line breaks count once, however a browser sends them."""
    goal = "g\r\n" * (LONGEST_GOAL // 2 - 1) + "gg"
    sent = fields(draft, title="t" * (LONGEST_TITLE + more), goal=goal + "g" * more)
    assert client.post(url, sent).status_code == status


def test_a_character_that_cannot_be_stored_is_said(client, draft, url):
    page = client.post(url, fields(draft, title="Beds\0"))
    assert page.status_code == 422 and "cannot be stored" in text_of(page)
    draft.refresh_from_db()
    assert draft.version == 3


def test_an_outdated_form_shows_both_and_can_be_saved_then(client, draft, url):
    sent = fields(draft, title="Mine")
    PlanDraft.objects.update(version=7)
    page = client.post(url, sent)
    assert page.status_code == 409
    text = text_of(page)
    assert "changed elsewhere" in text
    assert f"What is stored now {draft.proposal['title']}" in text
    assert hidden_of(page, "title") == "Mine"
    client.post(url, sent | {"version": hidden_of(page, "version")})
    draft.refresh_from_db()
    assert draft.proposal["title"] == "Mine"


def test_an_accepted_draft_is_not_changed_and_says_so(client, student, draft, url):
    plan = drafts.accept_draft(student, draft.pk)
    page = client.post(url, fields(draft, title="Too late", goal="Typed for an hour"))
    assert page.status_code == 409 and "You accepted this plan already." in text_of(page)
    assert "Too late" in text_of(page) and "Typed for an hour" in text_of(page)
    assert client.get(url).url == reverse("plans:draft", args=[draft.pk])
    draft.refresh_from_db()
    plan.refresh_from_db()
    assert "Too late" not in (draft.proposal["title"], plan.title)


@pytest.mark.parametrize("state", [State.PROPOSING, State.FAILED])
def test_what_is_not_ready_is_not_changed(client, draft, url, state):
    PlanDraft.objects.update(state=state)
    page = client.post(url, fields(draft, title="Too early"))
    assert page.status_code == 409 and "Too early" in text_of(page)
    assert drafts.say_not_ready(PlanDraft.objects.get()) in text_of(page)
    assert client.get(url).status_code == 302
    draft.refresh_from_db()
    assert draft.proposal["title"] != "Too early"


def test_another_students_draft_is_not_there(client, draft):
    theirs = factories.make_draft(factories.make_student())
    url = reverse("plans:draft_text", args=[theirs.pk])
    assert client.get(url).status_code == 404
    assert client.post(url, fields(draft, title="Mine now")).status_code == 404
    theirs.refresh_from_db()
    assert theirs.proposal["title"] != "Mine now"


@pytest.mark.parametrize("sent", [{}, {"version": "9" * 5000}, {"version": "x", "title": "T"}])
def test_a_form_of_anything_is_answered(client, draft, url, sent):
    assert client.post(url, sent).status_code in (409, 422)
    draft.refresh_from_db()
    assert draft.version == 3


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "{{ 7 }} \u202e", '"><b>'])
def test_hostile_text_is_shown_as_text(client, draft, url, text):
    client.post(url, fields(draft, title=text, goal=text))
    for page in (url, reverse("plans:draft", args=[draft.pk])):
        html = client.get(page).content.decode()
        assert "<script>alert" not in html and '"><b>' not in html
