"""Runs labelled plans through the review of the product: code checks and plan judge. Saves nothing.

With plain rules in place of models it is the code checks alone, and what only a judge can read
counts as undecided.
"""

from dataclasses import dataclass

from elivio.llm import gateway
from judge.evaluation.plans.cases import Fault, PlanCase
from plans.making.calls import NoAnswer
from plans.making.code_checks import find_faults
from plans.making.plan_judge import review_proposal
from plans.making.review import (
    Criterion,
    Finding,
    Review,
    Standing,
    add_code_findings,
    make_unread,
)
from plans.spending import spend_nothing


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A case with the review of it, and what the one model call cost."""

    case: PlanCase
    review: Review
    prompt_tokens: int
    output_tokens: int
    milliseconds: int

    def said(self, criterion: Criterion) -> bool | None:
        """Whether the review names a fault of this criterion; None when nobody decided."""
        if any(finding.criterion == criterion for finding in self.review.findings):
            return True
        return False if self.review.standings[criterion] == Standing.HELD else None

    def names(self, fault: Fault) -> bool:
        """Whether a finding names the fault in its place."""
        return any(_is_same(finding, fault) for finding in self.review.findings)


def run_plan_case(case: PlanCase) -> Reviewed:
    try:
        judged, called = review_proposal(case.brief, case.proposal, spend=spend_nothing)
    except NoAnswer as failure:
        judged, called = make_unread(gateway.active_kind(), failure.reason), failure.called
    review = add_code_findings(find_faults(case.proposal, case.brief), judged)
    return Reviewed(case, review, called.prompt_tokens, called.output_tokens, called.milliseconds)


def _is_same(finding: Finding, fault: Fault) -> bool:
    """The same criterion in the same week; and the same task, where both name one."""
    if (finding.criterion, finding.week) != (fault.criterion, fault.week):
        return False
    return None in (finding.task, fault.task) or finding.task == fault.task
