"""CheckRun, the audit row of one judge run, and Appeal, a student's objection to a row.

A CheckRun is never changed or deleted (the database refuses); neither completes anything.
"""

import uuid

from django.conf import settings
from django.db import models


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
    request = models.JSONField(default=dict)
    replies = models.JSONField(default=list)
    prompt_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    milliseconds = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        indexes = (
            models.Index(fields=("action", "-created_at")),
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
