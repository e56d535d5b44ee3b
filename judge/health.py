"""Judge health: how judges did over some days, in figures for staff. It reads and counts alone.

Grouped by judge: kind, model and version of the prompt. Everything is counted in the database, in
as many queries for one row as for a million; what a run was asked and answered is not read.
"""

import datetime
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from django.db import connection
from django.db.models import Aggregate, Count, FloatField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import TruncDay, TruncMonth

from judge.evaluation.statistics import Confusion, Share
from judge.health_figures import Completed, Cost, Day, Flips, Health, Judge, Outcomes
from judge.models import CheckRun

DAYS_DRAWN = 100  # a longer time is counted by month
NOT_ASKED = ("no_requirements", "no_model")  # nobody was asked: no tokens, no time
JUDGE = ("judge_kind", "model", "prompt_version")

# Of several decisions on a row of a run the newest counts, and none from before its task was
# reopened (judge.reopened). A row that a person had decided before
# the run holds what the judge itself said under "judged".
DECIDED = """
SELECT judge_kind, model, prompt_version, said, is_met, count(*)
FROM (
    SELECT DISTINCT ON (run.id, decision.requirement_id)
        run.judge_kind, run.model, run.prompt_version, decision.is_met,
        COALESCE(own.judged, decision.judged_status) AS said
    FROM judge_rowdecision decision
    JOIN judge_appeal appeal ON appeal.id = decision.appeal_id
    JOIN judge_checkrun run ON run.id = appeal.check_run_id
    LEFT JOIN LATERAL (
        SELECT each ->> 'judged' AS judged FROM jsonb_array_elements(run.checklist) each
        WHERE each ->> 'id' = decision.requirement_id::text AND each ->> 'decision' IS NOT NULL
        LIMIT 1
    ) own ON true
    WHERE decision.decided_at >= %s AND NOT EXISTS (
        SELECT FROM plans_reopening reopened JOIN plans_completion done
            ON done.id = reopened.completion_id
        WHERE done.action_id = decision.action_id AND done.how = 'checked'
            AND reopened.created_at >= decision.decided_at
    )
    ORDER BY run.id, decision.requirement_id, decision.decided_at DESC
) newest
GROUP BY 1, 2, 3, 4, 5
"""
# A completion's runs are those of its action since the completion before it.
COMPLETED = """
SELECT COALESCE(tap.judge_kind, done.judge_kind), COALESCE(tap.model, ''),
    COALESCE(tap.prompt_version, 0), count(*), count(*) FILTER (WHERE done.audit_missing),
    sum(spent.runs), sum(spent.prompt), sum(spent.cached), sum(spent.output),
    percentile_cont(0.5) WITHIN GROUP (ORDER BY spent.prompt + spent.output)
FROM plans_completion done
LEFT JOIN judge_checkrun tap ON tap.id = done.check_id
CROSS JOIN LATERAL (
    SELECT count(*) AS runs, COALESCE(sum(prompt_tokens), 0) AS prompt,
        COALESCE(sum(cached_tokens), 0) AS cached, COALESCE(sum(output_tokens), 0) AS output
    FROM judge_checkrun run
    WHERE run.action_id = done.action_id AND run.created_at <= done.confirmed_at
        AND run.created_at > COALESCE((
            SELECT max(earlier.confirmed_at) FROM plans_completion earlier
            WHERE earlier.action_id = done.action_id AND earlier.confirmed_at < done.confirmed_at
        ), '-infinity')
) spent
WHERE done.how = 'checked' AND done.confirmed_at >= %s
GROUP BY 1, 2, 3
"""


class Percentile(Aggregate):
    """The value that a share of the rows does not exceed, between two rows where it falls there."""

    function = "percentile_cont"
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


def read_health(since: datetime.datetime | None = None) -> Health:
    """Figures from `since` on, or of all time: runs by when they were written, decisions and
    completions by when they were made. Six queries."""
    runs = CheckRun.objects.order_by()
    if since:
        runs = runs.filter(created_at__gte=since)
    outcomes, reasons = _count_outcomes(runs)
    start = since or datetime.datetime.min.replace(tzinfo=datetime.UTC)
    by_month = since is None or datetime.datetime.now(datetime.UTC) - since > datetime.timedelta(
        days=DAYS_DRAWN
    )
    return Health(
        outcomes=outcomes,
        reasons=reasons,
        agreement=_count_agreement(start),
        flips=_count_flips(runs),
        costs=_add_up_costs(runs),
        completed={judge: Completed(*values) for judge, values in _read(COMPLETED, start)},
        days=_count_days(runs, by_month=by_month),
        by_month=by_month,
    )


