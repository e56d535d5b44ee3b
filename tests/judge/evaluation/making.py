"""Cases, results and case files for tests of the evaluation: plain values."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from judge.evaluation.cases import Case, CaseRow, CaseTurn, write_case
from judge.evaluation.figures import Tested
from judge.evaluation.results import Judged, JudgedRow

WORDS = "I asked seven riders what they miss."
LINE: dict[str, Any] = {
    "id": "riders",
    "source": "own",
    "licence": "as the project",
    "task_title": "Ask riders",
    "task_description": "Ask seven riders what they miss.",
    "week": None,
    "transcript": [{"role": "student", "text": WORDS}],
    "requirements": [{"title": "Ask seven riders", "met_label": True}],
    "all_met_label": True,
}


def make_case(*labels: bool | None, id: str = "riders", **changes: Any) -> Case:
    """A case with one requirement per label, one turn, and no more."""
    values: dict[str, Any] = {
        "source": "own",
        "licence": "as the project",
        "task_title": "Ask riders",
        "task_description": "Ask seven riders what they miss.",
        "transcript": (CaseTurn("student", WORDS),),
        "requirements": tuple(
            CaseRow(f"Row {place}", label) for place, label in enumerate(labels or (True,), 1)
        ),
        "file": "own",
    }
    return Case(id=id, **values | changes)


def make_judged(case: Case, *statuses: str, run: int = 1, reason: str = "", **more: Any) -> Judged:
    """What the judge said of a case: a status per requirement; "undecided" needs a reason."""
    decided = "passed" if set(statuses) == {"met"} else "failed"
    values: dict[str, Any] = {
        "digest": "d",
        "calls": 1,
        "prompt_tokens": 1000,
        "cached_tokens": 400,
        "output_tokens": 70,
        "milliseconds": 100,
        "rows": tuple(JudgedRow(status) for status in statuses),
    }
    return Judged(
        file=case.file,
        id=case.id,
        run=run,
        outcome="undecided" if reason else decided,
        reason=reason,
        **values | more,
    )


def make_tested(case: Case, *runs: Sequence[str]) -> Tested:
    """A case with its runs, each a sequence of statuses; ("undecided: code",) has no verdict."""
    made = []
    for number, statuses in enumerate(runs, start=1):
        reason = statuses[0].partition(": ")[2]
        if reason:
            statuses = ["undecided"] * len(case.requirements)
        made.append(make_judged(case, *statuses, run=number, reason=reason))
    return Tested(case, tuple(made))


def write_lines(path: Path, *lines: dict[str, Any] | str) -> Path:
    """A file with these lines; an object becomes JSON."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def write_cases(path: Path, *cases: Case) -> Path:
    path.write_text("".join(map(write_case, cases)), encoding="utf-8")
    return path
