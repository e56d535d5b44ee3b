"""The pages on which a plan is changed: what they ask, keep, refuse and say afterwards."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from plans import editing
from plans.editing import Changes
from plans.models import Action, ActionEdit, Requirement, Status, Week
from plans.status import self_report
from plans.task_text import RowText
from tests import factories
from tests.e2e.hostile import CORPUS
from tests.pages.reading import box_of, buttons_of, hidden_of, text_of
from tests.pages.test_plan_pages import make_check

pytestmark = pytest.mark.django_db


@pytest.fixture
def other(action):
    """A second open task, so that the first is not the last of its week."""
    return factories.make_action(action.week, "Draw the map")


@pytest.fixture
def edit_url(action):
    return reverse("plans:edit", args=[action.pk])


def form_of(action, **changes):
    """What the task's form sends as it is shown, the two empty rows too."""
    rows = list(action.requirements.order_by("position"))
    return {
        "title": action.title,
        "description": action.description,
        "row_id": [*(str(row.pk) for row in rows), "", ""],
        "row_title": [*(row.title for row in rows), "", ""],
        "row_kind": [*(row.evidence_kind for row in rows), "either", "either"],
        "place": "",
        "version": str(Action.objects.get(pk=action.pk).spec_version),
        **changes,
    }


def test_the_form_shows_what_is_stored(client, action, edit_url):
    page = client.get(edit_url)
    assert hidden_of(page, "version") == str(action.spec_version)
    assert hidden_of(page, "title") == "Know the risks"
    assert page.content.count(b'name="row_title"') == 4
    assert {"Save", "Drop this task"} <= buttons_of(page).keys()
    assert "will no longer count" not in text_of(page)


def test_saved_and_said_on_the_plan_page(client, action, edit_url):
    sent = form_of(action, title="Know all risks")
    sent["row_title"][2] = "Says which is the worst"
    page = client.post(edit_url, sent, follow=True)
    assert "Saved: title, requirements." in text_of(page)
    assert "#" not in page.redirect_chain[-1][0], "an anchor would keep the focus from the task"
    action.refresh_from_db()
    assert action.title == "Know all risks" and action.requirements.count() == 3


def test_saving_what_is_there_says_that_nothing_changed(client, action, edit_url):
    page = client.post(edit_url, form_of(action), follow=True)
    assert "Nothing was different" in text_of(page)
    assert not ActionEdit.objects.exists()


def test_a_row_goes_by_its_tick_or_by_emptying_it(client, action, edit_url):
    client.post(edit_url, form_of(action, row_gone=["0"]))
    assert [row.title for row in action.requirements.all()] == ["Shows the “Open” stations"]
    sent = form_of(action)
    sent["row_title"][0] = " "
    page = client.post(edit_url, sent)
    assert page.status_code == 422 and "keeps at least one requirement" in text_of(page)
    assert Requirement.objects.count() == 1


def test_a_refusal_keeps_everything_typed(client, action, edit_url):
    sent = form_of(action, title=" ", description="Line one\r\nline <two>")
    sent["row_title"][1] = "x" * 301
    sent["row_title"][2] = "A new one"
    sent["row_kind"][2] = "shown"
    page = client.post(edit_url, sent)
    text = text_of(page)
    assert page.status_code == 422
    assert "Nothing is saved yet" in text and "Give the task a title." in text
    assert "Keep a requirement to 300 characters; it has 301." in text
    assert box_of(page, "description") == "Line one\nline <two>"
    assert "A new one" in text and "x" * 301 in text
    assert b'<option value="shown" selected>' in page.content
    assert Action.objects.get().spec_version == action.spec_version


def test_a_form_of_before_shows_what_is_stored_beside_what_was_typed(
    client, student, action, edit_url
):
    sent = form_of(action, title="Mine")
    changes = Changes(title="Theirs", rows=[RowText(None, "Another row", "shown")])
    editing.edit_task(student, action.pk, changes, expected_version=action.spec_version)
    page = client.post(edit_url, sent)
    text = text_of(page)
    assert page.status_code == 409
    assert "This task was changed after you opened it." in text
    assert "What is stored now Theirs" in text and "Another row" in text
    assert hidden_of(page, "title") == "Mine" and "Names two risks of the project" in text
    action.refresh_from_db()
    assert action.title == "Theirs"
    again = {**sent, "version": hidden_of(page, "version"), "row_id": ["", "", "", ""]}
    assert client.post(edit_url, again).status_code == 302
    action.refresh_from_db()
    assert action.title == "Mine"


def test_a_checked_task_warns_and_then_says_that_it_is_stale(client, action, session, edit_url):
    make_check(action, "met", "not_shown")
    session_url = reverse("sessions:session", args=[session.pk])
    assert "changed since this check" not in text_of(client.get(session_url))
    assert "Your last check will no longer count" in text_of(client.get(edit_url))
    page = client.post(edit_url, form_of(action, description="With examples."), follow=True)
    assert "Changed since its check" in text_of(page) and "1 of 2 shown" not in text_of(page)
    text = text_of(client.get(session_url))
    assert "The task has changed since this check." in text and "With examples." in text
    assert "Your last check" not in text_of(client.get(edit_url))


