"""FollowUp: the outbox. A row says that work is still to do; the handlers live in sessions."""

import uuid

from django.db import models
from django.db.models import Q


class FollowUp(models.Model):
    """One piece of best-effort work after a completion, a reopening or a session's end.

    `key` is unique, so the same cause never leaves two rows. `session_id` is an opaque value:
    sessions stand above plans.
    """

    class Kind(models.TextChoices):
        CLOSE_SESSIONS = "close_sessions", "Close the task's sessions"
        REMEMBER_SESSION = "remember_session", "Remember the session"
        REFRESH_REPORT = "refresh_report", "Refresh the progress report"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=120, unique=True)
    kind = models.CharField(max_length=32, choices=Kind)
    plan = models.ForeignKey("plans.Plan", on_delete=models.CASCADE, related_name="follow_ups")
    action = models.ForeignKey(
        "plans.Action", on_delete=models.CASCADE, null=True, related_name="follow_ups"
    )
    session_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    claimed_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=300, blank=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("created_at",)
        indexes = (
            models.Index(fields=("created_at",), condition=Q(done_at=None), name="followup_open"),
        )

    def __str__(self) -> str:
        return self.key
