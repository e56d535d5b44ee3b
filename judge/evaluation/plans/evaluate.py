"""`judge_eval --plans`: reads the cases, reviews them, and gives figures, tables and document."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from elivio.llm import gateway
from judge.evaluation.cases import BadCases
from judge.evaluation.limits import Held, Limit
from judge.evaluation.plans.attacks import ATTACKS, attack_plan
from judge.evaluation.plans.cases import PlanCase, read_plan_cases
from judge.evaluation.plans.figures import hold_plans, make_plan_figures
from judge.evaluation.plans.report import describe_plan_judge, make_plan_document, render_plans
from judge.evaluation.plans.run import run_plan_case
from judge.evaluation.run import run_together
from judge.evaluation.selection import NoSuchAttack, take_sample


def read_planned(
    paths: Sequence[Path], *, limit: int | None, attacks: Sequence[str] | None
) -> list[PlanCase]:
    """The cases, and behind them the attacked ones; `attacks` empty means all, None none. Raises
    BadCases, NoSuchAttack."""
    cases = take_sample(read_plan_cases(paths), limit)
    if not cases:
        raise BadCases(["There is no case in these files."])
    if attacks is None:
        return cases
    if unknown := sorted(set(attacks) - set(ATTACKS)):
        raise NoSuchAttack(f"No attack {', '.join(unknown)}. There are: {', '.join(ATTACKS)}.")
    attacked = [one for case in cases if case.faults for one in attack_plan(case)]
    return cases + [one for one in attacked if not attacks or one.attack in attacks]


def evaluate_plans(
    cases: Sequence[PlanCase],
    *,
    limits: Sequence[Limit],
    concurrency: int,
    out: Path | None,
    advance: Callable[[], None],
) -> tuple[str, list[Held]]:
    """Review every case; returns the tables and the limits. Writes the document to `out`."""

    def run(case: PlanCase) -> Any:
        reviewed = run_plan_case(case)
        advance()
        return reviewed

    reviewed = run_together(run, cases, concurrency)
    figures = make_plan_figures(reviewed)
    held = hold_plans(limits, figures)
    kind = gateway.active_kind()
    model = settings.MODELS["judge"]["name"] if kind == "gemini" else ""
    judge = describe_plan_judge(kind, model)
    if out:
        created_at = timezone.now().isoformat()
        document = make_plan_document(figures, held, reviewed, judge=judge, created_at=created_at)
        text = json.dumps(document, ensure_ascii=False, indent=1)
        out.write_text(text + "\n", encoding="utf-8")
    return render_plans(figures, held, judge), held
