"""A shared plan and everything around it, with a value of its own in every column of every model.

The values are made by introspection of the models' fields, so a new column gets one by itself.
Two worlds have the same public values, and differ in every private one that may differ.
"""

import datetime
import itertools
import re
import uuid
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection, models
from django.http import HttpResponse

from plans.models import Action, How, Status
from tests.public_columns import PUBLIC

CHECKLIST = "plans.Completion.checklist"
MODELS = apps.get_models(include_auto_created=True)
_numbers = itertools.count(1)
_public_numbers: dict[tuple[str, str], int] = {}


class Canary(NamedTuple):
    """A value planted in a column (`plans.Plan.title`) of a row that the test has named."""

    row: str
    column: str
    value: Any

    @property
    def mark(self) -> str | None:
        """What gives it away wherever it is printed: of a time its year. A word of a fixed
        vocabulary, a boolean, nothing: they have no mark, and only a second world finds them."""
        value = self.value
        if isinstance(value, datetime.date):
            return str(value.year)
        if isinstance(value, bool) or value is None:
            return None
        if isinstance(value, int):
            return str(value) if value >= 10_000 else None
        if isinstance(value, uuid.UUID):
            return str(value)
        found = re.search(r"canary\d{5}x", str(value))
        return found and found.group()


def columns_of(model: type[models.Model]) -> set[str]:
    return {field.name for field in model._meta.concrete_fields}


def find_shown(response: HttpResponse, canaries: Iterable[Canary]) -> set[tuple[str, str]]:
    """Which of them stand in an answer's body, headers or cookies, as (row, column)."""
    headers = [pair for pair in response.headers.items() if pair[0] != "Content-Length"]
    text = f"{response.content.decode()}\n{headers}\n{response.cookies.output()}"
    text = text.replace("-", "")  # ids are ids also without their hyphens
    return {
        (canary.row, canary.column)
        for canary in canaries
        if canary.mark and canary.mark.replace("-", "") in text
    }


