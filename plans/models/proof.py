"""Proof: a plan shared with the world, at an address nobody can guess, until it is withdrawn."""

import secrets
import uuid
from typing import Self

from django.db import models
from django.db.models import Q


def make_token() -> str:
    """192 random bits as 32 characters fit for an address."""
    return secrets.token_urlsafe(24)


class ProofQuerySet(models.QuerySet):
    def open(self) -> Self:
        """Rows are sharings that have not been withdrawn."""
        return self.filter(withdrawn_at=None)

    def readable(self) -> Self:
        """Rows are open sharings that the world may read now: not of an archived plan, and not of
        an account that is switched off, whose owner could no longer withdraw them."""
        return self.open().filter(plan__archived_at=None, plan__owner__is_active=True)


class Proof(models.Model):
    """One sharing of a plan. Sharing again after a withdrawal is a new row with a new address."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    plan = models.ForeignKey("plans.Plan", on_delete=models.CASCADE, related_name="proofs")
    token = models.CharField(max_length=64, unique=True, default=make_token, editable=False)
    shared_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, editable=False)

    objects = ProofQuerySet.as_manager()

    class Meta:
        ordering = ("-shared_at",)
        verbose_name = "proof of work"
        verbose_name_plural = "proofs of work"
        constraints = (
            models.UniqueConstraint(
                fields=("plan",), condition=Q(withdrawn_at=None), name="one_open_proof"
            ),
        )

    def __str__(self) -> str:
        return f"Proof of Work of {self.shared_at:%Y-%m-%d}"
