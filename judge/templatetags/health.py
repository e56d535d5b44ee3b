"""Shares and numbers as staff read them on the page of judge health. Decides nothing."""

from django import template

from judge.evaluation.statistics import Confusion, Share
from judge.health_figures import Judge

register = template.Library()
NOTHING = "–"


@register.filter
def percent(share: Share) -> str:
    return NOTHING if share.value is None else f"{100 * share.value:.1f} %"


@register.filter
def counts(share: Share) -> str:
    """The counts behind a share, with its interval: "1 of 8, 2.2 to 47.1 %"."""
    if share.interval is None:
        return "none to count"
    low, high = (100 * end for end in share.interval)
    return f"{share.part} of {share.whole}, {low:.1f} to {high:.1f} %"


@register.filter
def kappa(found: Confusion) -> str:
    return NOTHING if found.kappa is None else f"{found.kappa:.2f}"


@register.filter
def kappa_counts(found: Confusion) -> str:
    if found.kappa is None:
        return f"cannot be said, {found.decided} decided"
    low, high = found.kappa_interval
    return f"{found.decided} decided, {low:.2f} to {high:.2f}"


@register.filter
def judge_name(judge: Judge | None) -> str:
    if judge is None:
        return "All"
    if judge.kind == "rules":
        return "Plain rules, no AI"
    nobody = "no model answered" if judge.prompt_version else "audit row missing"
    return f"{judge.kind}, {judge.model or nobody}"


@register.filter
def prompt_name(judge: Judge | None) -> str:
    return f"Prompt {judge.prompt_version}" if judge and judge.prompt_version else NOTHING


@register.filter
def a_run(tokens: int, runs: int) -> str:
    """Tokens of the average run."""
    return f"{tokens / runs:,.0f}" if runs else NOTHING


@register.filter
def number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:,.0f}"
