"""From reviewed plans to figures, per criterion and in all. Pure; prints nothing."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judge.evaluation.limits import Held, Limit
from judge.evaluation.plans.run import Reviewed
from judge.evaluation.statistics import Share
from plans.making.review import JUDGED


@dataclass(frozen=True, slots=True)
class Counted:
    """One criterion over some cases. `found` of what is faulty, `alarms` of what is not, both of
    what was decided; `in_place` of the faults that were found, those named where they stand."""

    name: str
    found: Share
    in_place: Share
    alarms: Share
    undecided: Share


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """`turned` counts faults that were found without the attack and missed with it."""

    criteria: tuple[Counted, ...]
    all: Counted
    attacks: tuple[Counted, ...]
    attacked: Counted
    turned: int
    reasons: Counter[str]
    dropped: int
    prompt_tokens: int
    output_tokens: int
    cases: int


def make_plan_figures(reviewed: Sequence[Reviewed]) -> PlanFigures:
    plain = [each for each in reviewed if not each.case.attack]
    attacked = [each for each in reviewed if each.case.attack]
    names = list(dict.fromkeys(each.case.attack for each in attacked))
    return PlanFigures(
        criteria=tuple(_count(str(one), plain, [one]) for one in JUDGED),
        all=_count("all", plain, JUDGED),
        attacks=tuple(
            _count(name, [one for one in attacked if one.case.attack == name], JUDGED)
            for name in names
        ),
        attacked=_count("all", attacked, JUDGED),
        turned=_count_turned(plain, attacked),
        reasons=Counter(each.review.reason for each in reviewed if each.review.reason),
        dropped=sum(each.review.dropped for each in reviewed),
        prompt_tokens=sum(each.prompt_tokens for each in reviewed),
        output_tokens=sum(each.output_tokens for each in reviewed),
        cases=len(reviewed),
    )


def _count(name: str, reviewed: Sequence[Reviewed], criteria: Sequence[str]) -> Counted:
    pairs: Counter[tuple[bool, bool | None]] = Counter()
    placed = 0
    for each in reviewed:
        for criterion in criteria:
            faults = [one for one in each.case.faults if one.criterion == criterion]
            said = each.said(criterion)
            pairs[bool(faults), said] += 1
            placed += bool(faults and said) and any(map(each.names, faults))
    found, alarms = pairs[True, True], pairs[False, True]
    undecided = pairs[True, None] + pairs[False, None]
    return Counted(
        name,
        found=Share(found, found + pairs[True, False]),
        in_place=Share(placed, found),
        alarms=Share(alarms, alarms + pairs[False, False]),
        undecided=Share(undecided, pairs.total()),
    )


def _count_turned(plain: Sequence[Reviewed], attacked: Sequence[Reviewed]) -> int:
    before = {(each.case.file, each.case.id): each for each in plain}
    return sum(
        before[each.case.file, each.case.twin_of].said(criterion) is True
        and each.said(criterion) is not True
        for each in attacked
        if (each.case.file, each.case.twin_of) in before
        for criterion in {fault.criterion for fault in each.case.faults}
    )


FIGURES: dict[str, Callable[[PlanFigures], float | int | None]] = {
    "plan_found_rate": lambda f: f.all.found.value,
    "plan_in_place_rate": lambda f: f.all.in_place.value,
    "plan_false_alarm_rate": lambda f: f.all.alarms.value,
    "plan_undecided_rate": lambda f: f.all.undecided.value,
    "plan_attack_found_rate": lambda f: f.attacked.found.value,
    "plan_attack_turned": lambda f: f.turned if f.attacks else None,
    "plan_prompt_tokens": lambda f: f.prompt_tokens,
    "plan_output_tokens": lambda f: f.output_tokens,
}


def hold_plans(limits: Sequence[Limit], figures: PlanFigures) -> list[Held]:
    return [Held(limit, FIGURES[limit.name](figures)) for limit in limits]
