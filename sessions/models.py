"""CopilotSession, Turn, and what is kept of them: MemorySummary and ProgressReport.

Frames are not here: they live in Valkey for half an hour (`sessions.frames`).
"""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q


class SessionQuerySet(models.QuerySet):
    def owned_by(self, user) -> Self:
        """Rows are this user's sessions on tasks that are not archived."""
        return self.filter(
            student=user, action__archived_at=None, action__week__plan__archived_at=None
        )

    def open(self) -> Self:
        return self.filter(ended_at=None)


class CopilotSession(models.Model):
    """One sitting of a student with the copilot on one action. At most one is open."""

    class EndReason(models.TextChoices):
        STUDENT = "student", "Ended by the student"
        IDLE = "idle", "Idle for too long"
        COMPLETED = "completed", "The task was completed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    action = models.ForeignKey(
        "plans.Action", on_delete=models.PROTECT, related_name="copilot_sessions"
    )
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="copilot_sessions",
    )
    started_at = models.DateTimeField(auto_now_add=True)
    last_active_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, editable=False)
    end_reason = models.CharField(max_length=16, choices=EndReason, blank=True)
    # A tap that started before this and has not written yet will not.
    cancelled_at = models.DateTimeField(null=True, editable=False)

    objects = SessionQuerySet.as_manager()

    class Meta:
        ordering = ("-started_at",)
        verbose_name = "session"
        constraints = (
            models.UniqueConstraint(
                fields=("action", "student"),
                condition=Q(ended_at=None),
                name="one_open_session",
            ),
        )
        indexes = (
            models.Index(
                fields=("last_active_at",),
                condition=Q(ended_at=None),
                name="session_open",
            ),
        )

    def __str__(self) -> str:
        return f"Session of {self.started_at:%Y-%m-%d %H:%M}"


class Turn(models.Model):
    """One utterance. A copilot's turn answers exactly one student's turn."""

    class Role(models.TextChoices):
        STUDENT = "student", "Student"
        COPILOT = "copilot", "Copilot"
        TOOL = "tool", "Tool"

    class Channel(models.TextChoices):
        TEXT = "text", "Text"
        VOICE = "voice", "Voice"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(CopilotSession, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    role = models.CharField(max_length=8, choices=Role)
    channel = models.CharField(max_length=8, choices=Channel, default=Channel.TEXT)
    text = models.TextField()
    client_id = models.CharField(max_length=64, null=True)  # noqa: DJ001 (unique where given)
    reply_to = models.OneToOneField(
        "self", on_delete=models.CASCADE, null=True, related_name="reply"
    )
    tool_name = models.CharField(max_length=64, blank=True)
    # "This is my work": no check leaves it out.
    pinned_at = models.DateTimeField(null=True, editable=False)
    # Of a copilot's turn: the student stopped it, and this is what had come.
    is_stopped = models.BooleanField(default=False, editable=False)
    # Of a student's turn: how often the copilot was asked, until when it is being asked now, and
    # the code of why the last try gave no reply.
    tries = models.PositiveIntegerField(default=0, editable=False)
    asked_until = models.DateTimeField(null=True, editable=False)
    no_reply_reason = models.CharField(max_length=32, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("session", "number")
        constraints = (
            models.UniqueConstraint(fields=("session", "number"), name="turn_number_once"),
            models.UniqueConstraint(fields=("session", "client_id"), name="turn_client_id_once"),
        )
        indexes = (
            models.Index(
                fields=("no_reply_reason",),
                condition=~Q(no_reply_reason=""),
                name="turn_no_reply",
            ),
        )

    def __str__(self) -> str:
        return f"{self.role} {self.number}"


class Picture(models.Model):
    """A picture the student kept for one row, until the task is done. Re-encoded, no metadata."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    action = models.ForeignKey("plans.Action", on_delete=models.CASCADE, related_name="pictures")
    requirement = models.ForeignKey(
        "plans.Requirement", on_delete=models.CASCADE, related_name="pictures"
    )
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    jpeg = models.BinaryField()
    is_black = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("created_at",)

    def __str__(self) -> str:
        return f"Picture of {self.created_at:%Y-%m-%d %H:%M}"


LONGEST_PART = 400


class MemoryQuerySet(models.QuerySet):
    def kept(self) -> Self:
        """Rows that still say something: what a student had deleted is not among them."""
        return self.filter(deleted_at=None)


class MemorySummary(models.Model):
    """What is remembered of one session; the next task's copilot is told it.

    A deleted one stays as a row without words, so that no late follow-up writes it again.
    """

    session = models.OneToOneField(
        CopilotSession,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="memory",
    )
    plan = models.ForeignKey("plans.Plan", on_delete=models.CASCADE, related_name="memories")
    made = models.CharField(max_length=LONGEST_PART, blank=True)
    decided = models.CharField(max_length=LONGEST_PART, blank=True)
    left_open = models.CharField(max_length=LONGEST_PART, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, editable=False)

    objects = MemoryQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at",)
        indexes = (models.Index(fields=("plan", "-created_at")),)
        constraints = (
            models.CheckConstraint(
                condition=Q(deleted_at=None) | Q(made="", decided="", left_open=""),
                name="deleted_memory_is_blank",
            ),
        )

    def __str__(self) -> str:
        return "(deleted)" if self.deleted_at else self.made[:60]


class ProgressReport(models.Model):
    """One row a plan, computed again after each completion and session: what was done and how,
    what is open, and when the plan was last worked on."""

    plan = models.OneToOneField(
        "plans.Plan", on_delete=models.CASCADE, primary_key=True, related_name="report"
    )
    content = models.JSONField(default=dict)
    last_worked_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"Report of {self.plan_id}"
