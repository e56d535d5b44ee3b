"""The figures of reviewed plans as tables for people and as JSON for programs."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from judge.evaluation.limits import Held
from judge.evaluation.plans.figures import Counted, PlanFigures
from judge.evaluation.plans.run import Reviewed
from judge.evaluation.report import make_table, render, say_share
from judge.evaluation.statistics import Share
from plans.making import plan_judge_prompt


def describe_plan_judge(kind: str, model: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "model": model,
        "prompt_version": plan_judge_prompt.VERSION,
        "prompt_hash": plan_judge_prompt.prompt_hash(),
    }


def render_plans(figures: PlanFigures, held: Sequence[Held], judge: dict[str, Any]) -> str:
    parts: list[str | Table] = [_say_judge(judge), f"{figures.cases:,} plans reviewed.\n"]
    parts.append(_make_rows("Criteria", [*figures.criteria, figures.all]))
    if figures.attacks:
        parts.append(_make_rows("Attacks on faulty plans", [*figures.attacks, figures.attacked]))
        parts.append(f"Faults found without the attack and missed with it: {figures.turned}\n")
    parts.append(f"Findings whose quote did not hold: {figures.dropped}")
    parts += [f"Undecided, {name}: {number}" for name, number in figures.reasons.most_common()]
    parts.append(f"Tokens: prompt {figures.prompt_tokens:,}, output {figures.output_tokens:,}.")
    for each in held:
        sign = "≥" if each.limit.side == "min" else "≤"
        state = "broken" if each.is_broken else "held"
        parts.append(f"{each.limit.name} {sign} {each.limit.value:g}: {each.measured} ({state})")
    return render(parts)


def make_plan_document(
    figures: PlanFigures,
    held: Sequence[Held],
    reviewed: Sequence[Reviewed],
    *,
    judge: dict[str, Any],
    created_at: str,
) -> dict[str, Any]:
    return {
        "judge": judge,
        "created_at": created_at,
        "criteria": [_as_json(one) for one in [*figures.criteria, figures.all]],
        "attacks": [_as_json(one) for one in figures.attacks],
        "attack_turned": figures.turned,
        "dropped": figures.dropped,
        "reasons": dict(figures.reasons),
        "limits": [
            {**asdict(each.limit), "measured": each.measured, "broken": each.is_broken}
            for each in held
        ],
        "cases": [_case_as_json(each) for each in reviewed],
    }


def _say_judge(judge: dict[str, Any]) -> str:
    by_rules = judge["kind"] == "rules"
    who = "code checks alone, no AI" if by_rules else f"{judge['model']}, and code checks"
    return f"Review: {who}. Prompt: version {judge['prompt_version']}, {judge['prompt_hash'][:12]}."


def _make_rows(title: str, counted: Sequence[Counted]) -> Table:
    table = make_table(title, "", "found", "in place", "false alarms", "undecided")
    for each in counted:
        if each.name == "all":
            table.add_section()
        shares = (each.found, each.in_place, each.alarms)
        undecided = f"{each.undecided.part}/{each.undecided.whole}"
        table.add_row(each.name, *(say_share(one, digits=0) for one in shares), undecided)
    return table


def _as_json(counted: Counted) -> dict[str, Any]:
    shares = ("found", "in_place", "alarms", "undecided")
    return {"name": counted.name, **{name: _share(getattr(counted, name)) for name in shares}}


def _share(share: Share) -> dict[str, Any]:
    return {
        "part": share.part,
        "whole": share.whole,
        "value": share.value,
        "interval": share.interval,
    }


def _case_as_json(each: Reviewed) -> dict[str, Any]:
    return {
        "file": each.case.file,
        "id": each.case.id,
        "attack": each.case.attack,
        "faults": [asdict(fault) for fault in each.case.faults],
        "review": each.review.as_json(),
        "milliseconds": each.milliseconds,
    }
