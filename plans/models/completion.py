"""Completion, Reopening and Erasure: facts that the database lets nobody change.

Rows are written by `Action.update_status` and `Action.reopen` alone.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class How(models.TextChoices):
    CHECKED = "checked", "Checked"
    SELF_REPORTED = "self_reported", "Self-reported"


class CountStaffRows(models.Func):
    """How many rows of a checklist a person decided, without its words leaving the database."""

    function = "jsonb_path_query_array"
    template = "jsonb_array_length(%(function)s(%(expressions)s, '$[*].decision'))"
    output_field = models.IntegerField()


class Completion(models.Model):
    """The proof of one completion. `checked` holds the checklist as judged, every row met."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    action = models.ForeignKey("plans.Action", on_delete=models.PROTECT, related_name="completions")
    # Set by the database: one more than the action's reopenings. Unique, so that no race, lock
    # or not, leaves two open completions of one action.
    sequence = models.PositiveSmallIntegerField(default=0, editable=False)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    confirmed_at = models.DateTimeField(auto_now_add=True)
    how = models.CharField(max_length=16, choices=How)
    check_id = models.UUIDField(null=True)
    judge_kind = models.CharField(max_length=32, blank=True)
    spec_version = models.PositiveIntegerField()
    checklist = models.JSONField(default=list)
    audit_missing = models.BooleanField(default=False)

    class Meta:
        ordering = ("-confirmed_at",)
        constraints = (
            models.UniqueConstraint(fields=("action", "sequence"), name="one_open_completion"),
            models.UniqueConstraint(fields=("id", "action"), name="completion_of_action"),
            models.CheckConstraint(
                condition=Q(how=How.CHECKED) & ~Q(judge_kind="")
                | Q(
                    how=How.SELF_REPORTED,
                    judge_kind="",
                    check_id=None,
                    audit_missing=False,
                ),
                name="completion_how_and_judge",
            ),
            models.CheckConstraint(
                condition=~Q(how=How.CHECKED) | Q(audit_missing=Q(check_id=None)),
                name="completion_audit_said",
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_how_display()} {self.confirmed_at:%Y-%m-%d %H:%M}"

    @property
    def staff_rows(self) -> int:
        """How many rows are met by a person's decision instead of the judge's."""
        return sum("decision" in row for row in self.checklist)

    @property
    def by_rules(self) -> bool:
        """True when no model judged it: "checked by plain rules (demo)"."""
        return self.how == How.CHECKED and self.judge_kind == "rules"

    @property
    def label(self) -> str:
        """What a person is shown: how it came about, and what of it staff decided."""
        return self.say_how(self.staff_rows)

    @property
    def how_in_words(self) -> str:
        return "Checked by plain rules (demo)" if self.by_rules else self.get_how_display()

    @property
    def decided_in_words(self) -> str:
        """The part of the label about staff, or ""."""
        return _say_decided(self.staff_rows)

    def say_how(self, staff_rows: int) -> str:
        """The label, for who has counted in the database and left the checklist there."""
        return ", ".join(filter(None, (self.how_in_words, _say_decided(staff_rows))))


def _say_decided(rows: int) -> str:
    return f"{rows} row{'s' if rows > 1 else ''} decided by staff" if rows else ""


class Reopening(models.Model):
    """The end of one completion: who took it back, and why."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    completion = models.OneToOneField(
        Completion, on_delete=models.PROTECT, related_name="reopening"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)
        constraints = (
            models.CheckConstraint(condition=~Q(reason=""), name="reopening_has_reason"),
        )

    def __str__(self) -> str:
        return self.reason


class Erasure(models.Model):
    """A person's wish to be removed: lets their words be blanked in rows that never change."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"Erasure of {self.person_id}"
