"""Rows that staff have decided on appeal, as labelled cases with the names of people removed.

What only the judge said of a row is no label: such a row is exported without one.
"""

from collections import defaultdict
from collections.abc import Callable

from judge.evaluation.cases import Case, CaseRow, CaseTurn, CaseWeek
from judge.evaluation.names import make_cleaner
from judge.evaluation.stored_evidence import NotKept, had_pictures, read_stored
from judge.evidence import Evidence, Task
from judge.models import CheckRun, RowDecision
from judge.reopened import is_after, reopened_at


def export_appeals() -> list[Case]:
    """One case for each check of which staff decided a row, oldest first. Checks that kept no
    evidence are left out, and decisions that ended when the task was reopened."""
    stands = RowDecision.objects.annotate(reopened_at=reopened_at("action_id"))
    decided = stands.filter(is_after("decided_at")).select_related(
        "appeal__check_run__student", "decided_by"
    )
    by_check: dict[CheckRun, list[RowDecision]] = defaultdict(list)
    for decision in decided.order_by("appeal__check_run__created_at", "decided_at", "pk"):
        by_check[decision.appeal.check_run].append(decision)
    made = (make_appeal_case(check, decisions) for check, decisions in by_check.items())
    return [case for case in made if case]


def make_appeal_case(check: CheckRun, decisions: list[RowDecision]) -> Case | None:
    """A check and what staff decided of its rows, oldest first, as a case: of two decisions on
    one row the newer counts. None when no row was decided, or the check kept no evidence."""
    labels = {decision.requirement_id: decision.is_met for decision in decisions}
    try:
        evidence = read_stored(check)
    except NotKept:
        return None
    if not labels:
        return None
    people = [check.student, *(decision.decided_by for decision in decisions)]
    task = evidence.task
    clean = make_cleaner(people, _join_texts(task))
    return Case(
        id=f"appeal-{check.pk}",
        source="Decided by staff",
        licence="Not for publication",
        task_title=clean(task.title),
        task_description=clean(task.description),
        week=CaseWeek(task.week_number, clean(task.week_title), clean(task.week_description)),
        transcript=_make_turns(evidence, clean),
        requirements=tuple(
            CaseRow(
                title=clean(row.title),
                met_label=labels.get(row.id),
                id=row.key,
                evidence_kind=row.evidence_kind,
                origin=row.origin,
            )
            for row in task.rows
        ),
        tags=("pictures-not-kept",) if had_pictures(check) else (),
        note=clean(" ".join(decision.reason for decision in decisions)),
        file="appeals",
    )


def _join_texts(task: Task) -> str:
    texts = (task.title, task.description, task.week_title, task.week_description)
    return "\n".join([*texts, *(row.title for row in task.rows)])


def _make_turns(evidence: Evidence, clean: Callable[[str], str]) -> tuple[CaseTurn, ...]:
    return tuple(CaseTurn(turn.role, clean(turn.text)) for turn in evidence.turns)