def _count_outcomes(
    runs: QuerySet[CheckRun],
) -> tuple[dict[Judge, Outcomes], list[tuple[Judge, str, Share]]]:
    rows = runs.values(*JUDGE, "trigger", "outcome", "reason").annotate(
        runs=Count("pk"),
        stuck=Count("pk", filter=Q(is_stuck=True)),
        mismatched=Count("pk", filter=Q(all_met_mismatch=True)),
    )
    counts: dict[Judge, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    undecided: dict[tuple[Judge, str], int] = defaultdict(int)
    for row in rows:
        judge, number = _judge_of(row), row["runs"]
        found = counts[judge]
        found["taps" if row["trigger"] == CheckRun.Trigger.TAP else "checks"] += number
        found[row["outcome"]] += number
        found["stuck"] += row["stuck"]
        found["mismatched"] += row["mismatched"]
        if row["reason"]:
            undecided[judge, row["reason"]] += number
    outcomes = _sort({judge: Outcomes(**found) for judge, found in counts.items()})
    reasons = [
        (judge, reason, Share(number, outcomes[judge].runs))
        for (judge, reason), number in undecided.items()
    ]
    return outcomes, sorted(reasons, key=lambda each: (each[0], -each[2].part, each[1]))


def _count_agreement(start: datetime.datetime) -> dict[Judge, Confusion]:
    """What staff decided is the label; a row that was not met or not shown was refused."""
    counts: dict[Judge, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for judge, (said, is_met, number) in _read(DECIDED, start):
        if said == "undecided":
            name = "undecided_met" if is_met else "undecided_unmet"
        elif said == "met":
            name = "true_met" if is_met else "false_met"
        else:
            name = "false_unmet" if is_met else "true_unmet"
        counts[judge][name] += number
    return _sort({judge: Confusion(**found) for judge, found in counts.items()})


def _count_flips(runs: QuerySet[CheckRun]) -> dict[Judge, Flips]:
    """The check may be older than the period; the tap is in it."""
    before = CheckRun.objects.filter(
        action_id=OuterRef("action_id"),
        spec_version=OuterRef("spec_version"),
        trigger=CheckRun.Trigger.CHECK,
        outcome__in=(CheckRun.Outcome.PASSED, CheckRun.Outcome.FAILED),
        started_at__lt=OuterRef("started_at"),
    ).order_by("-started_at")
    rows = (
        runs.filter(trigger=CheckRun.Trigger.TAP)
        .annotate(before=Subquery(before.values("outcome")[:1]))
        .values(*JUDGE, "before", "outcome")
        .annotate(runs=Count("pk"))
        .exclude(before=None)
    )
    names = {
        ("passed", "passed"): "held",
        ("passed", "failed"): "lost",
        ("passed", "undecided"): "left_open",
        ("failed", "passed"): "gained",
        ("failed", "failed"): "still_failed",
        ("failed", "undecided"): "failed_open",
    }
    counts: dict[Judge, dict[str, int]] = defaultdict(dict)
    for row in rows:
        counts[_judge_of(row)][names[row["before"], row["outcome"]]] = row["runs"]
    return _sort({judge: Flips(**found) for judge, found in counts.items()})


def _add_up_costs(runs: QuerySet[CheckRun]) -> dict[Judge, Cost]:
    rows = (
        runs.exclude(reason__in=NOT_ASKED)
        .values(*JUDGE)
        .annotate(
            runs=Count("pk"),
            prompt=Sum("prompt_tokens"),
            cached=Sum("cached_tokens"),
            output=Sum("output_tokens"),
            p50=Percentile("milliseconds", share=0.5),
            p95=Percentile("milliseconds", share=0.95),
        )
    )
    names = [each.name for each in fields(Cost)]
    return _sort({_judge_of(row): Cost(*(row[name] for name in names)) for row in rows})


def _count_days(runs: QuerySet[CheckRun], *, by_month: bool) -> list[Day]:
    """Days without a run are left out."""
    cut: Callable[[str], Any] = TruncMonth if by_month else TruncDay
    numbers = {
        outcome: Count("pk", filter=Q(outcome=outcome)) for outcome in CheckRun.Outcome.values
    }
    rows = runs.annotate(day=cut("created_at")).values("day").annotate(**numbers).order_by("day")
    return [Day(**{**row, "day": row["day"].date()}) for row in rows]


def _read(sql: str, start: datetime.datetime) -> list[tuple[Judge, tuple[Any, ...]]]:
    """Rows of a query that begin with a judge."""
    with connection.cursor() as cursor:
        cursor.execute(sql, [start])
        rows = [(Judge(*row[:3]), row[3:]) for row in cursor.fetchall()]
    return sorted(rows, key=lambda row: row[0])


def _judge_of(row: Mapping[str, Any]) -> Judge:
    return Judge(*(row[name] for name in JUDGE))


def _sort(found: Mapping[Judge, Any]) -> dict[Judge, Any]:
    return {judge: found[judge] for judge in sorted(found)}
