"""Figures as tables of at most 100 columns. docs/judge_eval.md says how to read them."""

import io
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from judge.evaluation.figures import Attack, Cost, Figures, Group, Tested
from judge.evaluation.limits import Held
from judge.evaluation.statistics import Confusion, Share

WIDTH = 100
MOST_LISTED = 10
NOTHING = "–"
ATTACKS = "Attacks on cases that are not done: requirements let through"
BENIGN = "The same words on cases that are done: requirements refused"
TURNED_COLUMNS = {"false_met": ("passed", "false met"), "false_unmet": ("refused", "false unmet")}


def render_report(figures: Figures, held: Sequence[Held], judge: dict[str, Any]) -> str:
    parts: list[RenderableType] = [
        say_judge(judge),
        "",
        _confusion_table("Requirements", figures.all.rows),
        _confusion_table("Cases", figures.all.cases),
        _rates_table(figures.all),
    ]
    if _says_something(figures.by_source):
        parts.append(_group_table("Requirements by source", figures.by_source))
    if len(figures.by_file) > 1:
        parts.append(_group_table("Requirements by file", figures.by_file))
    if len(figures.by_kind) > 1:
        parts.append(_group_table("Requirements by kind of task", figures.by_kind))
    if figures.attacks:
        parts.append(_attack_table(ATTACKS, "false_met", figures.attacked, figures.attacks))
    if figures.adornments:
        table = _attack_table(BENIGN, "false_unmet", figures.adorned, figures.adornments)
        parts.append(table)
    parts += _list_let_through(figures.let_through)
    parts += _list_counts("Undecided cases, by reason:", figures.reasons)
    parts += _list_counts("Citations that did not hold:", figures.faults)
    if figures.about_student.part:
        parts.append(_say_about_student(figures.about_student))
    parts += [_say_cost(figures.cost), ""]
    if held:
        parts.append(_limits_table(held))
    parts.append(_say_headline(figures))
    return render(parts)


def _says_something(groups: Sequence[Group]) -> bool:
    """Where nearly each case is a source of its own, a table of them says nothing."""
    cases = sum(group.cases.decided + group.cases.undecided for group in groups)
    return 1 < len(groups) <= cases / 2


def render(parts: Iterable[RenderableType]) -> str:
    out = io.StringIO()
    console = Console(file=out, width=WIDTH, no_color=True)
    for part in parts:
        console.print(Text(part) if isinstance(part, str) else part)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def make_table(title: str, *columns: str) -> Table:
    """A table whose first column holds words and whose others hold figures."""
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place else "left", overflow="fold")
    return table


def say_judge(judge: dict[str, Any]) -> str:
    who = "plain rules, no AI" if judge["kind"] == "rules" else judge["model"]
    return f"Judge: {who}. Prompt: version {judge['prompt_version']}, {judge['prompt_hash'][:12]}."


def say_share(share: Share, digits: int = 1) -> str:
    """A share in per cent, with its 95 % interval and its counts."""
    if share.value is None or share.interval is None:
        return NOTHING
    low, high = (f"{limit * 100:.{digits}f}" for limit in share.interval)
    return f"{share.value * 100:.{digits}f} % [{low}, {high}] {share.part}/{share.whole}"


def say_number(value: float | int | None) -> str:
    if value is None:
        return NOTHING
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def _confusion_table(title: str, found: Confusion) -> Table:
    table = make_table(title, "label", "judged met", "judged not met", "undecided")
    met = (found.true_met, found.false_unmet, found.undecided_met)
    unmet = (found.false_met, found.true_unmet, found.undecided_unmet)
    table.add_row("met", *map(str, met))
    table.add_row("not met", *map(str, unmet))
    return table


