"""The making of a plan, one step at a time: propose, review, repair twice at most.

A step is claimed, asks one model at most, outside any transaction, and saves what came of it only
while it still holds the claim. A worker that dies leaves its claim to run out, and the sweep takes
the draft up again where it stood. At most three proposals and three reviews for each request.
"""

import datetime
import logging
import time
import uuid
from collections.abc import Callable
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from plans import outbox
from plans.making import plan_judge, planner
from plans.making.brief import Brief
from plans.making.calls import Called, NoAnswer
from plans.making.code_checks import find_faults
from plans.making.proposal import Proposal
from plans.making.review import Finding, Review, add_code_findings, make_unread
from plans.models.draft import PlanDraft
from plans.models.spending import Purpose
from plans.spending import Payer

TASK = "elivio.advance_plan_draft"
State = PlanDraft.State
MOST_ROUNDS = 2
# Longer than any deadline that elivio/checks.py lets pass, and a claim is for one call.
CLAIM = datetime.timedelta(minutes=3)
MOST_ATTEMPTS = 3
SWEEP_SECONDS = 60.0
logger = logging.getLogger(__name__)


def advance(draft_id: uuid.UUID) -> bool:
    """Take the draft one step further, unless somebody else holds it or nothing is to be done.
    Returns whether a step was finished and another is to follow."""
    draft = _claim(draft_id)
    if draft is None:
        return False
    if draft.attempts > MOST_ATTEMPTS:
        _give_up(draft)
        return False
    try:
        return STEPS[draft.state](draft)
    except Exception:
        # A fault of ours: the claim runs out, and the sweep tries again a few times.
        logger.exception("A step of plan draft %s failed", draft.pk)
        return False


def advance_and_go_on(draft_id: uuid.UUID) -> None:
    """One step, then hand the next one to the worker."""
    if advance(draft_id):
        outbox.publish(TASK, [str(draft_id)])


def sweep_drafts(limit: int = 50) -> int:
    """Go on with drafts that nobody holds, oldest first, for about SWEEP_SECONDS: lost messages
    and killed workers. Returns how many steps were finished."""
    ends_at = time.monotonic() + SWEEP_SECONDS
    open_ids = PlanDraft.objects.filter(_claimable()).order_by("created_at")
    done = 0
    for draft_id in list(open_ids.values_list("pk", flat=True)[:limit]):
        while time.monotonic() < ends_at and advance(draft_id):
            done += 1
    return done


def _claimable() -> Q:
    free = Q(claimed_until=None) | Q(claimed_until__lt=timezone.now())
    return Q(state__in=PlanDraft.WORKING) & free


def _claim(draft_id: uuid.UUID) -> PlanDraft | None:
    """One UPDATE takes the draft or does not: two workers never hold it together."""
    claim, now = uuid.uuid4(), timezone.now()
    PlanDraft.objects.filter(_claimable(), pk=draft_id).update(
        claim=claim, claimed_until=now + CLAIM, attempts=F("attempts") + 1, updated_at=now
    )
    draft = PlanDraft.objects.filter(pk=draft_id, claim=claim).first()
    if draft and draft.state == State.ASKED:
        PlanDraft.objects.filter(pk=draft_id, claim=claim).update(state=State.PROPOSING)
        draft.state = State.PROPOSING
    return draft


def _save(draft: PlanDraft, called: Called, **values: Any) -> bool:
    """Save a finished step and let go of the draft. Returns whether another step follows; False
    also when the claim was lost, the draft dropped, or its owner removed meanwhile."""
    costs = {
        "model_calls": F("model_calls") + 1,
        "prompt_tokens": F("prompt_tokens") + called.prompt_tokens,
        "output_tokens": F("output_tokens") + called.output_tokens,
        "milliseconds": F("milliseconds") + called.milliseconds,
    }
    free = {"claim": None, "claimed_until": None, "attempts": 0, "updated_at": timezone.now()}
    mine = PlanDraft.objects.filter(pk=draft.pk, claim=draft.claim, state=draft.state)
    saved = mine.update(**costs, **free, **values)
    return bool(saved) and values.get("state", draft.state) in PlanDraft.WORKING


def _give_up(draft: PlanDraft) -> None:
    """Something ends every worker that takes this draft. With a proposal there is still a plan."""
    logger.error("Plan draft %s was given up after %d attempts", draft.pk, MOST_ATTEMPTS)
    values: dict[str, Any] = {"state": State.FAILED, "reason": "interrupted"}
    if draft.proposal is not None:
        values["state"] = State.READY
        if draft.review is None or draft.state == State.REVIEWING:
            values["review"] = _review_by_code(draft, "interrupted").as_json()
            values["reason"] = ""
    _save(draft, Called(), **values)


def _propose(draft: PlanDraft) -> bool:
    try:
        proposal, called = planner.propose(Brief.from_json(draft.brief), spend=_payer(draft).spend)
    except NoAnswer as failure:
        logger.warning("Plan draft %s has no proposal: %s", draft.pk, failure.reason)
        return _save(draft, failure.called, state=State.FAILED, reason=failure.reason)
    return _save(
        draft,
        called,
        state=State.REVIEWING,
        proposal=proposal.as_json(),
        version=F("version") + 1,
        made_by=called.kind,
        model=called.model[:100],
    )


def _review(draft: PlanDraft) -> bool:
    brief, proposal = Brief.from_json(draft.brief), Proposal.model_validate(draft.proposal)
    try:
        judged, called = plan_judge.review_proposal(brief, proposal, spend=_payer(draft).spend)
    except NoAnswer as failure:
        logger.warning("Plan draft %s was not reviewed: %s", draft.pk, failure.reason)
        judged, called = make_unread("gemini", failure.reason), failure.called
    review = add_code_findings(find_faults(proposal, brief), judged)
    is_over = not review.findings or draft.round >= MOST_ROUNDS
    state = State.READY if is_over else State.REPAIRING
    return _save(draft, called, state=state, review=review.as_json())


def _repair(draft: PlanDraft) -> bool:
    """Ask for a better proposal. When none comes, the last one and its findings stand."""
    brief, last = Brief.from_json(draft.brief), Proposal.model_validate(draft.proposal)
    findings = [Finding.from_json(one) for one in draft.review["findings"]]
    try:
        proposal, called = planner.propose(
            brief, last=last, findings=findings, spend=_payer(draft).spend
        )
    except NoAnswer as failure:
        logger.warning("Plan draft %s was not repaired: %s", draft.pk, failure.reason)
        return _save(draft, failure.called, state=State.READY, reason=failure.reason)
    if proposal == last:
        return _save(draft, called, state=State.READY, round=draft.round + 1)
    return _save(
        draft,
        called,
        state=State.REVIEWING,
        proposal=proposal.as_json(),
        version=F("version") + 1,
        round=draft.round + 1,
    )


def _payer(draft: PlanDraft) -> Payer:
    return Payer(draft.owner_id, Purpose.PLANNING)


def _review_by_code(draft: PlanDraft, reason: str) -> Review:
    brief, proposal = Brief.from_json(draft.brief), Proposal.model_validate(draft.proposal)
    return add_code_findings(find_faults(proposal, brief), make_unread(draft.made_by, reason))


STEPS: dict[str, Callable[[PlanDraft], bool]] = {
    State.PROPOSING: _propose,
    State.REVIEWING: _review,
    State.REPAIRING: _repair,
}
