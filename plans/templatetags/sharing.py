"""How a plan is shared at the moment, for its page. It shares nothing and withdraws nothing."""

import datetime
from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from plans.models import Plan
from plans.proof import find_proof

register = template.Library()


@dataclass(frozen=True, slots=True)
class Sharing:
    """`address` is the whole public address, fit to be sent to somebody."""

    address: str
    since: datetime.datetime


@register.simple_tag(takes_context=True)
def find_sharing(context: dict[str, Any], plan: Plan) -> Sharing | None:
    """How the plan is shared, or None. One query; the caller has checked the owner."""
    proof = find_proof(plan)
    if proof is None:
        return None
    path = reverse("plans:proof", args=[proof.token])
    return Sharing(context["request"].build_absolute_uri(path), proof.shared_at)
