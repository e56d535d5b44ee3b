"""The pages on which a student has a plan made, without a script."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from plans.making import drafts
from plans.making.proposal import Proposal
from plans.making.review import JUDGED, Criterion, Finding, Review, Standing
from plans.models import Plan, PlanDraft
from tests import factories
from tests.pages.reading import text_of

pytestmark = pytest.mark.django_db
NEW = reverse("plans:new_plan")
ANSWERS = {
    "description": "A page that lists the beds of our school garden and who waters them.",
    "hours_per_week": "4",
    "weeks": "3",
    "level": "beginner",
    "target_date": "",
}
State = PlanDraft.State


@pytest.fixture
def draft(student):
    return factories.make_draft(student)


def url_of(draft, name="draft", *more):
    return reverse(f"plans:{name}", args=[draft.pk, *more])


def week_fields(draft, number=1, **changes):
    """What the form of a week sends as it stands, and `changes` to it."""
    week = draft.proposal["weeks"][number - 1]
    sent = {
        "version": str(draft.version),
        "title": week["title"],
        "description": week["description"],
    }
    for n, task in enumerate(week["tasks"]):
        for name in ("key", "title", "description", "hours"):
            sent[f"t{n}.{name}"] = str(task[name])
        sent[f"t{n}.topics"] = ", ".join(task["topics"])
        sent[f"t{n}.needs"] = task["dependsOn"]
        for m, row in enumerate(task["requirements"]):
            sent[f"t{n}.r{m}.title"] = row["title"]
            sent[f"t{n}.r{m}.kind"] = row["evidenceKind"]
    return {**sent, **changes}


class TestAsking:
    def test_the_form_begins_a_draft_and_shows_where_it_stands(self, client, student):
        assert "Plan a new project" in text_of(client.get("/"))
        assert client.get(NEW).status_code == 200
        page = client.post(NEW, ANSWERS, follow=True)
        made = PlanDraft.objects.get(owner=student)
        assert page.redirect_chain == [(url_of(made), 302)]
        assert "Your plan is about to be made" in text_of(page)
        assert made.brief["hours_per_week"] == 4
        assert "Plans in the making" in text_of(client.get("/"))

    def test_sent_twice_it_is_one_plan(self, client):
        for _ in range(2):
            client.post(NEW, ANSWERS)
        assert PlanDraft.objects.count() == 1

    def test_the_same_words_with_other_numbers_are_another_plan(self, client):
        for weeks in ("3", "8"):
            client.post(NEW, ANSWERS | {"weeks": weeks})
        assert sorted(draft.brief["weeks"] for draft in PlanDraft.objects.all()) == [3, 8]

    def test_a_character_that_cannot_be_stored_is_refused_at_its_field(self, client):
        page = client.post(NEW, ANSWERS | {"description": ANSWERS["description"] + "\0"})
        assert page.status_code == 422 and "cannot be stored" in text_of(page)
        assert ANSWERS["description"] in page.content.decode()
        assert not PlanDraft.objects.exists()

    def test_half_a_character_is_answered(self, client):
        text = (ANSWERS["description"] + "\ud800").encode("utf-8", "surrogatepass")
        sent = urlencode(ANSWERS | {"description": text})
        page = client.post(NEW, sent, content_type="application/x-www-form-urlencoded")
        assert page.status_code == 302 and PlanDraft.objects.count() == 1

    def test_faults_stand_at_their_fields_and_what_was_typed_stays(self, client):
        sent = ANSWERS | {"description": "Too short", "hours_per_week": "many", "weeks": "9" * 5000}
        page = client.post(NEW, sent)
        assert page.status_code == 422 and not PlanDraft.objects.exists()
        text, html = text_of(page), page.content.decode()
        assert "Describe your project in 20 characters or more." in text
        assert "Choose a number of weeks from 1 to 26." in text
        assert "Too short" in html and 'value="many"' in html and f'value="{"9" * 5000}"' in html

    def test_one_too_many_is_refused_with_what_was_typed(self, client, student):
        for _ in range(drafts.MOST_DRAFTS):
            factories.make_draft(student)
        page = client.post(NEW, ANSWERS)
        assert page.status_code == 409 and ANSWERS["description"] in page.content.decode()
        assert "Accept or drop one" in text_of(page)


class TestWatching:
    def test_it_asks_again_by_itself_while_it_is_made_and_says_only_news(self, client, student):
        made = factories.make_draft(student, state=State.REPAIRING, round=1, review=None, version=1)
        page = client.get(url_of(made))
        assert "Putting right what was found, 2 of 2" in text_of(page)
        assert 'hx-trigger="every 2s"' in page.content.decode()
        asked = {"headers": {"HX-Request": "true"}}
        news = client.get(url_of(made), **asked).content.decode()
        again = client.get(url_of(made) + "?seen=repairing-1", **asked).content.decode()
        sentence = "What the review found is being put right."
        assert (news.count(sentence), again.count(sentence)) == (2, 1)

    def test_a_failed_one_can_be_tried_again_or_changed(self, client, student):
        failed = factories.make_draft(
            student, state=State.FAILED, reason="timeout", proposal=None, review=None, version=0
        )
        page = client.get(url_of(failed))
        assert "The model took too long." in text_of(page)
        assert failed.brief["description"] in client.get(f"{NEW}?from={failed.pk}").content.decode()
        client.post(url_of(failed, "retry_draft"))
        failed.refresh_from_db()
        assert failed.state == State.ASKED

    def test_dropped_after_a_confirm_step(self, client, draft):
        assert "Drop this draft?" in text_of(client.get(url_of(draft, "drop_draft")))
        assert PlanDraft.objects.exists()
        client.post(url_of(draft, "drop_draft"))
        assert not PlanDraft.objects.exists()


class TestReady:
    def test_findings_stand_where_they_belong(self, client, student):
        row = Finding(Criterion.CHECKABLE, "Nobody can see this.", 1, 1, 1, quote="pests")
        week = Finding(Criterion.LOAD, "More hours than you have.", 1, code="load")
        standings = dict.fromkeys(JUDGED, Standing.HELD) | {Criterion.CHECKABLE: Standing.FOUND}
        review = Review((row, week), standings, "gemini")
        page = client.get(url_of(factories.make_draft(student, review=review.as_json())))
        text = text_of(page)
        assert "Cannot be checked: Nobody can see this." in text
        assert "Does not fit your hours: More hours than you have." in text
        assert "Each week builds on the last" in text

    def test_by_rules_it_says_so(self, client, student):
        review = Review((), dict.fromkeys(JUDGED, Standing.UNREAD), "rules", reason="no_judge")
        made = factories.make_draft(student, made_by="rules", review=review.as_json())
        text = text_of(client.get(url_of(made)))
        assert "Made by plain rules (demo)" in text and "No AI read it" in text

    def test_what_was_changed_is_said_to_be_unread(self, client, draft):
        unread = "No AI has read what you changed"
        assert unread not in text_of(client.get(url_of(draft)))
        sent = week_fields(draft, title="Find everything out")
        page = client.post(url_of(draft, "draft_week", 1), sent, follow=True)
        text = text_of(page)
        assert "Saved. What code can check was checked again; nobody has read the change." in text
        assert unread in text and "brought up to date" not in text
        assert unread in text_of(client.get(url_of(draft)))

    def test_a_finding_whose_week_was_changed_is_about_the_plan_before(self, client, student):
        found = Finding(Criterion.LOAD, "More than you have.", 1, quote="List the beds")
        standings = dict.fromkeys(JUDGED, Standing.HELD) | {Criterion.LOAD: Standing.FOUND}
        made = factories.make_draft(student)
        title = made.proposal["weeks"][0]["tasks"][0]["title"]
        review = Review((replace(found, quote=title),), standings, "gemini").as_json()
        PlanDraft.objects.update(review=review)
        mark = "(about the plan before your change)"
        assert mark not in text_of(client.get(url_of(made)))
        client.post(url_of(made, "draft_week", 1), week_fields(made, **{"t1.hours": "2"}))
        text = text_of(client.get(url_of(made)))
        assert "More than you have." in text and mark in text

    def test_a_week_is_changed(self, client, draft):
        url = url_of(draft, "draft_week", 1)
        assert client.get(url).status_code == 200
        task = len(draft.proposal["weeks"][0]["tasks"])
        sent = week_fields(draft, title="Find everything out")
        sent |= {
            f"t{task}.key": "",
            f"t{task}.title": "Ask two gardeners",
            f"t{task}.description": "",
            f"t{task}.hours": "2",
            f"t{task}.topics": "interviews, notes",
            f"t{task}.r0.title": "You quote what each of them said",
            f"t{task}.r0.kind": "written",
        }
        page = client.post(url, sent, follow=True)
        assert "Saved." in text_of(page)
        draft.refresh_from_db()
        week = Proposal.model_validate(draft.proposal).weeks[0]
        assert week.title == "Find everything out" and draft.version == 4
        added = week.tasks[-1]
        assert (added.title, added.hours, added.topics) == (
            "Ask two gardeners",
            2,
            ["interviews", "notes"],
        )
        assert added.requirements[0].evidence_kind == "written"

    def test_a_task_and_a_requirement_are_left_out_with_what_depended_on_it(self, client, draft):
        first = draft.proposal["weeks"][0]["tasks"][0]["key"]
        client.post(url_of(draft, "draft_week", 1), week_fields(draft, **{"t0.gone": "on"}))
        draft.refresh_from_db()
        kept = Proposal.model_validate(draft.proposal)
        assert first not in {task.key for _, _, task in kept.places}
        assert all(first not in task.depends_on for _, _, task in kept.places)

    @pytest.mark.parametrize(
        ("field", "typed", "says"),
        [
            ("title", " ", "Give the week a title."),
            ("title", "w" * 201, "Keep this to 200 characters; it has 201."),
            ("description", "w" * 2001, "Keep this to 2,000 characters; it has 2,001."),
            ("t0.title", "", "Give the task a title, or tick “Leave this task out”."),
            ("t0.description", "d" * 4001, "Keep this to 4,000 characters; it has 4,001."),
            ("t1.hours", "lots", "Write whole hours, from 1 to 60."),
            ("t1.hours", "61", "Write whole hours, from 1 to 60."),
            ("t0.topics", "t" * 61, "Keep each topic to 60 characters; it has 61."),
            ("t0.topics", "a, b, c, d, e, f, g, h, i", "Keep it to 8 topics."),
            ("t1.r0.title", "r" * 301, "Keep this to 300 characters; it has 301."),
            ("t1.r0.kind", "sung", "Something here cannot be kept. Choose it again."),
        ],
    )
    def test_a_fault_stands_at_its_field(self, client, draft, field, typed, says):
        sent = week_fields(draft, **{field: typed, "t0.r0.title": "Typed for an hour"})
        page = client.post(url_of(draft, "draft_week", 1), sent)
        text, html = text_of(page), page.content.decode()
        assert page.status_code == 422 and says in text and text.count("cannot be kept") <= 1
        assert "Nothing is saved yet. Look at the marked places." in text
        if not field.endswith("kind"):
            field_id = field.replace(".r0.title", ".r0").replace(".", "-")
            assert f'aria-describedby="{field_id}-fault"' in html
            assert html.count('aria-invalid="true"') == 1 and typed in html
        assert "Typed for an hour" in html
        draft.refresh_from_db()
        assert draft.version == 3

    @pytest.mark.parametrize(
        "typed",
        [
            {"description": "Typed for an hour"},
            {"topics": "interviews"},
            {"hours": "3"},
            {"r0.title": "You quote two gardeners", "r0.kind": "written"},
        ],
    )
    def test_a_new_task_without_a_title_is_not_lost(self, client, draft, typed):
        n = len(draft.proposal["weeks"][0]["tasks"])
        new = {"key": "", "title": "", "description": "", "hours": "1", "topics": "", **typed}
        sent = week_fields(draft) | {f"t{n}.{name}": value for name, value in new.items()}
        page = client.post(url_of(draft, "draft_week", 1), sent)
        html = page.content.decode()
        assert page.status_code == 422
        assert "Give the task a title, or empty its other fields." in text_of(page)
        assert f'aria-describedby="t{n}-title-fault"' in html
        assert all(value in html for value in typed.values())
        draft.refresh_from_db()
        assert draft.version == 3

    def test_a_new_task_that_is_empty_is_none(self, client, draft):
        n = len(draft.proposal["weeks"][0]["tasks"])
        sent = week_fields(draft) | {f"t{n}.title": " ", f"t{n}.hours": "1", f"t{n}.key": ""}
        page = client.post(url_of(draft, "draft_week", 1), sent, follow=True)
        assert "Nothing was different" in text_of(page)

    def test_an_emptied_requirement_leaves_by_its_tick_alone(self, client, draft):
        url = url_of(draft, "draft_week", 1)
        assert 'name="t0.r0.known"' in client.get(url).content.decode()
        sent = week_fields(draft, **{"t0.r0.title": "", "t0.r0.known": "on"})
        page = client.post(url, sent)
        assert page.status_code == 422 and "or tick “Remove”." in text_of(page)
        draft.refresh_from_db()
        before = len(draft.proposal["weeks"][0]["tasks"][0]["requirements"])
        client.post(url, sent | {"t0.r0.gone": "on"})
        draft.refresh_from_db()
        assert len(draft.proposal["weeks"][0]["tasks"][0]["requirements"]) == before - 1

    def test_faults_of_what_is_left_out_are_none(self, client, draft):
        sent = week_fields(draft, **{"t0.title": "", "t0.hours": "lots", "t0.gone": "on"})
        assert client.post(url_of(draft, "draft_week", 1), sent).status_code == 302
        draft.refresh_from_db()
        assert len(draft.proposal["weeks"][0]["tasks"]) == 1

    def test_an_outdated_form_shows_both_and_can_be_saved_then(self, client, draft):
        url = url_of(draft, "draft_week", 1)
        sent = week_fields(draft, title="Mine")
        PlanDraft.objects.update(version=7)
        page = client.post(url, sent)
        assert page.status_code == 409
        assert "changed elsewhere" in text_of(page) and "What is stored now" in text_of(page)
        assert 'value="Mine"' in page.content.decode() and 'value="7"' in page.content.decode()
        client.post(url, sent | {"version": "7"})
        draft.refresh_from_db()
        assert draft.proposal["weeks"][0]["title"] == "Mine"

    def test_accepting_makes_the_plan_once(self, client, draft, student):
        for _ in range(2):
            page = client.post(url_of(draft, "accept_draft"), follow=True)
        plan = Plan.objects.get(owner=student)
        assert page.redirect_chain[-1][0] == reverse("plans:plan", args=[plan.pk])
        assert client.get(url_of(draft)).url == reverse("plans:plan", args=[plan.pk])

    def test_what_stands_in_the_way_of_accepting_is_said(self, client, student):
        proposal = factories.make_draft(student).proposal
        proposal["weeks"][0]["tasks"] = []
        made = factories.make_draft(student, proposal=proposal)
        page = client.post(url_of(made, "accept_draft"))
        assert page.status_code == 409 and "Week 1: " in text_of(page)
        assert not Plan.objects.exists()

    def test_line_breaks_of_a_browser_change_nothing(self, client, draft):
        draft.proposal["weeks"][0]["description"] = "One\nTwo"
        draft.proposal["weeks"][0]["tasks"][0]["description"] = "Three\nFour"
        draft.save()
        sent = week_fields(draft)
        sent |= {"description": "One\r\nTwo", "t0.description": "Three\r\nFour"}
        page = client.post(url_of(draft, "draft_week", 1), sent, follow=True)
        assert "Nothing was different" in text_of(page)

    @pytest.mark.parametrize("name", ["version", "t0.hours"])
    def test_a_number_of_any_length_is_answered(self, client, draft, name):
        sent = week_fields(draft, title="Mine", **{name: "9" * 5000})
        page = client.post(url_of(draft, "draft_week", 1), sent)
        assert page.status_code in (409, 422)

    def test_a_week_that_there_is_not(self, client, draft):
        assert client.get(url_of(draft, "draft_week", 99)).status_code == 404

    def test_of_a_week_that_is_gone_nothing_typed_is_lost(self, client, draft):
        sent = week_fields(draft, title="Typed for an hour", **{"t0.description": "And for two"})
        page = client.post(url_of(draft, "draft_week", 99), sent)
        typed = page.content.decode()
        assert page.status_code == 409 and "is not in the plan any more" in text_of(page)
        for text in ("Typed for an hour", "And for two", sent["t1.title"], sent["t1.r0.title"]):
            assert text in typed
        draft.refresh_from_db()
        assert draft.version == 3

    def test_of_an_accepted_draft_nothing_typed_is_lost(self, client, student, draft):
        drafts.accept_draft(student, draft.pk)
        page = client.post(
            url_of(draft, "draft_week", 1), week_fields(draft, title="Typed for an hour")
        )
        assert page.status_code == 409 and "You accepted this plan already." in text_of(page)
        assert "Typed for an hour" in page.content.decode()


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "{{ 7 }} \u202e", '"><b>'])
def test_hostile_text_is_shown_as_text(client, draft, text):
    client.post(url_of(draft, "draft_week", 1), week_fields(draft, title=text))
    for url in (url_of(draft), url_of(draft, "draft_week", 1)):
        html = client.get(url).content.decode()
        assert "<script>alert" not in html and '"><b>' not in html
