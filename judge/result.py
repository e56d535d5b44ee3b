"""The result of one judge run, and what its model calls cost. Plain values, no database."""

import datetime
import uuid
from dataclasses import dataclass, field
from typing import Any

from elivio.llm.messages import StructuredReply, StructuredRequest, Usage
from elivio.text import clean_text
from judge import prompt
from judge.evidence import Evidence, Row, Task
from judge.policy import StaffDecision
from plans.passed_check import CheckedRow, PassedCheck


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A requirement with its status (met, not_met, not_shown or undecided). `was` is its status in
    the check before, where a tap has made of met something else, or the reverse."""

    row: Row
    status: str
    note: str = ""
    evidence: tuple[dict[str, Any], ...] = ()
    faults: tuple[str, ...] = ()
    decision: StaffDecision | None = None
    was: str = ""

    def as_json(self) -> dict[str, Any]:
        changed = {"was": self.was} if self.was else {}
        return self.as_checked_row().as_json() | {"faults": list(self.faults)} | changed

    def as_checked_row(self) -> CheckedRow:
        decided = self.decision
        return CheckedRow(
            self.row.id,
            self.row.title,
            self.status,
            self.note,
            self.evidence,
            decision_id=decided.id if decided else None,
            judged=decided.judged if decided else "",
        )


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What the student gets. `id` is None when the audit row could not be written."""

    task: Task
    outcome: str
    rows: tuple[ResultRow, ...]
    summary: str
    judge_kind: str
    started_at: datetime.datetime
    created_at: datetime.datetime
    reason: str = ""
    is_stuck: bool = False
    mismatch: bool = False
    id: uuid.UUID | None = None

    def as_passed_check(self) -> PassedCheck:
        """Raises ValueError unless every row is met."""
        return PassedCheck(
            action_id=self.task.action_id,
            spec_version=self.task.spec_version,
            requirement_ids=frozenset(row.id for row in self.task.rows),
            checklist=tuple(row.as_checked_row() for row in self.rows),
            judge_kind=self.judge_kind,
            check_id=self.id,
        )


@dataclass(slots=True)
class ModelCalls:
    """The model calls of one run, for the audit row."""

    evidence: Evidence | None = None
    request: StructuredRequest | None = None
    replies: list[dict[str, Any]] = field(default_factory=list)
    model: str = ""
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    milliseconds: int = 0

    def add_reply(self, reply: StructuredReply, fault: str) -> None:
        self.model = reply.model
        self._add(reply.text, fault, reply.usage, reply.milliseconds)

    def add_failure(self, code: str, detail: str, raw: str, usage: Usage, spent: int) -> None:
        self._add(raw, code, usage, spent, detail)

    def _add(self, text: str, fault: str, usage: Usage, spent: int, detail: str = "") -> None:
        self.replies.append(
            {
                "text": clean_text(text),
                "fault": fault,
                "detail": clean_text(detail),
                "milliseconds": spent,
            }
        )
        self.prompt_tokens += usage.prompt
        self.cached_tokens += usage.cached
        self.output_tokens += usage.output + usage.thoughts
        self.milliseconds += spent

    def as_columns(self) -> dict[str, Any]:
        return {
            "model": self.model[:100],
            "prompt_version": prompt.VERSION,
            "prompt_hash": prompt.prompt_hash(),
            "evidence": self.evidence.as_record() if self.evidence else {},
            "request": self.request.as_record() if self.request else {},
            "replies": self.replies,
            "prompt_tokens": self.prompt_tokens,
            "cached_tokens": self.cached_tokens,
            "output_tokens": self.output_tokens,
            "milliseconds": self.milliseconds,
        }
