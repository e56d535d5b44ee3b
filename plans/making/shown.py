"""A draft as its page shows it: the proposal with each finding in the place that it is about."""

from dataclasses import dataclass
from datetime import date

from plans.making.brief import Brief, week_begins
from plans.making.proposal import Proposal, ProposedRequirement, ProposedTask, ProposedWeek
from plans.making.review import JUDGED, Criterion, Finding, Review, Standing
from plans.making.sentences import say_state
from plans.models import EvidenceKind, PlanDraft

NAMES = {
    Criterion.CHECKABLE: "Each requirement can be checked",
    Criterion.PLATFORM: "Nothing about buttons of this site",
    Criterion.EXACT_NAMES: "Exact names are quoted",
    Criterion.LOAD: "The load fits your hours",
    Criterion.BUILDS: "Each week builds on the last",
    Criterion.SHOW: "Each week ends in something to show",
    Criterion.FORM: "Nothing is missing",
}
FAULTS = {
    Criterion.CHECKABLE: "Cannot be checked",
    Criterion.PLATFORM: "About buttons of this site",
    Criterion.EXACT_NAMES: "An exact name is not quoted",
    Criterion.LOAD: "Does not fit your hours",
    Criterion.BUILDS: "Does not build on what came before",
    Criterion.SHOW: "Ends in nothing to show",
    Criterion.FORM: "Something is missing",
}


@dataclass(frozen=True, slots=True)
class Noted:
    """A finding in plain words. `is_before`: about the plan before the student's change."""

    name: str
    problem: str
    quote: str
    is_before: bool


@dataclass(frozen=True, slots=True)
class ShownRow:
    row: ProposedRequirement
    notes: list[Noted]

    @property
    def kind(self) -> str:
        return EvidenceKind(self.row.evidence_kind).label.lower()


@dataclass(frozen=True, slots=True)
class ShownTask:
    task: ProposedTask
    number: int
    rows: list[ShownRow]
    depends_on: list[str]
    notes: list[Noted]


@dataclass(frozen=True, slots=True)
class ShownWeek:
    week: ProposedWeek
    number: int
    begins: date
    hours: int
    tasks: list[ShownTask]
    notes: list[Noted]

    @property
    def is_noted(self) -> bool:
        """Whether anything in it is noted; such a week is shown open."""
        inner = (note for task in self.tasks for note in task.notes)
        rows = (note for task in self.tasks for row in task.rows for note in row.notes)
        return any((*self.notes, *inner, *rows))


@dataclass(frozen=True, slots=True)
class ShownDraft:
    """`held` names the criteria that a judge read and found nothing against."""

    draft: PlanDraft
    brief: Brief
    sentence: str
    proposal: Proposal | None
    weeks: list[ShownWeek]
    notes: list[Noted]
    held: list[str]


def show_draft(draft: PlanDraft) -> ShownDraft:
    """No query."""
    brief = Brief.from_json(draft.brief)
    proposal = Proposal.model_validate(draft.proposal) if draft.proposal else None
    review = Review.from_json(draft.review) if draft.review else None
    findings = review.findings if review else ()
    standings = review.standings if review and not review.is_edited else {}
    return ShownDraft(
        draft=draft,
        brief=brief,
        sentence=say_state(draft),
        proposal=proposal,
        weeks=_show_weeks(proposal, brief, findings) if proposal else [],
        notes=_notes(findings),
        held=[NAMES[one] for one in JUDGED if standings.get(one) == Standing.HELD],
    )


def _show_weeks(proposal: Proposal, brief: Brief, findings: tuple[Finding, ...]) -> list[ShownWeek]:
    titles = {task.key: task.title for _, _, task in proposal.places}
    return [
        ShownWeek(
            week=week,
            number=number,
            begins=week_begins(brief.starts_on, number),
            hours=sum(task.hours for task in week.tasks),
            tasks=[
                _show_task(task, number, at, titles, findings)
                for at, task in enumerate(week.tasks, start=1)
            ],
            notes=_notes(findings, number),
        )
        for number, week in enumerate(proposal.weeks, start=1)
    ]


def _show_task(
    task: ProposedTask,
    week: int,
    number: int,
    titles: dict[str, str],
    findings: tuple[Finding, ...],
) -> ShownTask:
    rows = [
        ShownRow(row, _notes(findings, week, number, at))
        for at, row in enumerate(task.requirements, start=1)
    ]
    named = [titles.get(key, key) for key in task.depends_on]
    return ShownTask(task, number, rows, named, _notes(findings, week, number))


def _notes(findings: tuple[Finding, ...], *place: int) -> list[Noted]:
    """What is about exactly this place: the plan, a week, a task of it, a requirement of that."""
    wanted = (*place, None, None, None)[:3]
    return [
        Noted(FAULTS[one.criterion], one.problem, one.quote, one.is_before)
        for one in findings
        if (one.week, one.task, one.requirement) == wanted
    ]