def test_moved_within_the_week_the_check_still_counts(client, action, other, edit_url):
    make_check(action, "met", "not_shown")
    place = f"{action.week_id}:{other.pk}"
    page = client.post(edit_url, form_of(action, place=place), follow=True)
    assert "Moved to another place in its week." in text_of(page)
    assert "1 of 2 shown" in text_of(page)


def test_a_completed_task_is_not_edited(client, student, action, edit_url):
    sent = form_of(action, title="Mine")
    self_report(action, by=student)
    assert "This task is complete." in text_of(client.get(edit_url, follow=True))
    page = client.post(edit_url, sent)
    assert page.status_code == 409 and hidden_of(page, "title") == "Mine"
    assert "This task is complete." in text_of(page)


class TestTheLastOpenTask:
    @pytest.fixture
    def later(self, action):
        return Week.objects.create(plan=action.week.plan, number=2, title="Later")

    def test_moving_it_asks_and_keeps_what_was_typed(self, client, action, later, edit_url):
        factories.make_action(later, "To fill with")
        sent = form_of(action, title="Mine", place=f"{later.pk}:first")
        page = client.post(edit_url, sent)
        text = text_of(page)
        assert page.status_code == 409 and "This is the last open task of week 1" in text
        assert "Close week 1 when I save" in text and "To fill with" in text
        assert hidden_of(page, "title") == "Mine"
        assert f'value="{later.pk}:first" selected' in page.content.decode()
        assert client.post(edit_url, {**sent, "close_week": "yes"}).status_code == 409
        page = client.post(edit_url, {**sent, "close_week": "true"}, follow=True)
        assert "Closed" in text_of(page) and "You closed this week without tasks" in text_of(page)
        action.refresh_from_db()
        assert (action.week, action.title) == (later, "Mine")

    def test_dropping_it_asks(self, client, action, edit_url):
        url = reverse("plans:drop", args=[action.pk])
        page = client.post(url)
        assert page.status_code == 409 and "Drop it and close week 1" in buttons_of(page)
        assert Action.objects.get().archived_at is None
        page = client.post(url, {"close_week": "true"}, follow=True)
        assert "“Know the risks” is dropped." in text_of(page)
        assert Week.objects.get().completed_at

    def test_the_week_is_filled_instead(self, client, action):
        url = reverse("plans:new_task", args=[action.week_id])
        client.post(url, {"title": "Draw it", "row_title": "It is drawn", "row_kind": "shown"})
        assert client.post(reverse("plans:drop", args=[action.pk])).status_code == 302

    def test_another_weeks_task_is_offered_with_the_place_chosen(self, client, action, later):
        url = reverse("plans:edit", args=[factories.make_action(later, "To fill with").pk])
        page = client.get(f"{url}?to={action.week_id}")
        assert f'value="{action.week_id}:end" selected' in page.content.decode()


def test_dropped_and_undone(client, action, other):
    url = reverse("plans:drop", args=[action.pk])
    assert "you can undo it" in text_of(client.get(url))
    page = client.post(url, follow=True)
    assert "“Know the risks” is dropped." in text_of(page) and "Undo" in buttons_of(page)
    plan_url = page.redirect_chain[-1][0]
    page = client.post(reverse("plans:restore", args=[action.pk]), follow=True)
    assert "This task is back in week 1." in text_of(page)
    assert "Undo" not in buttons_of(client.get(plan_url))


def test_an_address_with_any_edit_shows_the_plan(client, action):
    url = reverse("plans:plan", args=[action.week.plan_id])
    stranger = factories.make_student()
    foreign = factories.make_action(factories.make_plan(stranger), "Foreign")
    theirs = editing.drop_task(stranger, foreign.pk, close_week=True)
    for edit in ("", "x", "\0", str(action.pk), str(theirs.pk)):
        page = client.get(url, {"edit": edit})
        assert page.status_code == 200 and "Foreign" not in text_of(page)


def test_a_task_is_added(client, action):
    url = reverse("plans:new_task", args=[action.week_id])
    sent = {"title": "Draw it", "row_id": "", "row_title": "It is drawn", "row_kind": "shown"}
    assert client.post(url, {**sent, "row_title": " "}).status_code == 422
    page = client.post(url, sent, follow=True)
    assert "Added to week 1." in text_of(page)
    made = Action.objects.get(title="Draw it")
    assert (made.status, made.requirements.get().evidence_kind) == (Status.NOT_STARTED, "shown")


