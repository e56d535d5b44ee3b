"""The use cases around a draft: asking, editing, accepting, dropping; and what they write."""

import threading

import pytest
from django.db import connection
from django.http import Http404

from plans.making import drafts
from plans.making.errors import (
    BriefRefused,
    DraftChanged,
    DraftIncomplete,
    DraftNotReady,
    ProposalRefused,
    TooManyDrafts,
)
from plans.making.review import JUDGED, Criterion, Finding, Review, Standing
from plans.making.sentences import say_state
from plans.models import Action, Plan, PlanDraft, Requirement, Week
from plans.queries import get_plan
from tests import factories
from tests.plans.making.proposals import (
    ANSWERS,
    change,
    make_brief,
    make_data,
    make_proposal,
    plant_three_faults,
)

pytestmark = pytest.mark.django_db
State = PlanDraft.State


@pytest.fixture
def student():
    return factories.make_student()


@pytest.fixture
def draft(student):
    return factories.make_draft(student, brief=make_brief().as_json(), proposal=make_data())


def test_asking_keeps_the_brief_as_it_was_given(student):
    draft = drafts.ask_for_plan(student, **ANSWERS)
    assert drafts.get_draft(student, draft.pk).brief["description"] == ANSWERS["description"]
    assert (draft.state, draft.proposal) == (State.ASKED, None)
    assert list(drafts.drafts_of(student)) == [draft]


def test_a_brief_that_cannot_be_taken_leaves_no_draft(student):
    with pytest.raises(BriefRefused):
        drafts.ask_for_plan(student, **{**ANSWERS, "weeks": 0})
    assert not PlanDraft.objects.exists()


def test_at_most_five_that_are_not_accepted(student, draft):
    def ask(weeks):
        return drafts.ask_for_plan(student, **{**ANSWERS, "weeks": weeks})

    asked = [ask(weeks) for weeks in (1, 2, 3, 4)]
    with pytest.raises(TooManyDrafts):
        ask(5)
    assert ask(4) == asked[-1], "a form sent twice is no sixth"
    drafts.ask_for_plan(factories.make_student(), **ANSWERS)
    drafts.drop_draft(student, asked[-1].pk)
    ask(5)
    drafts.accept_draft(student, draft.pk)
    ask(6)


@pytest.mark.parametrize(
    "other",
    [
        {"description": ANSWERS["description"] + " And a map."},
        {"hours_per_week": 7},
        {"weeks": 3},
        {"level": "some"},
        {"target_date": "2999-01-01"},
    ],
)
def test_another_brief_is_another_draft(student, other):
    first = drafts.ask_for_plan(student, **ANSWERS)
    second = drafts.ask_for_plan(student, **{**ANSWERS, **other})
    assert first != second and first.brief != second.brief
    assert drafts.ask_for_plan(student, **ANSWERS) == first


def test_the_same_brief_is_made_anew_once_the_first_is_over(student):
    first = drafts.ask_for_plan(student, **ANSWERS)
    PlanDraft.objects.update(state=State.FAILED, reason="timeout")
    assert drafts.ask_for_plan(student, **ANSWERS) != first


def test_an_edit_is_kept_and_what_code_finds_is_advice(student, draft):
    edited = make_proposal(plant_three_faults())
    made = drafts.edit_proposal(student, draft.pk, edited, version=3)
    assert (made.version, made.proposal) == (4, plant_three_faults())
    assert {one["criterion"] for one in made.review["findings"]} == {
        "checkable",
        "platform",
        "load",
    }
    assert made.review["is_edited"] is True


def test_an_edit_takes_the_judges_findings_along_while_their_words_stand(student, draft):
    found = (
        Finding(Criterion.SHOW, "Nothing to show.", 2, 1, None, quote="Build the form"),
        Finding(Criterion.SHOW, "Nothing to show.", 1, 1, None, quote="List the items"),
    )
    draft.review = Review(found, dict.fromkeys(JUDGED, Standing.HELD), "gemini").as_json()
    draft.save()
    edited = make_proposal(change(make_data(), "weeks.0.tasks.0.title", "Count the items"))
    made = drafts.edit_proposal(student, draft.pk, edited, version=3)
    assert [one["quote"] for one in made.review["findings"]] == ["Build the form"]


HOURS = "weeks.0.tasks.0.hours"
TITLE = "weeks.0.tasks.0.title"


