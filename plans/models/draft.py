"""PlanDraft: a plan in the making, saved at each step, so that leaving the page loses nothing."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q


class PlanDraftQuerySet(models.QuerySet):
    def owned_by(self, user) -> Self:
        """Rows are this user's drafts, accepted ones too."""
        return self.filter(owner=user)

    def working(self) -> Self:
        """Rows are drafts that a worker has to go on with."""
        return self.filter(state__in=PlanDraft.WORKING)

    def pending(self) -> Self:
        """Rows are drafts that have not become a plan."""
        return self.exclude(state=PlanDraft.State.ACCEPTED)


class PlanDraft(models.Model):
    """One student's brief, and what has been made of it so far.

    `version` rises with every proposal, made or edited. A worker holds the draft by `claim` until
    `claimed_until`; `attempts` counts the claims since the last step that was finished.
    """

    class State(models.TextChoices):
        ASKED = "asked", "Waiting to begin"
        PROPOSING = "proposing", "Writing a first plan"
        REVIEWING = "reviewing", "Reading it against the criteria"
        REPAIRING = "repairing", "Putting right what was found"
        READY = "ready", "Ready for you"
        FAILED = "failed", "Did not come through"
        ACCEPTED = "accepted", "Accepted"

    WORKING = (State.ASKED, State.PROPOSING, State.REVIEWING, State.REPAIRING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="plan_drafts"
    )
    brief = models.JSONField()
    state = models.CharField(max_length=16, choices=State, default=State.ASKED)
    round = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    proposal = models.JSONField(null=True)
    review = models.JSONField(null=True)
    reason = models.CharField(max_length=40, blank=True)
    made_by = models.CharField(max_length=16, blank=True)
    model = models.CharField(max_length=100, blank=True)
    model_calls = models.PositiveSmallIntegerField(default=0)
    prompt_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    milliseconds = models.PositiveIntegerField(default=0)
    plan = models.OneToOneField(
        "plans.Plan", on_delete=models.PROTECT, null=True, related_name="draft"
    )
    claim = models.UUIDField(null=True, editable=False)
    claimed_until = models.DateTimeField(null=True, editable=False)
    attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = PlanDraftQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")
        indexes = (
            models.Index(fields=("owner", "-created_at")),
            models.Index(
                fields=("created_at",),
                condition=Q(state__in=("asked", "proposing", "reviewing", "repairing")),
                name="draft_working",
            ),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(
                    state__in=(
                        "asked",
                        "proposing",
                        "reviewing",
                        "repairing",
                        "ready",
                        "failed",
                        "accepted",
                    )
                ),
                name="draft_state",
            ),
            models.CheckConstraint(
                condition=Q(state="accepted", plan__isnull=False)
                | ~Q(state="accepted") & Q(plan=None),
                name="accepted_has_plan",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=("reviewing", "repairing", "ready", "accepted"))
                | Q(proposal__isnull=False),
                name="draft_has_proposal",
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_state_display()} {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def is_working(self) -> bool:
        return self.state in self.WORKING

    @property
    def by_rules(self) -> bool:
        """True when no model made it: "made by plain rules (demo)"."""
        return self.made_by == "rules"