def test_a_form_for_a_new_task_that_is_sent_twice_makes_one(client, action):
    url = reverse("plans:new_task", args=[action.week_id])
    sent = {"title": "Draw it", "row_title": "It is drawn", "row_kind": "shown"}
    sent["form_id"] = hidden_of(client.get(url), "form_id")
    refused = client.post(url, {**sent, "title": ""})
    assert hidden_of(refused, "form_id") == sent["form_id"]
    for _ in range(2):
        page = client.post(url, sent, follow=True)
        assert "Added to week 1." in text_of(page)
    assert Action.objects.filter(title="Draw it").count() == 1
    assert hidden_of(client.get(url), "form_id") != sent["form_id"]


def test_the_same_edit_sent_twice_is_no_conflict(client, action, edit_url):
    sent = form_of(action, title="Mine")
    sent["row_title"][2] = "A new one"
    client.post(edit_url, sent)
    assert "Nothing was different" in text_of(client.post(edit_url, sent, follow=True))
    assert Requirement.objects.count() == 3


def test_every_row_that_was_sent_comes_back(client, action, edit_url):
    sent = {"title": "T", "row_title": [f"Row {at}" for at in range(90)], "version": "1"}
    assert "Row 89" in text_of(client.post(edit_url, sent))


def test_a_weeks_text_of_before_is_shown_beside_what_was_typed(client, action):
    url = reverse("plans:week", args=[action.week_id])
    sent = {"title": "Mine", "description": "", "seen": hidden_of(client.get(url), "seen")}
    client.post(url, {**sent, "title": "Theirs"})
    refused = client.post(url, {**sent, "title": ""})
    assert refused.status_code == 422 and hidden_of(refused, "seen") == sent["seen"]
    page = client.post(url, sent)
    assert page.status_code == 409 and "What is stored now Theirs" in text_of(page)
    assert hidden_of(page, "title") == "Mine" and Week.objects.get().title == "Theirs"
    assert client.post(url, {**sent, "seen": hidden_of(page, "seen")}).status_code == 302
    assert Week.objects.get().title == "Mine"


def test_a_weeks_text(client, student, action):
    url = reverse("plans:week", args=[action.week_id])
    page = client.post(url, {"title": "", "description": "Kept"})
    assert page.status_code == 422 and box_of(page, "description") == "Kept"
    page = client.post(url, {"title": "Begin", "description": ""}, follow=True)
    assert "The week’s text is saved." in text_of(page) and "Week 1 — Begin" in text_of(page)
    self_report(Action.objects.get(), by=student)
    page = client.post(url, {"title": "Other", "description": ""})
    assert page.status_code == 409 and "It stays as it is now" in text_of(page)


def test_the_history_reads_newest_first(client, student, action, edit_url):
    url = reverse("plans:history", args=[action.pk])
    assert "Nothing was changed yet" in text_of(client.get(url))
    client.post(edit_url, form_of(action, title="Second <b>title</b>"))
    client.post(edit_url, form_of(Action.objects.get(), description="Words."))
    text = text_of(client.get(url))
    assert text.index("Description now Words.") < text.index("from Know the risks to Second <b>")
    assert "by you" in text and f"version {action.spec_version + 2}" in text


def test_the_queries_stay_the_same(client, student, action, other, edit_url):
    """For a history of 1 and of 50, and a plan of 2 and of 60 tasks."""
    pages = [
        edit_url,
        reverse("plans:history", args=[action.pk]),
        reverse("plans:drop", args=[action.pk]),
        reverse("plans:new_task", args=[action.week_id]),
        reverse("plans:week", args=[action.week_id]),
    ]

    def change(number):
        version = Action.objects.get(pk=action.pk).spec_version
        changes = Changes(title=f"Title {number}")
        editing.edit_task(student, action.pk, changes, expected_version=version)

    def count():
        counts = []
        for page in pages:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(page).status_code == 200
            counts.append(len(queries))
        return counts

    change(0)
    few = count()
    for number in range(1, 50):
        change(number)
        factories.make_action(action.week)
    # Session, user, then the task and its plan, and on the form its rows and the latest check.
    assert few == count() == [9, 4, 7, 7, 3]


@pytest.mark.parametrize("text", CORPUS)
def test_hostile_text_is_kept_as_words(client, action, edit_url, text):
    sent = form_of(action, title=text, description=text)
    sent["row_title"][2] = text
    page = client.post(edit_url, sent, follow=True)
    assert page.status_code in (200, 422)
    for url in (edit_url, reverse("plans:history", args=[action.pk])):
        html = client.get(url).content.decode()
        assert "<script>window" not in html and "onerror='window" not in html


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"version": "9" * 5000},
        {"version": "-1"},
        {"version": "1", "place": "x:y"},
        {"row_title": ["a"] * 200, "title": "T"},
        {"row_kind": ["shown"] * 3, "row_id": ["x", "y"]},
        {"title": "\0", "row_title": "\0"},
    ],
)
def test_a_form_of_anything_is_answered(client, action, edit_url, sent):
    for url in (edit_url, reverse("plans:new_task", args=[action.week_id])):
        assert client.post(url, sent).status_code in (409, 422)
    assert Action.objects.get().spec_version == action.spec_version
