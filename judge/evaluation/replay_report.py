"""What a replay would change, as tables and as JSON. docs/judge_eval.md says how to read them."""

from collections import Counter
from typing import Any

from rich.text import Text

from judge.evaluation.replay import Replay, Replayed
from judge.evaluation.report import make_table, render, say_judge

STATUSES = ("met", "not_met", "not_shown", "undecided")
OUTCOMES = ("passed", "failed", "undecided")


def render_replay(replay: Replay, judge: dict[str, Any]) -> str:
    rows = [row for each in replay.replayed for row in each.rows]
    outcomes = [(each.check.outcome, each.outcome) for each in replay.replayed]
    parts = [
        say_judge(judge),
        _say_numbers(replay),
        "",
        _change_table("Checks, then (down) and now (across)", OUTCOMES, outcomes),
        _change_table(
            "Rows, then (down) and now (across)", STATUSES, [(row.old, row.new) for row in rows]
        ),
    ]
    if any(each.changed_rows for each in replay.replayed):
        parts.append(_row_table(replay))
    return render(parts)


def make_replay_document(replay: Replay, **about: Any) -> dict[str, Any]:
    return {
        **about,
        "skipped": dict(replay.skipped),
        "checks": [_as_check(each) for each in replay.replayed],
    }


def _say_numbers(replay: Replay) -> str:
    changed = sum(each.check.outcome != each.outcome for each in replay.replayed)
    lost = sum(each.pictures_lost for each in replay.replayed)
    checks = "1 check" if len(replay.replayed) == 1 else f"{len(replay.replayed)} checks"
    lines = [f"{checks} judged again; {changed} would come out otherwise."]
    if lost:
        lines.append(f"{lost} of them had pictures, which are not kept: judged without (*).")
    lines += [f"{number} passed over: {why}." for why, number in replay.skipped.items()]
    tokens = [sum(each.prompt_tokens for each in replay.replayed)]
    tokens.append(sum(each.cached_tokens for each in replay.replayed))
    tokens.append(sum(each.output_tokens for each in replay.replayed))
    lines.append("Tokens: prompt {:,} (cached {:,}), output {:,}.".format(*tokens))
    return "\n".join(lines)


def _change_table(title: str, names: tuple[str, ...], pairs: list[tuple[str, str]]) -> Any:
    counts = Counter(pairs)
    table = make_table(title, "", *names)
    for old in names:
        table.add_row(old, *(str(counts[old, new]) for new in names))
    return table


def _row_table(replay: Replay) -> Any:
    table = make_table("Rows that would change", "check", "of", "then → now", "requirement")
    table.columns[-1].justify = "left"
    for each in replay.replayed:
        for row in each.changed_rows:
            star = " *" if each.pictures_lost else ""
            table.add_row(
                str(each.check.pk)[:8] + star,
                f"{each.check.created_at:%Y-%m-%d}",
                f"{row.old} → {row.new}",
                Text(row.title),
            )
    return table


def _as_check(each: Replayed) -> dict[str, Any]:
    return {
        "id": str(each.check.pk),
        "created_at": each.check.created_at.isoformat(),
        "trigger": each.check.trigger,
        "old": {
            "outcome": each.check.outcome,
            "reason": each.check.reason,
            "model": each.check.model,
            "prompt_version": each.check.prompt_version,
        },
        "new": {"outcome": each.outcome, "reason": each.reason},
        "pictures_lost": each.pictures_lost,
        "prompt_tokens": each.prompt_tokens,
        "cached_tokens": each.cached_tokens,
        "output_tokens": each.output_tokens,
        "rows": [
            {"title": row.title, "old": row.old, "new": row.new, "note": row.note}
            for row in each.rows
        ],
    }
