"""ActionEdit: one change a student made to a task. A fact: the database lets nobody change it.

Rows are written by `plans.editing` alone; `plans.history` puts them into words.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class ActionEdit(models.Model):
    """`before` and `after` hold what differs, under the names that `plans.history` reads: nothing
    before a task was added, nothing after it was dropped."""

    class Kind(models.TextChoices):
        EDITED = "edited", "Edited"
        MOVED = "moved", "Moved"
        ADDED = "added", "Added"
        DROPPED = "dropped", "Dropped"
        RESTORED = "restored", "Restored"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    action = models.ForeignKey("plans.Action", on_delete=models.PROTECT, related_name="edits")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    kind = models.CharField(max_length=8, choices=Kind)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    spec_version = models.PositiveIntegerField()

    class Meta:
        ordering = ("-at",)
        indexes = (models.Index(fields=("action", "-at")),)
        constraints = (
            models.CheckConstraint(
                condition=Q(kind__in=("edited", "moved", "added", "dropped", "restored")),
                name="edit_kind",
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.at:%Y-%m-%d %H:%M}"