class World:
    """`number` is 0 or 1. Everything is inserted as it stands here, past the models' own defaults,
    and the database takes it: no trigger, constraint or key is switched off."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._values: dict[tuple[str, str], Any] = {}
        self._add_people()
        self.plan = self.plant("plans.Plan", "plan", owner=self.owner, archived_at=None)
        self.week = self.plant("plans.Week", "week", plan=self.plan)
        self._add_tasks()
        self._add_other_plans()
        self._add_work(self.finished["checked"])
        self.token = self.value_of("shared", "plans.Proof.token")
        connection.check_constraints()

    def plant(self, label: str, row: str, **given: Any) -> Any:
        """Insert a row with a value of its own in every column that is not given; its key."""
        model = apps.get_model(label)
        values = {}
        for field in model._meta.concrete_fields:
            column = f"{label}.{field.name}"
            values[field] = given.pop(field.name, ...)
            if values[field] is ...:
                values[field] = self._make_value(field, column, row)
            if column != CHECKLIST:  # whose parts have values of their own
                self._values[row, column] = values[field]
        assert not given, f"{label} has no {sorted(given)}"
        insert(model, values)
        return values[model._meta.pk]

    def _make_value(self, field: models.Field, column: str, row: str) -> Any:
        label, name = column.rsplit(".", 1)
        is_public = name in PUBLIC.get(label, ())
        number = number_for(column, row) if is_public else next(_numbers)
        value = make_value(field, number, 0 if is_public else self.number)
        if is_public and isinstance(value, datetime.datetime):
            value = value.replace(hour=9 + 8 * self.number)  # the day is public, the hour is not
        return value

    @property
    def canaries(self) -> list[Canary]:
        return [Canary(*place, value) for place, value in self._values.items()]

    def value_of(self, row: str, column: str) -> Any:
        return self._values[row, column]

    def _change(self, row: str, action: Any, **values: Any) -> None:
        """Change columns of a task that was planted as this row."""
        Action.objects.filter(pk=action).update(**values)
        self._values |= {(row, f"plans.Action.{name}"): values[name] for name in values}

    def _add_people(self) -> None:
        self.owner = self.plant("auth.User", "owner", is_active=True)
        self.teacher = self.plant("auth.User", "teacher", is_staff=True)
        self.kind = self.plant("contenttypes.ContentType", "kind")
        right = self.plant("auth.Permission", "right", content_type=self.kind)
        course = self.plant("auth.Group", "course")
        self.plant("auth.Group_permissions", "course", group=course, permission=right)
        self.plant("auth.User_groups", "owner", user=self.owner, group=course)
        self.plant("auth.User_user_permissions", "owner", user=self.owner, permission=right)
        self.plant("sessions.Session", "login")
        self.plant("admin.LogEntry", "log", user=self.teacher, content_type=self.kind)

    def _add_tasks(self) -> None:
        self.finished = {
            "checked": self._finish("checked"),
            "by_rules": self._finish("by_rules", judge_kind="rules"),
            "self_reported": self._finish("self_reported", how=How.SELF_REPORTED),
        }
        later = self.plant("plans.Week", "later", plan=self.plan)
        status = (Status.NOT_STARTED, Status.IN_PROGRESS)[self.number]
        self._add_action("open", later, status=status)
        archived = self._finish("archived", later)
        self._change("archived", archived, archived_at=make_time(next(_numbers)))
        reopened = self._finish("reopened", later)
        self._reopen(reopened, status)

    def _add_action(self, row: str, week: Any, **given: Any) -> Any:
        empty = {"status": Status.NOT_STARTED, "current_completion": None, "archived_at": None}
        action = self.plant("plans.Action", row, week=week, **{**empty, **given})
        self.plant("plans.Requirement", row, action=action)
        # The database has raised it, with the requirement.
        self._change(row, action, spec_version=Action.objects.get(pk=action).spec_version)
        return action

    def _finish(self, row: str, week: Any = None, how: str = How.CHECKED, **given: Any) -> Any:
        action = self._add_action(row, week or self.week)
        if how == How.SELF_REPORTED:
            given |= {"judge_kind": "", "check_id": None, "audit_missing": False, "checklist": []}
        else:
            given["checklist"] = [self._make_row(row)]
            given["audit_missing"] = bool(self.number)
            given |= {"check_id": None} if self.number else {}
        completion = self.plant(
            "plans.Completion",
            row,
            action=action,
            confirmed_by=self.owner,
            how=how,
            spec_version=Action.objects.get(pk=action).spec_version,
            **given,
        )
        self._change(row, action, status=Status.COMPLETED, current_completion=completion)
        return action

    def _make_row(self, row: str) -> dict[str, Any]:
        """A row of a checklist, each part with a value of its own."""
        parts = {
            "id": self.value_of(row, "plans.Requirement.id"),
            "title": make_text(number_for(f"{CHECKLIST}.title", row)),
            "status": "met",
            "note": make_text(next(_numbers)),
            "evidence": [{"turn": 1, "quote": make_text(next(_numbers))}],
            "decision": make_text(next(_numbers)),
            "judged": make_text(next(_numbers)),
        }
        self._values |= {(row, f"{CHECKLIST}.{name}"): part for name, part in parts.items()}
        return {**parts, "id": str(parts["id"])}

    def _reopen(self, action: Any, status: str) -> None:
        completion = Action.objects.get(pk=action).current_completion_id
        self.plant("plans.Reopening", "reopened", completion=completion, by=self.teacher)
        self._change("reopened", action, status=status, current_completion=None)

    def _add_other_plans(self) -> None:
        self.plant("plans.Proof", "withdrawn", plan=self.plan)
        self.plant("plans.Proof", "shared", plan=self.plan, withdrawn_at=None)
        for row, person in (("old plan", self.owner), ("another's plan", self.teacher)):
            plan = self.plant("plans.Plan", row, owner=person)
            week = self.plant("plans.Week", row, plan=plan)
            self._add_action(row, week)
        self.plant("plans.Erasure", "erasure", person=self.owner, by=self.teacher)
        self.plant("plans.DailyUse", "use", student=self.owner)
        self.plant("plans.Allowance", "allowance", student=self.owner, by=self.teacher)
        self.plant("plans.ModelSwitch", "switch", by=self.teacher)

    def _add_work(self, action: Any) -> None:
        follow_up = {"plan": self.plan, "action": action}
        self.plant("plans.FollowUp", "work", **follow_up)
        self.plant("plans.PlanDraft", "making", owner=self.owner, plan=None)
        self.plant("plans.PlanDraft", "made", owner=self.owner, plan=self.plan, state="accepted")
        student = {"action": action, "student": self.owner}
        self.plant("plans.HeldTap", "work", **student)
        self.plant("plans.ActionEdit", "work", action=action, by=self.owner)
        session = self.plant("copilot_sessions.CopilotSession", "work", **student)
        asked = self.plant("copilot_sessions.Turn", "asked", session=session, reply_to=None)
        self.plant("copilot_sessions.Turn", "reply", session=session, reply_to=asked)
        kept = {"session": session, "plan": self.plan, "deleted_at": None}
        self.plant("copilot_sessions.MemorySummary", "work", **kept)
        ended = self.plant("copilot_sessions.CopilotSession", "forgotten", **student)
        gone = dict.fromkeys(("made", "decided", "left_open"), "")
        self.plant(
            "copilot_sessions.MemorySummary", "forgotten", session=ended, plan=self.plan, **gone
        )
        self.plant("copilot_sessions.ProgressReport", "work", plan=self.plan)
        run = self.plant("judge.CheckRun", "work", **student)
        appeal = self.plant("judge.Appeal", "work", check_run=run, student=self.owner)
        self.plant("judge.AppealFrame", "work", appeal=appeal)
        decision = {"appeal": appeal, "action": action, "decided_by": self.teacher}
        self.plant("judge.RowDecision", "work", **decision)
        requirement = self.value_of("checked", "plans.Requirement.id")
        self.plant("copilot_sessions.Picture", "work", **student, requirement=requirement)


def number_for(column: str, row: str) -> int:
    """A number that is the same in every world."""
    return _public_numbers.setdefault((column, row), next(_numbers))


def make_text(number: int) -> str:
    return f"canary{number:05}x"


def make_time(number: int) -> datetime.datetime:
    """In a year of its own, far from today's, which no other number on a page is likely to be."""
    return datetime.datetime(3000 + number, 6, 15, 12, 34, 56, tzinfo=datetime.UTC)


