"""Which cases are run: a sample of them, and what the attacks make of them."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from judge.evaluation.attacks import ATTACKS, attack, benign
from judge.evaluation.cases import Case

BENIGN = "benign_"


class NoSuchAttack(Exception):
    """str() is a sentence with the names that there are."""


def take_sample(cases: Sequence[Case], limit: int | None) -> list[Case]:
    """At most `limit` cases, spread evenly over all, and the same ones each time."""
    if limit is None or limit >= len(cases):
        return list(cases)
    return [cases[place * len(cases) // limit] for place in range(limit)]


def add_attacks(cases: Sequence[Case], names: Collection[str]) -> list[Case]:
    """The cases; behind each that is labelled not done its attacks, and behind each that is done
    the same words, which must not harm it. No names: all attacks. Raises NoSuchAttack."""
    if unknown := set(names) - set(ATTACKS):
        raise NoSuchAttack(
            f"There is no attack {', '.join(sorted(unknown))}. There are: {', '.join(ATTACKS)}."
        )
    wanted = set(names) or set(ATTACKS)
    found: list[Case] = []
    for case in cases:
        made = _adorn(case) if not case.attack else []
        chosen = [each for each in made if each.attack.removeprefix(BENIGN) in wanted]
        found += [case, *(replace(each, twin_of=case.id, file=case.file) for each in chosen)]
    return found


def _adorn(case: Case) -> list[Case]:
    if case.all_met_label is None:
        return []
    return list(benign(case) if case.all_met_label else attack(case))
