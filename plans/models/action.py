"""Action and Requirement, and the one writer of COMPLETED.

Nothing else in the product writes `status`; the database refuses what does (migration 0002).
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from typing import Self

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from plans import outbox
from plans.agreed_rows import AgreedRow, AgreementRefused, clean_rows, fold_title
from plans.errors import (
    AlreadyCompleted,
    Archived,
    CompletionNotConfirmed,
    NotOwner,
    ReopenRefused,
    SpecChanged,
)
from plans.passed_check import PassedCheck

from .completion import Completion, How, Reopening
from .followup import FollowUp
from .plan import Plan, Week


class Status(models.TextChoices):
    NOT_STARTED = "not_started", "Not started"
    IN_PROGRESS = "in_progress", "In progress"
    COMPLETED = "completed", "Completed"


class EvidenceKind(models.TextChoices):
    WRITTEN = "written", "In your words"
    SHOWN = "shown", "Shown on screen or pasted"
    EITHER = "either", "Written or shown"


class Origin(models.TextChoices):
    PLAN = "plan", "From the plan"
    AGREED = "agreed", "Agreed at the start of a session"


class ActionQuerySet(models.QuerySet):
    def owned_by(self, user) -> Self:
        """Rows are actions in this user's plans, nothing archived."""
        return self.filter(week__plan__owner=user, archived_at=None, week__plan__archived_at=None)


