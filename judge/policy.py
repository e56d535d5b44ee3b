"""The verdict policy: a pure function from the model's rows and the evidence to the outcome.

A row is met only when the model says so and every citation of it holds. The outcome follows from
the rows alone, whatever the model said of the whole.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from judge.answer import Answer, AnswerRow, Citation, QuoteCitation
from judge.citations import find_fault
from judge.evidence import Evidence, Row
from judge.sentences import say_decided, say_unproven


@dataclass(frozen=True, slots=True)
class StaffDecision:
    """A person's word that a row is met, at this spec version. `judged` is what the judge said in
    the run that the word is applied to."""

    id: uuid.UUID
    judged: str = ""


@dataclass(frozen=True, slots=True)
class RowVerdict:
    """A requirement as decided in code. `faults` are codes of citations that did not hold."""

    row: Row
    status: str
    note: str = ""
    evidence: tuple[dict[str, Any], ...] = ()
    faults: tuple[str, ...] = ()
    claimed_met: bool = False
    decision: StaffDecision | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """`mismatch` says that the model's `allMet` contradicts the model's own rows."""

    rows: tuple[RowVerdict, ...]
    mismatch: bool

    @property
    def outcome(self) -> str:
        return "passed" if all(row.status == "met" for row in self.rows) else "failed"

    @property
    def unproven(self) -> tuple[RowVerdict, ...]:
        """Rows that the model called met on evidence that does not hold."""
        return tuple(row for row in self.rows if row.claimed_met and row.status != "met")


def decide(answer: Answer, evidence: Evidence) -> Verdict:
    """Decide every row of the task, in the task's order."""
    said = {row.id: row for row in answer.rows}
    rows = tuple(_decide_row(row, said[row.key], evidence) for row in evidence.task.rows)
    says_met = all(row.status == "met" for row in answer.rows)
    return Verdict(rows, mismatch=answer.allMet is not says_met)


def apply_decisions(verdict: Verdict, decisions: Mapping[uuid.UUID, StaffDecision]) -> Verdict:
    """Let rows count that a person decided are met; what the judge said is kept beside it."""
    rows = tuple(
        replace(
            row,
            status="met",
            note=say_decided(),
            decision=replace(decisions[row.row.id], judged=row.status),
        )
        if row.status != "met" and row.row.id in decisions
        else row
        for row in verdict.rows
    )
    return replace(verdict, rows=rows)


def _decide_row(row: Row, said: AnswerRow, evidence: Evidence) -> RowVerdict:
    faults = [(citation, find_fault(citation, row, evidence)) for citation in said.evidence]
    held = tuple(_as_json(citation, evidence) for citation, fault in faults if not fault)
    codes = tuple(fault for _, fault in faults if fault)
    if said.status == "met" and not said.evidence:
        codes = ("no_evidence",)
    if said.status == "met" and codes:
        return RowVerdict(row, "not_shown", say_unproven(codes[0]), held, codes, claimed_met=True)
    note = said.note.strip()[:1000]
    return RowVerdict(row, said.status, note, held, codes, claimed_met=said.status == "met")


def _as_json(citation: Citation, evidence: Evidence) -> dict[str, Any]:
    if isinstance(citation, QuoteCitation):
        turn = evidence.turn(citation.turn)
        return {
            "turn": citation.turn,
            "quote": citation.quote,
            "sentAt": turn.sent_at.isoformat() if turn else None,
        }
    frame = evidence.frame(citation.frame)
    kept = {"isKept": True} if frame and frame.pinned_to else {}
    return {"frame": citation.frame, "ageSeconds": frame.age_seconds if frame else None} | kept
