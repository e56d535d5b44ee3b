"""The JSON document of an evaluation: every figure, and every result behind them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from judge.evaluation.figures import Attack, Figures, Group, Tested
from judge.evaluation.limits import FIGURES, Held
from judge.evaluation.statistics import Confusion, Share

VERSION = 1
_SHARES = ("agreement", "false_met_rate", "false_unmet_rate", "undecided_rate")


def make_document(
    figures: Figures, held: Sequence[Held], tested: Sequence[Tested], **about: Any
) -> dict[str, Any]:
    """`about` (judge, options, created_at) stands first, as it is."""
    return {
        "version": VERSION,
        **about,
        "figures": {name: measure(figures) for name, measure in FIGURES.items()},
        "limits": [_as_limit(each) for each in held],
        "all": _as_group(figures.all),
        "by_source": [_as_group(group) for group in figures.by_source],
        "by_file": [_as_group(group) for group in figures.by_file],
        "by_kind": [_as_group(group) for group in figures.by_kind],
        "attacks": _as_attacks(figures.attacked, figures.attacks),
        "benign": _as_attacks(figures.adorned, figures.adornments),
        "pass_twice": _as_share(figures.pass_twice),
        "flips": _as_share(figures.flips),
        "undecided_reasons": dict(figures.reasons),
        "citation_faults": dict(figures.faults),
        "notes_about_student": _as_share(figures.about_student),
        "cost": asdict(figures.cost),
        "results": [result for each in tested for result in _as_results(each)],
    }


def _as_results(tested: Tested) -> list[dict[str, Any]]:
    """Each run, its rows with title and label beside what the judge said."""
    labels = [{"title": row.title, "met_label": row.met_label} for row in tested.case.requirements]
    case = tested.case
    about = {name: getattr(case, name) for name in ("all_met_label", "source", "kind", "attack")}
    return [
        {
            **asdict(run),
            **about,
            "rows": [{**label, **asdict(row)} for label, row in zip(labels, run.rows, strict=True)],
        }
        for run in tested.runs
    ]


def _as_attacks(all_of_them: Group, attacks: Sequence[Attack]) -> dict[str, Any]:
    each = [{**_as_group(attack.group), "turned": attack.turned} for attack in attacks]
    return {"all": _as_group(all_of_them), "by_attack": each}


def _as_group(group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "requirements": _as_confusion(group.rows),
        "cases": _as_confusion(group.cases),
    }


def _as_confusion(found: Confusion) -> dict[str, Any]:
    shares = {name: _as_share(getattr(found, name)) for name in _SHARES}
    return {**asdict(found), **shares, "kappa": found.kappa}


def _as_share(share: Share) -> dict[str, Any]:
    low, high = share.interval or (None, None)
    return {
        "part": share.part,
        "whole": share.whole,
        "value": share.value,
        "low": low,
        "high": high,
    }


def _as_limit(held: Held) -> dict[str, Any]:
    return {**asdict(held.limit), "measured": held.measured, "broken": held.is_broken}