@pytest.mark.parametrize(
    ("finding", "path", "value", "is_before"),
    [
        (Finding(Criterion.LOAD, "Much.", 1, quote="List the items"), HOURS, 1, True),
        (Finding(Criterion.LOAD, "Much.", 1, 1, quote="List the items"), HOURS, 1, True),
        (Finding(Criterion.LOAD, "Much.", 1, 2, quote="Ask two"), HOURS, 1, False),
        (Finding(Criterion.SHOW, "Vague.", 2, 1, 1, quote="The form"), HOURS, 1, False),
        (Finding(Criterion.SHOW, "Vague.", 1, 1, 1, quote="ten items"), TITLE, "Count", True),
        (Finding(Criterion.BUILDS, "Alone.", 2, 1, quote="Build the form"), TITLE, "Count", True),
        (Finding(Criterion.SHOW, "Vague.", quote="Build the form"), TITLE, "Count", True),
        (Finding(Criterion.SHOW, "Vague.", 1, quote="Ask two"), "title", "Another", False),
    ],
)
def test_a_finding_says_when_what_it_is_about_was_changed(
    student, draft, finding, path, value, is_before
):
    """Nobody has read whether it still holds, so it is neither dropped nor left as it was."""
    draft.review = Review((finding,), dict.fromkeys(JUDGED, Standing.HELD), "gemini").as_json()
    draft.save()
    changed = change(make_data(), path, value)
    made = drafts.edit_proposal(student, draft.pk, make_proposal(changed), version=3)
    assert [one["is_before"] for one in made.review["findings"]] == [is_before]
    says = "1 point is about the plan before your change." in say_state(made)
    assert says is is_before
    assert ("The review left 1 point open." in say_state(made)) is not is_before
    # A later edit of something else does not take it back.
    again = make_proposal(change(changed, "goal", "Another goal."))
    made = drafts.edit_proposal(student, draft.pk, again, version=4)
    marks = [one["is_before"] for one in made.review["findings"]]
    assert marks == [is_before] or finding.week is None


def test_a_review_stored_without_the_mark_is_read(student, draft):
    data = Finding(Criterion.LOAD, "Much.", 1, quote="List").as_json()
    del data["is_before"]
    assert Finding.from_json(data).is_before is False


def test_two_tabs_do_not_overwrite_each_other(student, draft):
    first = make_proposal(change(make_data(), "title", "From the first tab"))
    second = make_proposal(change(make_data(), "title", "From the second tab"))
    drafts.edit_proposal(student, draft.pk, first, version=3)
    with pytest.raises(DraftChanged):
        drafts.edit_proposal(student, draft.pk, second, version=3)
    assert drafts.get_draft(student, draft.pk).proposal["title"] == "From the first tab"


def test_nothing_changed_is_no_new_version(student, draft):
    assert drafts.edit_proposal(student, draft.pk, make_proposal(), version=3).version == 3


@pytest.mark.parametrize("state", [State.ASKED, State.PROPOSING, State.REVIEWING, State.FAILED])
def test_what_is_not_ready_is_neither_edited_nor_accepted(student, draft, state):
    PlanDraft.objects.update(state=state)
    with pytest.raises(DraftNotReady):
        drafts.edit_proposal(student, draft.pk, make_proposal(), version=3)
    with pytest.raises(DraftNotReady):
        drafts.accept_draft(student, draft.pk)
    assert not Plan.objects.exists()


def test_a_form_that_cannot_be_kept_is_refused_with_a_sentence():
    with pytest.raises(ProposalRefused, match="still there"):
        drafts.read_proposal(change(make_data(), "title", ""))
    assert drafts.read_proposal(make_data()) == make_proposal()


def test_accepting_writes_the_plan_as_it_stood(student, draft):
    made = drafts.accept_draft(student, draft.pk)
    plan = get_plan(student, made.pk)
    assert (plan.title, plan.goal, plan.hours_per_week) == (
        "A sign-out sheet",
        "Nothing gets lost.",
        6,
    )
    assert [(week.number, week.title) for week in plan.weeks.all()] == [
        (1, "Know what there is"),
        (2, "The form"),
    ]
    first, second, third = Action.objects.order_by("week__number", "position")
    assert (second.title, second.hours, second.topics) == ("Ask two members", 3, ["forms"])
    assert third.depends_on == [str(first.pk)]
    row = third.requirements.get()
    assert (row.title, row.evidence_kind, row.origin) == (
        "The form is called “Borrow an item”",
        "shown",
        "plan",
    )
    draft.refresh_from_db()
    assert (draft.state, draft.plan) == (State.ACCEPTED, made)
    assert not drafts.drafts_of(student).exists()


