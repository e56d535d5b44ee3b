"""Rows that staff have decided on appeal, as labelled cases with the names of people removed.

What only the judge said of a row is no label: such a row is exported without one.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from judge.evaluation.cases import Case, CaseRow, CaseTurn, CaseWeek
from judge.evaluation.stored_evidence import NotKept, had_pictures, read_stored
from judge.evidence import Evidence
from judge.models import CheckRun, RowDecision

NAME, ADDRESS = "[name]", "[e-mail]"
_ADDRESS = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")


def export_appeals() -> list[Case]:
    """One case for each check of which staff decided a row, oldest first. Checks that kept no
    evidence are left out."""
    decided = RowDecision.objects.select_related("appeal__check_run__student", "decided_by")
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
    clean = make_cleaner(people)
    task = evidence.task
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


def make_cleaner(people: Iterable[Any]) -> Callable[[str], str]:
    """A function that replaces the people's names and logins, and every e-mail address."""
    names = {name for person in people for name in _names_of(person)}
    spelled = {unicodedata.normalize(form, name) for name in names for form in ("NFC", "NFD")}
    longest_first = sorted(spelled, key=len, reverse=True)
    known = "|".join(map(re.escape, longest_first)) or r"(?!)"
    # Between letters only: "anna_notes" and "Anna2" name Anna, and "Hannah" does not.
    pattern = re.compile(rf"(?<![^\W\d_])(?:{known})(?![^\W\d_])", re.IGNORECASE)
    return lambda text: pattern.sub(NAME, _ADDRESS.sub(ADDRESS, text))


def _names_of(person: Any) -> set[str]:
    """The person's login, and each part of the name."""
    parts = re.split(r"[\s-]+", f"{person.first_name} {person.last_name}")
    return {part for part in (person.username, person.email, *parts) if part}


def _make_turns(evidence: Evidence, clean: Callable[[str], str]) -> tuple[CaseTurn, ...]:
    return tuple(CaseTurn(turn.role, clean(turn.text)) for turn in evidence.turns)