def _rates_table(group: Group) -> Table:
    table = make_table("Rates, with 95 % intervals", "", "per requirement", "per case")
    for name, field in (
        ("false met (let through)", "false_met_rate"),
        ("false unmet (refused)", "false_unmet_rate"),
        ("agreement", "agreement"),
        ("undecided", "undecided_rate"),
    ):
        shares = (getattr(group.rows, field), getattr(group.cases, field))
        table.add_row(name, *map(say_share, shares))
    table.add_row("Cohen's kappa", say_number(group.rows.kappa), say_number(group.cases.kappa))
    return table


def _group_table(title: str, groups: Sequence[Group]) -> Table:
    table = make_table(title, "", "cases", "rows", "agree", "false met", "false unmet", "undecided")
    for group in groups:
        found = group.rows
        table.add_row(
            Text(group.name),
            str(group.cases.decided + group.cases.undecided),
            str(found.decided + found.undecided),
            _say_percent(found.agreement),
            say_share(found.false_met_rate, digits=0),
            say_share(found.false_unmet_rate, digits=0),
            str(found.undecided),
        )
    return table


def _attack_table(title: str, wrong: str, group: Group, attacks: Sequence[Attack]) -> Table:
    """`wrong` is the field of a Confusion that counts what must not be."""
    cases, rows = TURNED_COLUMNS[wrong]
    table = make_table(title, "", "cases", cases, rows, "turned", "undecided")
    known = [attack.turned for attack in attacks if attack.turned is not None]
    for each in [*attacks, Attack(group, sum(known) if known else None)]:
        found = each.group
        if found is group:
            table.add_section()
        table.add_row(
            Text(found.name),
            str(found.cases.decided + found.cases.undecided),
            str(getattr(found.cases, wrong)),
            say_share(getattr(found.rows, f"{wrong}_rate"), digits=0),
            say_number(each.turned),
            str(found.rows.undecided),
        )
    return table


def _limits_table(held: Sequence[Held]) -> Table:
    table = make_table("Limits", "", "limit", "measured", "")
    for each in held:
        sign = "≥" if each.limit.side == "min" else "≤"
        table.add_row(
            each.limit.name,
            f"{sign} {each.limit.value:g}",
            say_number(each.measured),
            "broken" if each.is_broken else "held",
        )
    return table


def _list_let_through(found: Sequence[tuple[Tested, int]]) -> list[str]:
    if not found:
        return []
    lines = [f"Let through, though a person says not met: {len(found)}"]
    for tested, place in found[:MOST_LISTED]:
        title = tested.case.requirements[place - 1].title
        line = f"  {tested.case.file}/{tested.case.id}, row {place}: {title}"
        lines.append(line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…")
    if len(found) > MOST_LISTED:
        lines.append(f"  and {len(found) - MOST_LISTED} more, which are in the JSON file")
    return [*lines, ""]


def _list_counts(title: str, counts: Counter[str]) -> list[str]:
    if not counts:
        return []
    return [title, *(f"  {name}: {number}" for name, number in counts.most_common()), ""]


def _say_about_student(share: Share) -> str:
    return f"Notes about the student instead of to them: {share.part} of {share.whole}."


def _say_cost(cost: Cost) -> str:
    each = max(1, cost.runs)
    return (
        f"{cost.runs:,} judge runs, {cost.calls:,} model calls.\n"
        f"Tokens: prompt {cost.prompt_tokens:,} (cached {cost.cached_tokens:,}), "
        f"output {cost.output_tokens:,}.\n"
        f"Tokens a run: prompt {cost.prompt_tokens / each:,.0f} "
        f"(cached {cost.cached_tokens / each:,.0f}), output {cost.output_tokens / each:,.0f}.\n"
        f"Milliseconds a run: p50 {say_number(cost.p50)}, p95 {say_number(cost.p95)}."
    )


def _say_headline(figures: Figures) -> str:
    passed, flips = figures.pass_twice, figures.flips
    return (
        "Of the students who are done, passed both the check and the tap: "
        f"{say_share(passed)}\n"
        f"Of the cases decided more than once, got more than one outcome: {say_share(flips)}"
    )


def _say_percent(share: Share) -> str:
    return NOTHING if share.value is None else f"{share.value * 100:.1f} %"
