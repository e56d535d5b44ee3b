"""Runs cases through the judge of the product, several at a time. Writes no CheckRun."""

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TypeVar

from judge.evaluation.case_evidence import make_evidence
from judge.evaluation.cases import Case, write_case
from judge.evaluation.results import Judged, JudgedRow
from judge.evidence import Evidence
from judge.policy import Verdict
from judge.result import ModelCalls
from judge.run import Undecided, judge_evidence
from plans.spending import spend_nothing

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Planned:
    """A run that is to be made: the case, and its how manieth run it is."""

    case: Case
    digest: str
    run: int

    @property
    def key(self) -> tuple[str, str, str, int]:
        return self.case.file, self.case.id, self.digest, self.run


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one judge run: a verdict, or the reason why there is none."""

    verdict: Verdict | None
    reason: str
    calls: ModelCalls
    milliseconds: int


def plan_runs(cases: Iterable[Case], repeat: int) -> list[Planned]:
    """Every case `repeat` times, and a case of a student who is done twice at least, as a check
    and a tap are two runs. Attacked cases say nothing of that."""
    planned = []
    for case in cases:
        digest = hashlib.sha256(write_case(case).encode()).hexdigest()[:16]
        runs = max(repeat, 2 if case.all_met_label and not case.attack else 1)
        planned += [Planned(case, digest, run) for run in range(1, runs + 1)]
    return planned


def sort_out(
    known: Iterable[Judged], planned: Sequence[Planned]
) -> tuple[list[Judged], list[Judged]]:
    """Of the results that are there, those of planned runs, in the order of the plan, and those of
    other cases. What was said of a case that has changed since is neither."""
    found = {each.key: each for each in known}
    kept = [found.pop(each.key) for each in planned if each.key in found]
    digests = {(each.case.file, each.case.id): each.digest for each in planned}
    others = [
        each
        for each in found.values()
        if digests.get((each.file, each.id), each.digest) == each.digest
    ]
    return kept, others


def run_together(
    work: Callable[[Item], Result], items: Sequence[Item], concurrency: int
) -> list[Result]:
    """The results of `work` in the order of the items, `concurrency` at a time. An interrupt waits
    for what is under way and begins nothing more; so does an exception, which is raised."""
    with ThreadPoolExecutor(concurrency, thread_name_prefix="judge-eval") as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            for future in as_completed(futures):
                future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return [future.result() for future in futures]


def ask_judge(evidence: Evidence) -> Answer:
    """One judge run as the product makes it, without its database rows."""
    calls, started = ModelCalls(), time.monotonic()
    verdict, reason = None, ""
    try:
        verdict = judge_evidence(evidence, calls, spend_nothing)
    except Undecided as undecided:
        reason = undecided.reason
    return Answer(verdict, reason, calls, round((time.monotonic() - started) * 1000))


def run_case(planned: Planned) -> Judged:
    case, answer = planned.case, ask_judge(make_evidence(planned.case))
    verdict, calls = answer.verdict, answer.calls
    if verdict:
        rows = tuple(JudgedRow(row.status, row.note, row.faults) for row in verdict.rows)
    else:
        rows = tuple(JudgedRow("undecided") for _ in case.requirements)
    return Judged(
        file=case.file,
        id=case.id,
        digest=planned.digest,
        run=planned.run,
        outcome=verdict.outcome if verdict else "undecided",
        reason=answer.reason,
        rows=rows,
        calls=len(calls.replies),
        prompt_tokens=calls.prompt_tokens,
        cached_tokens=calls.cached_tokens,
        output_tokens=calls.output_tokens,
        milliseconds=answer.milliseconds,
    )
