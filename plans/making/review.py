"""A review of a proposal as plain values: the named criteria, and what was found against them."""

import enum
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from elivio.untrusted import fold
from plans.making.proposal import Proposal


class Criterion(enum.StrEnum):
    """What a plan is held against. `form` is code's alone; the judge reads for the others."""

    CHECKABLE = "checkable"
    PLATFORM = "platform"
    EXACT_NAMES = "exact_names"
    LOAD = "load"
    BUILDS = "builds"
    SHOW = "show"
    FORM = "form"


JUDGED = tuple(one for one in Criterion if one != Criterion.FORM)


class Standing(enum.StrEnum):
    """`unproven`: the judge named faults and none of its quotes held. `unread`: nobody looked."""

    HELD = "held"
    FOUND = "found"
    UNPROVEN = "unproven"
    UNREAD = "unread"


class Outcome(enum.StrEnum):
    """`clean` only when a judge read every criterion and nothing at all was found."""

    CLEAN = "clean"
    FINDINGS = "findings"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Finding:
    """Numbers count from 1; None where the finding is about more than one place. A judge's
    `quote` stands word for word in the place; `code` is the rule's name where code found it.
    `is_before`: what it is about was changed since the judge read it, so it may be put right."""

    criterion: Criterion
    problem: str
    week: int | None = None
    task: int | None = None
    requirement: int | None = None
    quote: str = ""
    code: str = ""
    is_before: bool = False

    @property
    def place(self) -> tuple[Criterion, int | None, int | None, int | None]:
        return self.criterion, self.week, self.task, self.requirement

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "criterion": str(self.criterion)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(**{**data, "criterion": Criterion(data["criterion"])})


@dataclass(frozen=True, slots=True)
class Review:
    """`standings` is of the judge's six criteria. `dropped` counts the judge's findings whose
    quote did not hold. `reason` says why nothing was decided. `is_edited`: the student changed
    the plan since the judge read it, and code alone has looked at the change."""

    findings: tuple[Finding, ...]
    standings: dict[Criterion, Standing]
    judge_kind: str
    dropped: int = 0
    reason: str = ""
    is_edited: bool = False

    @property
    def outcome(self) -> Outcome:
        if self.findings:
            return Outcome.FINDINGS
        is_read = all(self.standings[one] == Standing.HELD for one in JUDGED)
        return Outcome.CLEAN if is_read and not self.is_edited else Outcome.UNDECIDED

    def as_json(self) -> dict[str, Any]:
        return {
            "outcome": str(self.outcome),
            "findings": [finding.as_json() for finding in self.findings],
            "standings": {str(name): str(how) for name, how in self.standings.items()},
            "judge_kind": self.judge_kind,
            "dropped": self.dropped,
            "reason": self.reason,
            "is_edited": self.is_edited,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        standings = {Criterion(name): Standing(how) for name, how in data["standings"].items()}
        return cls(
            findings=tuple(Finding.from_json(one) for one in data["findings"]),
            standings=standings,
            judge_kind=data["judge_kind"],
            dropped=data["dropped"],
            reason=data["reason"],
            is_edited=data["is_edited"],
        )


def make_unread(judge_kind: str, reason: str) -> Review:
    """The review that nobody made: never "fine"."""
    return Review((), dict.fromkeys(JUDGED, Standing.UNREAD), judge_kind, reason=reason)


def add_code_findings(found: Iterable[Finding], judged: Review) -> Review:
    """Code's findings first; the judge's own on the same criterion and place are the same fault
    said twice."""
    known = tuple(found)
    places = {finding.place for finding in known}
    more = tuple(finding for finding in judged.findings if finding.place not in places)
    return replace(judged, findings=known + more)


def recheck_edited(
    review: Review, found: Iterable[Finding], before: Proposal, after: Proposal
) -> Review:
    """After an edit: code's findings anew, and those of the judge whose words still stand. Whether
    a change put one of those right nobody has read, so it is marked and not dropped."""
    kept = tuple(
        replace(finding, is_before=finding.is_before or _is_touched(finding, before, after))
        for finding in review.findings
        if not finding.code and quote_holds(finding, after)
    )
    return add_code_findings(found, replace(review, findings=kept, is_edited=True))


def _is_touched(finding: Finding, before: Proposal, after: Proposal) -> bool:
    """Whether the edit changed what the finding is about: its task with hours and all, or its
    week; the whole plan where it names neither, or is about how parts build on each other."""
    if finding.week is None or finding.criterion == Criterion.BUILDS:
        return before != after
    if finding.week > len(before.weeks):
        return True
    old, new = (plan.weeks[finding.week - 1] for plan in (before, after))
    if finding.task is None or finding.task > len(old.tasks):
        return old != new
    return old.tasks[finding.task - 1] != new.tasks[finding.task - 1]


def quote_holds(finding: Finding, proposal: Proposal) -> bool:
    """Whether the quote stands verbatim in the place that the finding names."""
    quote = fold(finding.quote)
    text = read_place(proposal, finding.week, finding.task, finding.requirement)
    return any(map(str.isalnum, quote)) and any(quote in fold(part) for part in text)


def read_place(
    proposal: Proposal, week: int | None, task: int | None, requirement: int | None
) -> list[str]:
    """The texts of a place: a requirement, a task with all in it, a week with all in it, or the
    whole plan. Empty for a place that there is not."""
    if week is None:
        if task is not None or requirement is not None:
            return []
        inner = [_texts_of_week(each) for each in proposal.weeks]
        return [proposal.title, proposal.goal, *(text for texts in inner for text in texts)]
    if not 1 <= week <= len(proposal.weeks):
        return []
    there = proposal.weeks[week - 1]
    if task is None:
        return [] if requirement is not None else _texts_of_week(there)
    if not 1 <= task <= len(there.tasks):
        return []
    rows = there.tasks[task - 1].requirements
    if requirement is None:
        return _texts_of_task(there.tasks[task - 1])
    return [rows[requirement - 1].title] if 1 <= requirement <= len(rows) else []


def _texts_of_week(week: Any) -> list[str]:
    inner = [text for task in week.tasks for text in _texts_of_task(task)]
    return [week.title, week.description, *inner]


def _texts_of_task(task: Any) -> list[str]:
    return [task.title, task.description, *(row.title for row in task.requirements)]
