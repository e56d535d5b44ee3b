"""From labelled cases and what the judge said of them to figures. Pure; prints nothing.

Tables count the first run of each case; further runs say only how often a verdict flips. Cases
with an attack are counted apart: those that are not done, and those that are done all the same.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from judge.evaluation.cases import Case, CaseRow
from judge.evaluation.notes import is_about_the_student
from judge.evaluation.results import Judged, JudgedRow
from judge.evaluation.statistics import Confusion, Share, count, percentile

_SAID = {"passed": True, "failed": False, "undecided": None}


@dataclass(frozen=True, slots=True)
class Tested:
    """A case with its runs, in order; at least one."""

    case: Case
    runs: tuple[Judged, ...]

    @property
    def first(self) -> Judged:
        return self.runs[0]

    @property
    def rows(self) -> list[tuple[CaseRow, JudgedRow]]:
        return list(zip(self.case.requirements, self.first.rows, strict=True))


@dataclass(frozen=True, slots=True)
class Group:
    """Some cases, counted per requirement and per case."""

    name: str
    rows: Confusion
    cases: Confusion


@dataclass(frozen=True, slots=True)
class Attack:
    """`turned` is how many rows came out wrong with the attack and not without it; None where no
    case was judged without."""

    group: Group
    turned: int | None


@dataclass(frozen=True, slots=True)
class Cost:
    """Over all runs. Tokens as the provider counts them; output with thoughts, prompt with cached.
    Milliseconds are of one judge run."""

    runs: int
    calls: int
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    p50: int | None
    p95: int | None


@dataclass(frozen=True, slots=True)
class Figures:
    """`pass_twice` is, of the students who are done, how many passed both the check and the tap.
    `flips` is, of the cases decided more than once, how many got more than one outcome.
    `about_student` is, of the notes, how many speak about the student instead of to them."""

    all: Group
    by_source: tuple[Group, ...]
    by_file: tuple[Group, ...]
    by_kind: tuple[Group, ...]
    attacked: Group
    attacks: tuple[Attack, ...]
    adorned: Group
    adornments: tuple[Attack, ...]
    pass_twice: Share
    flips: Share
    reasons: Counter[str]
    faults: Counter[str]
    about_student: Share
    cost: Cost
    let_through: tuple[tuple[Tested, int], ...]

    @property
    def turned(self) -> int | None:
        """Rows let through under attack and not without; None where nothing was compared."""
        known = [attack.turned for attack in self.attacks if attack.turned is not None]
        return sum(known) if known else None


def pair_up(cases: Iterable[Case], results: Iterable[Judged]) -> list[Tested]:
    """Each case with its runs. A case without a run is left out."""
    runs: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for judged in sorted(results, key=lambda judged: judged.run):
        runs[judged.file, judged.id].append(judged)
    return [
        Tested(case, tuple(runs[case.file, case.id])) for case in cases if runs[case.file, case.id]
    ]


def make_figures(tested: Sequence[Tested]) -> Figures:
    plain = [each for each in tested if not each.case.attack]
    attacked = [each for each in tested if each.case.attack and not each.case.all_met_label]
    adorned = [each for each in tested if each.case.attack and each.case.all_met_label]
    return Figures(
        all=_make_group("all", plain),
        by_source=_split(plain, lambda case: case.source or "(none)"),
        by_file=_split(plain, lambda case: case.file),
        by_kind=_split(plain, lambda case: case.kind or "(none)"),
        attacked=_make_group("all", attacked),
        attacks=_make_attacks(plain, attacked),
        adorned=_make_group("all", adorned),
        adornments=_make_attacks(plain, adorned),
        pass_twice=_count_pass_twice(plain),
        flips=_count_flips(plain),
        reasons=Counter(each.first.reason for each in tested if each.first.reason),
        faults=Counter(fault for each in tested for row in each.first.rows for fault in row.faults),
        about_student=_count_about_student(tested),
        cost=_add_up([judged for each in tested for judged in each.runs]),
        let_through=tuple(_find_let_through([*plain, *attacked])),
    )


def _make_group(name: str, tested: Sequence[Tested]) -> Group:
    rows = [
        (row.met_label, None if said.status == "undecided" else said.status == "met")
        for each in tested
        for row, said in each.rows
    ]
    cases = [(each.case.all_met_label, _SAID[each.first.outcome]) for each in tested]
    return Group(name, rows=count(rows), cases=count(cases))


def _split(tested: Sequence[Tested], name_of: Callable[[Case], str]) -> tuple[Group, ...]:
    found: dict[str, list[Tested]] = defaultdict(list)
    for each in tested:
        found[name_of(each.case)].append(each)
    return tuple(_make_group(name, found[name]) for name in sorted(found))


def _make_attacks(plain: Sequence[Tested], attacked: Sequence[Tested]) -> tuple[Attack, ...]:
    victims = {(each.case.file, each.case.id): each for each in plain}
    groups = _split(attacked, lambda case: case.attack)
    turned: dict[str, int | None] = {}
    for each in attacked:
        name, victim = each.case.attack, victims.get((each.case.file, each.case.twin_of))
        if victim is None:
            turned.setdefault(name, None)
        else:
            turned[name] = (turned.get(name) or 0) + _count_turned(victim, each)
    return tuple(Attack(group, turned[group.name]) for group in groups)


def _count_turned(victim: Tested, attacked: Tested) -> int:
    """Rows that are wrong under attack and were not without, matched by title."""
    wrong_before = {row.title for row, said in victim.rows if _is_wrong(row, said)}
    return sum(
        _is_wrong(row, said) and row.title not in wrong_before for row, said in attacked.rows
    )


def _is_wrong(row: CaseRow, said: JudgedRow) -> bool:
    if row.met_label is None or said.status == "undecided":
        return False
    return row.met_label is not (said.status == "met")


def _count_pass_twice(plain: Sequence[Tested]) -> Share:
    done = [each for each in plain if each.case.all_met_label and len(each.runs) > 1]
    passed = sum(all(run.outcome == "passed" for run in each.runs[:2]) for each in done)
    return Share(passed, len(done))


def _count_flips(plain: Sequence[Tested]) -> Share:
    outcomes = [[run.outcome for run in each.runs if run.outcome != "undecided"] for each in plain]
    decided_again = [found for found in outcomes if len(found) > 1]
    return Share(sum(len(set(found)) > 1 for found in decided_again), len(decided_again))


def _count_about_student(tested: Sequence[Tested]) -> Share:
    notes = [row.note for each in tested for row in each.first.rows if row.note]
    return Share(sum(map(is_about_the_student, notes)), len(notes))


def _add_up(runs: Sequence[Judged]) -> Cost:
    waits = [run.milliseconds for run in runs]
    return Cost(
        runs=len(runs),
        calls=sum(run.calls for run in runs),
        prompt_tokens=sum(run.prompt_tokens for run in runs),
        cached_tokens=sum(run.cached_tokens for run in runs),
        output_tokens=sum(run.output_tokens for run in runs),
        p50=percentile(waits, 0.50),
        p95=percentile(waits, 0.95),
    )


def _find_let_through(tested: Sequence[Tested]) -> list[tuple[Tested, int]]:
    """Each row that a person calls not met and the judge met, by its place from 1; those without
    an attack first."""
    return [
        (each, place)
        for each in tested
        for place, (row, said) in enumerate(each.rows, start=1)
        if row.met_label is False and said.status == "met"
    ]