def test_accepting_again_gives_the_same_plan(student, draft):
    assert drafts.accept_draft(student, draft.pk) == drafts.accept_draft(student, draft.pk)
    assert Plan.objects.count() == 1
    with pytest.raises(DraftNotReady):
        drafts.drop_draft(student, draft.pk)
    with pytest.raises(DraftNotReady):
        drafts.try_again(student, draft.pk)
    with pytest.raises(DraftNotReady):
        drafts.edit_proposal(student, draft.pk, make_proposal(), version=3)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("weeks.1.tasks", [], "Week 2: This week has no task."),
        ("weeks.0.tasks.1.requirements", [], "Week 1, task 2: This task has no requirement"),
        ("weeks.0.tasks.0.dependsOn", ["t3"], "Week 1, task 1: It builds on “t3”"),
        ("weeks.0.tasks.1.key", "t1", "Week 1, task 2: The key “t1” stands for two tasks."),
    ],
)
def test_a_plan_that_lacks_something_is_not_accepted(student, draft, path, value, says):
    PlanDraft.objects.update(proposal=change(make_data(), path, value))
    with pytest.raises(DraftIncomplete) as caught:
        drafts.accept_draft(student, draft.pk)
    assert str(caught.value).startswith(says)
    assert not Plan.objects.exists() and not Week.objects.exists()


def test_new_columns_of_an_action_raise_no_spec_version(student, draft):
    drafts.accept_draft(student, draft.pk)
    action = Action.objects.earliest("week__number", "position")
    Action.objects.filter(pk=action.pk).update(hours=9, topics=["x"], depends_on=["y"])
    assert Action.objects.get(pk=action.pk).spec_version == action.spec_version
    # The control: the text does.
    Action.objects.filter(pk=action.pk).update(title="Another")
    assert Action.objects.get(pk=action.pk).spec_version == action.spec_version + 1


def test_anothers_draft_is_a_missing_one(draft):
    other = factories.make_student()
    for use in (drafts.get_draft, drafts.try_again, drafts.accept_draft, drafts.drop_draft):
        with pytest.raises(Http404):
            use(other, draft.pk)
    with pytest.raises(Http404):
        drafts.edit_proposal(other, draft.pk, make_proposal(), version=3)


def test_trying_again_begins_on_the_day_it_is_asked_for(student, draft):
    PlanDraft.objects.update(state=State.FAILED, reason="timeout", attempts=2, proposal=None)
    made = drafts.try_again(student, draft.pk)
    assert (made.state, made.reason, made.attempts) == (State.ASKED, "", 0)
    assert made.brief["starts_on"] != make_brief().as_json()["starts_on"]
    assert drafts.try_again(student, draft.pk).state == State.ASKED, "again: it goes on"


def accept_together(student, draft, accept, number=8):
    start, plans, failures = threading.Barrier(number), [], []

    def work():
        try:
            start.wait()
            plans.append(accept(student, draft.pk).pk)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return plans, failures


@pytest.mark.django_db(transaction=True)
def test_eight_accepts_at_once_make_one_plan(student, draft):
    plans, failures = accept_together(student, draft, drafts.accept_draft)
    assert failures == []
    assert len(plans) == 8 and len(set(plans)) == 1
    assert (Plan.objects.count(), Action.objects.count(), Requirement.objects.count()) == (1, 3, 3)


@pytest.mark.django_db(transaction=True)
def test_control_without_the_lock_there_would_be_more(student, draft, monkeypatch):
    """Everybody reads the draft before anybody writes, and nobody holds the person's row."""
    read = threading.Barrier(8)

    def read_together(user, draft_id):
        found = drafts.get_draft(user, draft_id)
        read.wait(20)
        return found

    monkeypatch.setattr(drafts, "_lock", read_together)
    monkeypatch.setattr(drafts, "_lock_person", lambda user: user)
    plans, failures = accept_together(student, draft, drafts.accept_draft)
    assert failures == []
    assert len(set(plans)) == 8 and Plan.objects.count() == 8
