"""One call of the planner: a brief in, a proposal out. It decides nothing and saves nothing."""

import time
from collections.abc import Sequence

from django.conf import settings

from elivio.llm import gateway
from elivio.llm.errors import LLMError
from elivio.llm.gateway import Spend
from plans.making.brief import Brief
from plans.making.calls import Called, NoAnswer
from plans.making.offline_planner import propose_by_rules
from plans.making.planner_prompt import build_request
from plans.making.proposal import BadProposal, Proposal, parse_proposal
from plans.making.review import Finding

ROLE = "planner"


def propose(
    brief: Brief,
    *,
    spend: Spend,
    last: Proposal | None = None,
    findings: Sequence[Finding] = (),
) -> tuple[Proposal, Called]:
    """Ask once, for a first proposal or for a repair of the last one. Raises NoAnswer. Call it
    outside any transaction."""
    request = build_request(brief, lambda: propose_by_rules(brief), last=last, findings=findings)
    started = time.monotonic()
    try:
        reply = gateway.structured(
            ROLE, request, deadline_seconds=settings.PLANNER_DEADLINE_SECONDS, spend=spend
        )
    except LLMError as error:
        raise NoAnswer(error.code, Called.of_failure(error, started)) from error
    called = Called.of_reply(reply)
    try:
        return parse_proposal(reply.text), called
    except BadProposal as error:
        raise NoAnswer(error.code, called) from error