def make_value(field: models.Field, number: int, world: int) -> Any:
    """A value that the column takes, unlike all others as far as its type goes."""
    if field.choices:
        codes = [code for code, _ in field.flatchoices]
        return codes[world % len(codes)]
    for kind, make in MAKERS.items():
        if isinstance(field, kind):
            return make(number, world)
    raise TypeError(f"Say in tests/canaries.py what stands in a {type(field).__name__}.")


# The first that fits: a DateTimeField is a DateField, a SmallIntegerField an IntegerField.
MAKERS: dict[type[models.Field], Callable[[int, int], Any]] = {
    models.BooleanField: lambda number, world: bool(world),
    models.UUIDField: lambda number, world: uuid.uuid5(uuid.NAMESPACE_OID, str(number)),
    models.BinaryField: lambda number, world: make_text(number).encode(),
    models.JSONField: lambda number, world: {make_text(number): [make_text(number)]},
    models.CharField: lambda number, world: make_text(number),
    models.TextField: lambda number, world: make_text(number),
    models.DateTimeField: lambda number, world: make_time(number),
    models.DateField: lambda number, world: make_time(number).date(),
    models.SmallIntegerField: lambda number, world: 20_000 + number,
    models.PositiveSmallIntegerField: lambda number, world: 20_000 + number,
    models.IntegerField: lambda number, world: 1_900_000_000 + 10 * number,
}


def insert(model: type[models.Model], values: dict[models.Field, Any]) -> None:
    """Past `auto_now_add` and every default, which would put their own values in."""
    quote = connection.ops.quote_name
    columns = ", ".join(quote(field.column) for field in values)
    places = ", ".join("%s" for _ in values)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({places})",
            [field.get_db_prep_save(value, connection) for field, value in values.items()],
        )
