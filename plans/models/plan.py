"""Plan and Week: the frame around the actions. All but `completed_at` is derived from them."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q


class PlanQuerySet(models.QuerySet):
    def owned_by(self, user) -> Self:
        """Rows are this user's plans that are not archived."""
        return self.filter(owner=user, archived_at=None)


class Plan(models.Model):
    """A student's project: what it should become, and in how much time."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="plans"
    )
    title = models.CharField(max_length=200)
    goal = models.TextField(blank=True)
    hours_per_week = models.PositiveSmallIntegerField(null=True, blank=True)
    target_date = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    completed_at = models.DateTimeField(null=True, editable=False)
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = PlanQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at",)
        indexes = (models.Index(fields=("owner", "-created_at")),)

    def __str__(self) -> str:
        return self.title


class Week(models.Model):
    """A numbered stretch of a plan. Its text is part of what a judge reads about each action."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="weeks")
    number = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    completed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ("plan", "number")
        constraints = (
            models.UniqueConstraint(fields=("plan", "number"), name="week_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="week_number_from_one"),
        )

    def __str__(self) -> str:
        return f"Week {self.number}: {self.title}"
