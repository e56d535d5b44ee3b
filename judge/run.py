"""One judge run: at most two model calls within one deadline, then code decides.

Takes evidence as plain values, has no tools and completes nothing. Anything odd is UNDECIDED.
"""

import dataclasses
import datetime
import logging
import time
import uuid

from django.conf import settings
from django.utils import timezone

from elivio.llm import gateway
from elivio.llm.errors import LLMError
from elivio.llm.gateway import Spend
from elivio.llm.messages import StructuredRequest, Text
from judge import prompt
from judge.answer import BadAnswer, parse_answer
from judge.audit import read_clock, record_check
from judge.card import has_passed
from judge.changes import describe_changes, mark_changes, read_run_before
from judge.decisions import read_decisions
from judge.evidence import Evidence, Task, is_unchanged, read_task
from judge.models import CheckRun
from judge.policy import Verdict, apply_decisions, decide
from judge.result import CheckResult, ModelCalls, ResultRow
from judge.rules import answer_by_rules
from judge.sentences import say_failed, say_omitted, say_passed, say_undecided
from plans.models import Purpose
from plans.spending import Payer, release_tap

logger = logging.getLogger(__name__)
LEAST_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 5.0
# No judge was asked at all.
NOT_LOOKED_AT = {"no_requirements", "no_model", "budget_spent", "switched_off"}