class Action(models.Model):
    """One task of a plan. `spec_version` is raised by the database when its text changes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    week = models.ForeignKey(Week, on_delete=models.CASCADE, related_name="actions")
    position = models.PositiveSmallIntegerField(default=0)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    status = models.CharField(
        max_length=16, choices=Status, default=Status.NOT_STARTED, editable=False
    )
    spec_version = models.PositiveIntegerField(default=1, editable=False)
    current_completion = models.OneToOneField(
        Completion,
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
    )
    # What plan making knew of it. None of it is part of the task's text: no check goes by it.
    hours = models.PositiveSmallIntegerField(null=True, blank=True)
    topics = models.JSONField(default=list, blank=True)
    depends_on = models.JSONField(default=list, blank=True)  # ids of actions of the same plan
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = ActionQuerySet.as_manager()

    class Meta:
        ordering = ("week", "position", "id")
        constraints = (
            models.CheckConstraint(condition=Q(status__in=Status.values), name="action_status"),
            models.CheckConstraint(
                condition=Q(status=Status.COMPLETED, current_completion__isnull=False)
                | ~Q(status=Status.COMPLETED) & Q(current_completion=None),
                name="completed_needs_completion",
            ),
        )

    def __str__(self) -> str:
        return self.title

    @transaction.atomic
    def update_status(
        self,
        status: str,
        *,
        by,
        confirmed: bool = False,
        check: PassedCheck | None = None,
    ) -> Completion | None:
        """Write this action's status: the one door to COMPLETED.

        Returns the current Completion after the call, or None. Already having the status is a
        quiet success. With a PassedCheck the completion is `checked`, without it
        `self_reported`. Raises CompletionNotConfirmed, NotOwner, SpecChanged, AlreadyCompleted,
        Archived, or ValueError for a status that does not exist.
        """
        status = Status(status)
        if status == Status.COMPLETED and confirmed is not True:
            raise CompletionNotConfirmed
        plan, action = self.lock()
        if plan.owner_id != by.pk:
            raise NotOwner
        if action.status == Status.COMPLETED and status != Status.COMPLETED:
            raise AlreadyCompleted
        if action.status != status:
            if plan.archived_at or action.archived_at:
                raise Archived
            if status == Status.COMPLETED:
                action._complete(plan, by, check)
            else:
                action.status = status
                action.save(update_fields=("status",))
        self._take_state_of(action)
        return action.current_completion

    update_status.alters_data = True

    @transaction.atomic
    def reopen(self, *, by, reason: str = "") -> Reopening:
        """End the current completion: staff for any, with a reason; the owner for a self-report.

        The action is in progress again. Raises ReopenRefused, Archived, or NotOwner for anybody
        else.
        """
        plan, action = self.lock()
        is_owner = plan.owner_id == by.pk
        if not is_owner and not by.is_staff:
            raise NotOwner
        if plan.archived_at or action.archived_at:
            raise Archived
        completion = action.current_completion
        if completion is None:
            raise ReopenRefused("This task is not complete, so there is nothing to take back.")
        reason = reason.strip()
        if is_owner and completion.how == How.SELF_REPORTED:
            reason = reason or "Taken back by the student"
        elif not by.is_staff:
            raise ReopenRefused("This task was checked. Ask your teacher if it should be reopened.")
        if not reason:
            raise ReopenRefused("Say in a sentence why this task is reopened.")
        reopening = Reopening.objects.create(completion=completion, by=by, reason=reason[:500])
        action.status, action.current_completion = Status.IN_PROGRESS, None
        action.save(update_fields=("status", "current_completion"))
        settle_completed_at(plan)
        outbox.add(
            f"reopening:{reopening.pk}",
            plan.pk,
            [FollowUp.Kind.REFRESH_REPORT],
            action_id=self.pk,
        )
        self._take_state_of(action)
        return reopening

    reopen.alters_data = True

    @transaction.atomic
    def agree_on(self, rows: Sequence[AgreedRow], *, by) -> bool:
        """Make `rows` all that is agreed on beside the plan's own requirements; none takes it back.

        Returns whether anything changed, and then the database has raised the spec version. A row
        whose title or place stays keeps its id; the plan's rows are never touched. Raises NotOwner,
        AlreadyCompleted, Archived, AgreementRefused.
        """
        plan, action = self.lock()
        if plan.owner_id != by.pk:
            raise NotOwner
        if plan.archived_at or action.archived_at:
            raise Archived
        if action.status == Status.COMPLETED:
            raise AlreadyCompleted
        wanted = clean_rows(rows)
        before = list(action.requirements.order_by("position", "id"))
        planned = [row for row in before if row.origin != Origin.AGREED]
        known = {fold_title(row.title) for row in planned}
        for row in wanted:
            if fold_title(row.title) in known:
                raise AgreementRefused(f"“{row.title}” is on the list already. Leave it out here.")
        agreed = [row for row in before if row.origin == Origin.AGREED]
        is_changed = action._write_agreed(wanted, agreed, first=_place_after(planned))
        action.refresh_from_db(fields=("spec_version",))
        self._take_state_of(action)
        return is_changed

    agree_on.alters_data = True

    def _write_agreed(
        self, wanted: Sequence[AgreedRow], agreed: "Sequence[Requirement]", *, first: int
    ) -> bool:
        """Write the difference alone, from position `first` on. The caller holds the locks."""
        known = {row.title: row for row in agreed}
        spare = [row.pk for row in agreed if known[row.title] is not row]
        titles = {row.title for row in wanted}
        # Among as many lines as before, one in the place of another that is not wanted any more is
        # that line, corrected: what hangs on it, as its pictures, stays.
        pairs = zip(agreed, wanted, strict=True) if len(agreed) == len(wanted) else ()
        for old, new in pairs:
            if old.title not in titles and new.title not in known:
                known[new.title] = known.pop(old.title)
        gone = [row for title, row in known.items() if title not in titles]
        delete_rows([*spare, *(row.pk for row in gone)])
        is_changed = bool(gone or spare)
        for position, (title, kind) in enumerate(map(astuple, wanted), start=first):
            row = known.get(title) or Requirement(action=self, origin=Origin.AGREED)
            if (row.title, row.position, row.evidence_kind) != (title, position, kind):
                row.title, row.position, row.evidence_kind = title, position, kind
                row.save()
                is_changed = True
        return is_changed

    def lock(self) -> tuple[Plan, "Action"]:
        """Lock the plan row, then the action row, and re-read both. Always in this order: two
        taps on the last two actions of a week must see each other, and an edit must see a tap."""
        plan = Plan.objects.select_for_update(no_key=True, of=("self",)).get(weeks__actions=self.pk)
        action = (
            Action.objects.select_for_update(no_key=True, of=("self",))
            .select_related("current_completion")
            .get(pk=self.pk)
        )
        return plan, action

    def _complete(self, plan: Plan, by, check: PassedCheck | None) -> None:
        """Write the Completion and what follows from it. The caller holds the locks."""
        if check and (check.action_id, check.spec_version) != (
            self.pk,
            self.spec_version,
        ):
            raise SpecChanged
        completion = Completion(action=self, confirmed_by=by, spec_version=self.spec_version)
        if check:
            completion.how = How.CHECKED
            completion.judge_kind = check.judge_kind
            completion.check_id = check.check_id
            completion.audit_missing = check.check_id is None
            completion.checklist = [row.as_json() for row in check.checklist]
        else:
            completion.how = How.SELF_REPORTED
        completion.save(force_insert=True)
        self.status, self.current_completion = Status.COMPLETED, completion
        self.save(update_fields=("status", "current_completion"))
        self._close_week_and_plan(plan)
        outbox.add(
            f"completion:{completion.pk}",
            plan.pk,
            [FollowUp.Kind.CLOSE_SESSIONS, FollowUp.Kind.REFRESH_REPORT],
            action_id=self.pk,
        )

    def _close_week_and_plan(self, plan: Plan) -> None:
        settle_completed_at(plan)

    def _take_state_of(self, action: "Action") -> None:
        self.status = action.status
        self.spec_version = action.spec_version
        self.current_completion = action.current_completion


def settle_completed_at(plan: Plan, *, closing: uuid.UUID | None = None) -> None:
    """Set and clear `completed_at` of the plan and its weeks by their tasks: a week, and the plan,
    is complete when something in it is done and nothing is open. `plan` was read under its lock,
    which the caller holds.

    A week without tasks stays as it is; `closing` is the week that the student closes by a tap,
    also without any.
    """
    live = Action.objects.filter(week__plan=plan, archived_at=None).order_by()
    rows = set(live.values_list("week_id", "status", "week__completed_at").distinct())
    is_open = {week for week, status, _ in rows if status != Status.COMPLETED}
    is_done = {week for week, _, _ in rows} - is_open
    had = {week for week, _, completed_at in rows if completed_at}
    now, weeks = timezone.now(), Week.objects.filter(plan=plan)
    if to_open := is_open & had:
        weeks.filter(pk__in=to_open).update(completed_at=None)
    if to_close := (is_done - had) | ({closing} - is_open - {None}):
        weeks.filter(pk__in=to_close, completed_at=None).update(completed_at=now)
    is_complete = bool(is_done) and not is_open
    if bool(plan.completed_at) != is_complete:
        Plan.objects.filter(pk=plan.pk).update(completed_at=now if is_complete else None)


def delete_rows(ids: Iterable[uuid.UUID]) -> None:
    """Delete requirements with what hangs on them. The rows are locked first: a picture that is
    just being kept for one is waited for, and goes too."""
    rows = Requirement.objects.filter(pk__in=ids)
    list(rows.select_for_update().order_by("pk").values_list("pk"))
    rows.delete()


def _place_after(rows: "Sequence[Requirement]") -> int:
    return max((row.position for row in rows), default=-1) + 1


class Requirement(models.Model):
    """One checkable line of an action, shown to the student from the start."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    action = models.ForeignKey(Action, on_delete=models.CASCADE, related_name="requirements")
    position = models.PositiveSmallIntegerField(default=0)
    title = models.CharField(max_length=300)
    evidence_kind = models.CharField(
        max_length=8, choices=EvidenceKind, default=EvidenceKind.EITHER
    )
    origin = models.CharField(max_length=8, choices=Origin, default=Origin.PLAN)

    class Meta:
        ordering = ("action", "position", "id")
        constraints = (
            models.CheckConstraint(
                condition=Q(evidence_kind__in=EvidenceKind.values),
                name="requirement_evidence_kind",
            ),
            models.CheckConstraint(
                condition=Q(origin__in=Origin.values), name="requirement_origin"
            ),
            models.CheckConstraint(condition=~Q(title=""), name="requirement_title"),
        )

    def __str__(self) -> str:
        return self.title
