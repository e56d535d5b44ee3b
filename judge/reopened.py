"""What ends when staff take back a checked completion: the checks and decisions from before it.
What counted towards it is judged and decided anew. It ends nothing itself; it is a condition."""

from django.db.models import F, OuterRef, Q, Subquery

from plans.models import How, Reopening


def reopened_at(action_id: str) -> Subquery:
    """When a checked completion of the action in this column was last taken back, or NULL."""
    reopened = Reopening.objects.filter(
        completion__action=OuterRef(action_id), completion__how=How.CHECKED
    )
    return Subquery(reopened.order_by("-created_at").values("created_at")[:1])


def is_after(moment: str) -> Q:
    """The condition that this column's time is no earlier one, where `reopened_at` is annotated
    as that."""
    return Q(reopened_at=None) | Q(**{f"{moment}__gt": F("reopened_at")})
