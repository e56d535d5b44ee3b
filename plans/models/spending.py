"""How many model calls a student has used today, what is held back for a tap, and what staff set.

None of this can complete anything: it only ends calls before they are made.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Purpose(models.TextChoices):
    """What a call is for. Each has a ceiling of its own, so that none uses up another."""

    CHAT = "chat", "Copilot"
    CHECK = "check", "Checks and taps"
    PLANNING = "planning", "Plan making"
    BACKGROUND = "background", "Background work"


class DailyUse(models.Model):
    """Model calls of one student, day and purpose. Its row is the lock under which they count."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    day = models.DateField()
    purpose = models.CharField(max_length=16, choices=Purpose)
    calls = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-day", "student", "purpose")
        verbose_name = verbose_name_plural = "daily use"
        constraints = (
            models.UniqueConstraint(fields=("student", "day", "purpose"), name="one_use_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.get_purpose_display()}, {self.day}: {self.calls}"


class HeldTap(models.Model):
    """Calls that a passed check (or one under way) holds back, today, for the tap that follows on
    the task as it is at this version."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    day = models.DateField()
    action = models.ForeignKey("plans.Action", on_delete=models.CASCADE, related_name="+")
    spec_version = models.PositiveIntegerField(default=0)
    calls = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("-day",)
        constraints = (
            models.UniqueConstraint(fields=("student", "day", "action"), name="one_tap_held"),
        )

    def __str__(self) -> str:
        return f"{self.day}: {self.calls}"


class Allowance(models.Model):
    """A ceiling that staff set for one student and purpose, from now on. The newest counts."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    purpose = models.CharField(max_length=16, choices=Purpose)
    daily_calls = models.PositiveIntegerField()
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        indexes = (models.Index(fields=("student", "purpose", "-created_at")),)

    def __str__(self) -> str:
        return f"{self.get_purpose_display()}: {self.daily_calls} a day"


class ModelSwitch(models.Model):
    """Staff switched all model calls off, or on again. The newest counts; without one, on."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    is_off = models.BooleanField("switch all model calls off", default=True)
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        verbose_name_plural = "model switches"
        constraints = (models.CheckConstraint(condition=~Q(reason=""), name="switch_has_reason"),)

    def __str__(self) -> str:
        return "Off" if self.is_off else "On"
