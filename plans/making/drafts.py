"""The use cases of plan making, behind pages and API: ask, read, edit, try again, accept, drop."""

import datetime
import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from plans import outbox
from plans.making import steps
from plans.making.brief import Brief, make_brief
from plans.making.code_checks import find_blockers, find_faults
from plans.making.errors import (
    DraftChanged,
    DraftIncomplete,
    DraftNotReady,
    ProposalRefused,
    TooManyDrafts,
)
from plans.making.planner_prompt import name_place
from plans.making.proposal import Proposal
from plans.making.review import Review, recheck_edited
from plans.making.writing import write_plan
from plans.models import Plan, PlanDraft

MOST_DRAFTS = 5  # of one student, not yet accepted
State = PlanDraft.State
User = get_user_model()
STILL_WORKING = "This plan is still being made. Wait until it is ready."
HAS_FAILED = "There is no plan yet. Try again first."
IS_ACCEPTED = "You accepted this plan already. Go on in the plan itself."


def drafts_of(user) -> QuerySet[PlanDraft]:
    """The user's drafts that have not become a plan, newest first."""
    return PlanDraft.objects.owned_by(user).pending()


def get_draft(user, draft_id: uuid.UUID) -> PlanDraft:
    """The user's draft, accepted ones too. Raises Http404, also for somebody else's."""
    return get_object_or_404(PlanDraft.objects.owned_by(user), pk=draft_id)


def ask_for_plan(user, *, today: datetime.date | None = None, **answers: Any) -> PlanDraft:
    """Keep the brief and have a plan made of it. `answers` are those of `make_brief`. The same
    brief again, while it is being made: the same draft. Raises BriefRefused, TooManyDrafts."""
    brief = make_brief(**answers, today=today or timezone.localdate())
    with transaction.atomic():
        person = _lock_person(user)
        if (same := _find_same(person, brief)) is not None:
            return same
        if drafts_of(person).count() >= MOST_DRAFTS:
            raise TooManyDrafts(MOST_DRAFTS)
        draft = PlanDraft.objects.create(owner=person, brief=brief.as_json())
        _hand_over(draft)
    return draft


@transaction.atomic
def edit_proposal(user, draft_id: uuid.UUID, proposal: Proposal, version: int) -> PlanDraft:
    """Keep the student's version of the plan. What code finds in it is advice, not a refusal.
    Raises DraftNotReady, or DraftChanged when `version` is not the stored one, unless the plan
    that is stored is this very one."""
    draft = _lock(user, draft_id)
    _require_ready(draft)
    if draft.proposal == proposal.as_json():
        return draft
    if draft.version != version:
        raise DraftChanged
    found = find_faults(proposal, Brief.from_json(draft.brief))
    before, review = Proposal.model_validate(draft.proposal), Review.from_json(draft.review)
    draft.review = recheck_edited(review, found, before, proposal).as_json()
    draft.proposal = proposal.as_json()
    draft.version += 1
    draft.save(update_fields=("proposal", "review", "version", "updated_at"))
    return draft


@transaction.atomic
def try_again(user, draft_id: uuid.UUID) -> PlanDraft:
    """Have a failed draft made anew from the same brief; one that is being made goes on. Raises
    DraftNotReady."""
    draft = _lock(user, draft_id)
    if draft.is_working:
        return draft
    if draft.state != State.FAILED:
        raise DraftNotReady(
            IS_ACCEPTED
            if draft.state == State.ACCEPTED
            else "This plan is ready. Change it yourself, or drop it and ask for another."
        )
    # The plan begins on the day it is asked for.
    draft.brief["starts_on"] = timezone.localdate().isoformat()
    draft.state, draft.reason, draft.attempts = State.ASKED, "", 0
    draft.claim = draft.claimed_until = None
    draft.save()
    _hand_over(draft)
    return draft


@transaction.atomic
def accept_draft(user, draft_id: uuid.UUID) -> Plan:
    """Make the plan. Again: the same plan. Raises DraftNotReady, or DraftIncomplete with what is
    missing."""
    owner = _lock_person(user)
    draft = _lock(owner, draft_id)
    if draft.plan is not None:
        return draft.plan
    _require_ready(draft)
    proposal = Proposal.model_validate(draft.proposal)
    if blockers := find_blockers(proposal):
        first = blockers[0]
        raise DraftIncomplete(f"{name_place(first).capitalize()}: {first.problem}")
    draft.plan = write_plan(owner, Brief.from_json(draft.brief), proposal)
    draft.state = State.ACCEPTED
    draft.save(update_fields=("plan", "state", "updated_at"))
    return draft.plan


@transaction.atomic
def drop_draft(user, draft_id: uuid.UUID) -> None:
    """Delete a draft, also while it is being made. Raises DraftNotReady for an accepted one."""
    draft = _lock(user, draft_id)
    if draft.state == State.ACCEPTED:
        raise DraftNotReady(IS_ACCEPTED)
    draft.delete()


def read_proposal(data: Any) -> Proposal:
    """A proposal from a page's form data. Raises ProposalRefused with a sentence."""
    try:
        return Proposal.model_validate(data)
    except ValueError as error:
        raise ProposalRefused(
            "Something in the plan cannot be kept: an empty title, a text that is too long, or "
            "hours that are no whole number. Look at it again; what you typed is still there."
        ) from error


def say_not_ready(draft: PlanDraft) -> str:
    """Why a draft that is not ready is neither edited nor accepted."""
    if draft.is_working:
        return STILL_WORKING
    return HAS_FAILED if draft.state == State.FAILED else IS_ACCEPTED


def _lock_person(user):
    """The person's own row, before any other: two requests at once see each other's draft, and a
    removal sees what either of them made. Raises Http404 for somebody who was removed."""
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not person.is_active:
        raise Http404
    return person


def _find_same(person, brief: Brief) -> PlanDraft | None:
    """The draft that is being made of this very brief, numbers and all: a form sent twice."""
    return drafts_of(person).working().filter(brief=brief.as_json()).first()


def _lock(user, draft_id: uuid.UUID) -> PlanDraft:
    rows = PlanDraft.objects.owned_by(user).select_for_update(no_key=True, of=("self",))
    return get_object_or_404(rows, pk=draft_id)


def _require_ready(draft: PlanDraft) -> None:
    if draft.state != State.READY:
        raise DraftNotReady(say_not_ready(draft))


def _hand_over(draft: PlanDraft) -> None:
    """Best effort, after the commit: the sweep takes what no worker was told of."""
    transaction.on_commit(lambda: outbox.publish(steps.TASK, [str(draft.pk)]), robust=True)
