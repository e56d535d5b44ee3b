"""The plan judge: reads brief and proposal, has no tools, decides nothing.

It never sees the planner's prompt, replies or reasons. Every finding's quote is looked up in code;
anything odd leaves the plan unread, never fine.
"""

import time
from typing import Annotated, Any

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from elivio.llm import gateway
from elivio.llm.errors import LLMError
from elivio.llm.gateway import Spend
from elivio.strict_json import BadJson, read_strict_json
from plans.making.brief import Brief
from plans.making.calls import Called, NoAnswer
from plans.making.plan_judge_prompt import build_request
from plans.making.proposal import Proposal
from plans.making.review import (
    JUDGED,
    Criterion,
    Finding,
    Review,
    Standing,
    make_unread,
    quote_holds,
)

ROLE = "judge"
MOST_FINDINGS = 60  # of one criterion
NOBODY_READS = "no_judge"


class BadReview(Exception):
    """The reply is no answer to the question. `code` is for staff."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class FindingLine(_Strict):
    week: int | None
    task: int | None
    requirement: int | None
    quote: Annotated[str, Field(min_length=1, max_length=1000)]
    problem: Annotated[str, Field(min_length=1, max_length=1000)]


class CriterionLine(_Strict):
    id: str
    findings: Annotated[list[FindingLine], Field(max_length=MOST_FINDINGS)]
    holds: bool


class JudgeAnswer(_Strict):
    criteria: list[CriterionLine]


def review_proposal(brief: Brief, proposal: Proposal, *, spend: Spend) -> tuple[Review, Called]:
    """Ask once. Where plain rules stand in for models nobody reads, and the review says so.
    Raises NoAnswer. Call it outside any transaction."""
    if gateway.active_kind() == "rules":
        return make_unread("rules", NOBODY_READS), Called()
    request = build_request(brief, proposal, _answer_nothing)
    started = time.monotonic()
    try:
        reply = gateway.structured(
            ROLE, request, deadline_seconds=settings.JUDGE_DEADLINE_SECONDS, spend=spend
        )
    except LLMError as error:
        raise NoAnswer(error.code, Called.of_failure(error, started)) from error
    called = Called.of_reply(reply)
    try:
        answer = parse_review(reply.text)
    except BadReview as error:
        raise NoAnswer(error.code, called) from error
    return prove(answer, proposal, reply.kind), called


def parse_review(text: str) -> JudgeAnswer:
    """Parse a reply. Raises BadReview with the code "not_json", "doubled_key", "wrong_form",
    "wrong_criteria" (unknown, doubled or missing ones) or "contradiction" (a criterion that holds
    and has findings, or the reverse)."""
    try:
        answer = JudgeAnswer.model_validate(read_strict_json(text))
    except BadJson as error:
        raise BadReview(error.code, str(error)) from error
    except ValidationError as error:
        raise BadReview("wrong_form", str(error)) from error
    if sorted(line.id for line in answer.criteria) != sorted(JUDGED):
        raise BadReview("wrong_criteria", ", ".join(line.id for line in answer.criteria))
    for line in answer.criteria:
        if line.holds is bool(line.findings):
            raise BadReview("contradiction", line.id)
    return answer


def prove(answer: JudgeAnswer, proposal: Proposal, judge_kind: str) -> Review:
    """Keep the findings whose quote stands in the named place. A criterion all of whose findings
    fell is unproven: neither found nor held."""
    kept: list[Finding] = []
    standings: dict[Criterion, Standing] = {}
    dropped = 0
    for line in answer.criteria:
        criterion = Criterion(line.id)
        named = [_to_finding(criterion, found) for found in line.findings]
        proven = [finding for finding in named if quote_holds(finding, proposal)]
        dropped += len(named) - len(proven)
        kept += proven
        standings[criterion] = _stand(named, proven)
    is_unproven = Standing.UNPROVEN in standings.values()
    reason = "quotes_do_not_hold" if is_unproven else ""
    return Review(tuple(kept), standings, judge_kind, dropped=dropped, reason=reason)


def _stand(named: list[Finding], proven: list[Finding]) -> Standing:
    if not named:
        return Standing.HELD
    return Standing.FOUND if proven else Standing.UNPROVEN


def _to_finding(criterion: Criterion, line: FindingLine) -> Finding:
    return Finding(
        criterion, line.problem, line.week, line.task, line.requirement, quote=line.quote
    )


def _answer_nothing() -> dict[str, Any]:
    """No plain rules judge a plan; this answer is refused by the parser."""
    return {"criteria": []}
