"""Finishing tasks in tests, in each of the ways there are, always through the one writer."""

import datetime
import uuid

from django.db import transaction
from django.db.models import OuterRef, Subquery

from plans.models import Action, Completion, How, Plan, Requirement, Status, Week
from plans.passed_check import CheckedRow, PassedCheck
from plans.status import self_report


def finish(action: Action, kind: str = "checked", *, by_staff: int = 0) -> Completion:
    """Finish a task as its owner: `checked`, `by_rules` or `self_reported`. Of a checked one staff
    decided `by_staff` rows."""
    action = Action.objects.select_related("week__plan__owner").get(pk=action.pk)
    owner = action.week.plan.owner
    if kind == "self_reported":
        return self_report(action, by=owner)
    judge = "rules" if kind == "by_rules" else "gemini"
    return action.update_status(
        Status.COMPLETED, by=owner, confirmed=True, check=make_passed_check(action, judge, by_staff)
    )


def make_passed_check(action: Action, judge_kind: str, by_staff: int = 0) -> PassedCheck:
    """Every row met, with a note and a quote as a judge leaves them; the first `by_staff` of them
    by a person's decision."""
    rows = tuple(
        CheckedRow(
            row.pk,
            row.title,
            "met",
            "You named both.",
            ({"turn": 1, "quote": "Rain"},),
            **({"decision_id": uuid.uuid4(), "judged": "not_met"} if place < by_staff else {}),
        )
        for place, row in enumerate(action.requirements.all())
    )
    return PassedCheck(
        action_id=action.pk,
        spec_version=action.spec_version,
        requirement_ids=frozenset(row.id for row in rows),
        checklist=rows,
        judge_kind=judge_kind,
    )


@transaction.atomic
def add_finished(plan: Plan, number: int) -> None:
    """That many weeks more, each with a checked task. In bulk, for counting queries alone; the
    database takes only a consistent record."""
    before = plan.weeks.count()
    weeks = Week.objects.bulk_create(
        Week(plan=plan, number=before + at, title=f"Week {at}") for at in range(1, number + 1)
    )
    actions = Action.objects.bulk_create(Action(week=week, title="Task") for week in weeks)
    Requirement.objects.bulk_create(Requirement(action=one, title="Row") for one in actions)
    made = Action.objects.filter(week__in=weeks)
    Completion.objects.bulk_create(
        Completion(
            action=action,
            confirmed_by=plan.owner,
            confirmed_at=datetime.datetime.now(datetime.UTC),
            how=How.CHECKED,
            judge_kind="gemini",
            spec_version=action.spec_version,
            checklist=[row.as_json() for row in make_passed_check(action, "gemini").checklist],
            audit_missing=True,
        )
        for action in made.prefetch_related("requirements")
    )
    current = Completion.objects.filter(action=OuterRef("pk")).values("pk")
    made.update(status=Status.COMPLETED, current_completion=Subquery(current))