class Undecided(Exception):
    """The run came to no verdict. `reason` is the code for staff."""

    def __init__(self, reason: str, *, may_retry: bool = False, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.may_retry = may_retry
        self.wait = wait


def run_judge(
    evidence: Evidence,
    *,
    trigger: str,
    student_id: int,
    session_id: uuid.UUID | None = None,
) -> CheckResult:
    """Judge the evidence and record the run. Call it outside any transaction; it gives the
    database connection back while the model thinks. Never raises for what a model does."""
    calls, started_at = ModelCalls(evidence), read_clock()
    is_tap = trigger == CheckRun.Trigger.TAP
    task = evidence.task
    payer = Payer(student_id, Purpose.CHECK, task.action_id, is_tap, task.spec_version)
    try:
        verdict = judge_evidence(evidence, calls, payer.spend)
        if not is_unchanged(evidence.task):
            raise Undecided("spec_changed")
        verdict = apply_decisions(verdict, read_decisions(evidence.task))
        before = read_run_before(evidence.task, started_at)
        result = _make_result(evidence.task, verdict, before, started_at)
        if is_tap and before and result.outcome != "passed":
            result = _tell_changes(result, verdict, before, evidence)
    except Undecided as undecided:
        if undecided.reason == "spec_changed":
            task = read_task(task.action_id)
        result = make_undecided(task, undecided.reason, started_at)
    result = record_check(
        _add_notices(result, evidence),
        calls,
        trigger=trigger,
        student_id=student_id,
        session_id=session_id,
    )
    _settle_hold(payer, result)
    return result


def judge_evidence(evidence: Evidence, calls: ModelCalls, spend: Spend) -> Verdict:
    """Ask the model, at most twice, each time counted by `spend`. Raises Undecided."""
    if not evidence.task.rows:
        raise Undecided("no_requirements")
    ends_at = time.monotonic() + settings.JUDGE_DEADLINE_SECONDS
    request = prompt.build_request(evidence, lambda: answer_by_rules(evidence))
    calls.request = request
    try:
        verdict = _ask(request, evidence, calls, ends_at, spend)
    except Undecided as first:
        if not first.may_retry or ends_at - time.monotonic() < first.wait + LEAST_SECONDS:
            raise
        time.sleep(first.wait)
        return _ask(request, evidence, calls, ends_at, spend)
    if verdict.unproven and ends_at - time.monotonic() > LEAST_SECONDS:
        return _ask_again(request, verdict, evidence, calls, ends_at, spend)
    return verdict


def _settle_hold(payer: Payer, result: CheckResult) -> None:
    """What was held back for a tap stays held where a tap can follow: when the last check that was
    decided passed, be it this one or another."""
    is_passed = result.outcome == CheckRun.Outcome.PASSED
    if result.id is not None:
        is_passed = has_passed(result.task.action_id, result.task.spec_version)
    if not is_passed:
        release_tap(payer.student_id, result.task.action_id)
    elif payer.is_tap and result.outcome == CheckRun.Outcome.UNDECIDED:
        payer.hold_again()


def make_undecided(task: Task, reason: str, started_at: datetime.datetime) -> CheckResult:
    return CheckResult(
        task=task,
        outcome="undecided",
        reason=reason,
        rows=tuple(ResultRow(row, "undecided") for row in task.rows),
        summary=say_undecided(reason),
        judge_kind=gateway.active_kind(),
        started_at=started_at,
        created_at=timezone.now(),
    )


def _ask(
    request: StructuredRequest,
    evidence: Evidence,
    calls: ModelCalls,
    ends_at: float,
    spend: Spend,
) -> Verdict:
    started = time.monotonic()
    try:
        reply = gateway.structured(
            "judge", request, deadline_seconds=ends_at - started, spend=spend
        )
    except LLMError as error:
        spent = gateway.milliseconds_since(started)
        if gateway.active_kind() == "gemini":
            calls.model = calls.model or settings.MODELS["judge"]["name"]
        calls.add_failure(error.code, error.sentence, error.raw, error.usage, spent)
        wait = error.retry_after or 0.0
        may_retry = error.retryable and wait <= LONGEST_WAIT_SECONDS
        raise Undecided(error.code, may_retry=may_retry, wait=wait) from error
    try:
        answer = parse_answer(reply.text, evidence.task)
    except BadAnswer as error:
        calls.add_reply(reply, error.code)
        raise Undecided(error.code, may_retry=True) from error
    calls.add_reply(reply, "")
    return decide(answer, evidence)


def _ask_again(
    request: StructuredRequest,
    first: Verdict,
    evidence: Evidence,
    calls: ModelCalls,
    ends_at: float,
    spend: Spend,
) -> Verdict:
    """Name the citations that did not hold and ask once more. If that fails the first verdict
    stands, in which those rows are not met."""
    lines = [f"{row.row.key}: {', '.join(row.faults)}" for row in first.unproven]
    text = (
        "In your answer before this one, citations of these rows did not hold:\n"
        + "\n".join(lines)
        + "\nAnswer again in full. Copy quotes exactly from a student turn and give its number, "
        "or change the status."
    )
    again = dataclasses.replace(request, parts=(*request.parts, Text(text)))
    calls.request = again
    try:
        return _ask(again, evidence, calls, ends_at, spend)
    except Undecided as undecided:
        logger.info("Asking the judge again did not help: %s", undecided.reason)
        return first


def _make_result(
    task: Task, verdict: Verdict, before: CheckRun | None, started_at: datetime.datetime
) -> CheckResult:
    rows = tuple(
        ResultRow(row.row, row.status, row.note, row.evidence, row.faults, row.decision)
        for row in verdict.rows
    )
    unmet = {str(row.row.id) for row in rows if row.status != "met"}
    is_stuck = bool(unmet) and before is not None and unmet == _unmet_in(before)
    return CheckResult(
        task=task,
        outcome=verdict.outcome,
        rows=rows,
        summary=say_failed(len(unmet), len(rows), is_stuck=is_stuck) if unmet else say_passed(),
        judge_kind=gateway.active_kind(),
        started_at=started_at,
        created_at=timezone.now(),
        is_stuck=is_stuck,
        mismatch=verdict.mismatch,
    )


def _add_notices(result: CheckResult, evidence: Evidence) -> CheckResult:
    """What there is to say of the evidence, where somebody has looked at it."""
    if result.reason in NOT_LOOKED_AT:
        return result
    notices = list(evidence.notices)
    if result.outcome != "passed":
        notices += evidence.hints
    if evidence.omitted and result.outcome != "passed":
        first = next((turn for turn in evidence.turns if not turn.is_pinned), None)
        text, by_student = (first.text, first.role == "student") if first else ("", False)
        notices.append(say_omitted(evidence.omitted, text, by_student=by_student))
    return dataclasses.replace(result, summary=" ".join([result.summary, *notices]))


def _tell_changes(
    result: CheckResult, verdict: Verdict, before: CheckRun, evidence: Evidence
) -> CheckResult:
    rows = mark_changes(result.rows, before)
    lines = describe_changes(rows, verdict.rows, before, evidence)
    return dataclasses.replace(result, rows=rows, summary="\n".join([result.summary, *lines]))


def _unmet_in(run: CheckRun) -> set[str]:
    """Ids of the rows that were not met; none in a run that passed."""
    return {row["id"] for row in run.checklist if row["status"] != "met"}
