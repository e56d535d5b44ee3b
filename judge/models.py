"""CheckRun, the audit row of one judge run; Appeal, a student's objection; RowDecision, the answer.

A CheckRun and a RowDecision are never changed or deleted (the database refuses). None of them
completes anything.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone


class CheckRun(models.Model):
    """What was asked, what came back, and what code made of it."""

    class Trigger(models.TextChoices):
        CHECK = "check", "Check"
        TAP = "tap", "Mark complete"

    class Outcome(models.TextChoices):
        PASSED = "passed", "Passed"
        FAILED = "failed", "Failed"
        UNDECIDED = "undecided", "Undecided"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    action = models.ForeignKey("plans.Action", on_delete=models.PROTECT, related_name="check_runs")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    session_id = models.UUIDField(null=True)
    trigger = models.CharField(max_length=8, choices=Trigger)
    outcome = models.CharField(max_length=16, choices=Outcome)
    reason = models.CharField(max_length=32, blank=True)
    checklist = models.JSONField(default=list)
    summary = models.TextField(blank=True)
    is_stuck = models.BooleanField(default=False)
    all_met_mismatch = models.BooleanField(default=False)
    spec_version = models.PositiveIntegerField()
    judge_kind = models.CharField(max_length=32)
    model = models.CharField(max_length=100, blank=True)
    prompt_version = models.PositiveIntegerField()
    prompt_hash = models.CharField(max_length=64)
    evidence = models.JSONField(default=dict)
    request = models.JSONField(default=dict)
    replies = models.JSONField(default=list)
    prompt_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    milliseconds = models.PositiveIntegerField(default=0)
    # Which check is the newest, and which came before another, goes by this: a slow one that
    # started earlier is written later.
    started_at = models.DateTimeField(default=timezone.now, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        indexes = (
            models.Index(fields=("action", "-started_at")),
            models.Index(fields=("-created_at",)),
        )

    def __str__(self) -> str:
        return f"{self.get_trigger_display()}: {self.get_outcome_display()}"


class Appeal(models.Model):
    """A student's objection to a check, or to one row of it. Staff decide; it completes nothing."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    check_run = models.ForeignKey(CheckRun, on_delete=models.PROTECT, related_name="appeals")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    requirement_id = models.UUIDField(null=True)
    message = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # Set with the last row that was asked for; pictures that came with the appeal go with it.
    decided_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ("-created_at",)
        constraints = (
            models.UniqueConstraint(
                fields=("check_run", "requirement_id"),
                name="one_appeal_per_row",
                nulls_distinct=False,
            ),
        )

    def __str__(self) -> str:
        return f"Appeal of {self.created_at:%Y-%m-%d %H:%M}"


class AppealFrame(models.Model):
    """A picture the judge saw, kept with the student's consent until the appeal is decided."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    appeal = models.ForeignKey(Appeal, on_delete=models.CASCADE, related_name="frames")
    jpeg = models.BinaryField()
    taken_at = models.DateTimeField()

    class Meta:
        ordering = ("taken_at",)

    def __str__(self) -> str:
        return f"Picture of {self.taken_at:%Y-%m-%d %H:%M}"


class RowDecision(models.Model):
    """What a person decided on one row of a contested check. The judge's verdict stays beside it.

    A row decided as met counts for a later tap at the same spec version, and for nothing else.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="decisions")
    action = models.ForeignKey("plans.Action", on_delete=models.PROTECT, related_name="+")
    requirement_id = models.UUIDField()
    spec_version = models.PositiveIntegerField()
    judged_status = models.CharField(max_length=16)
    is_met = models.BooleanField()
    reason = models.CharField(max_length=500)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-decided_at",)
        indexes = (models.Index(fields=("action", "spec_version")),)
        constraints = (
            models.UniqueConstraint(
                fields=("appeal", "requirement_id"), name="one_decision_per_row"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="decision_has_reason"),
        )

    def __str__(self) -> str:
        return "Met" if self.is_met else "Not met"
