"""The project plan, and the one writer of COMPLETED (`Action.update_status`)."""

from .action import Action, EvidenceKind, Origin, Requirement, Status
from .completion import Completion, Erasure, How, Reopening
from .draft import PlanDraft
from .followup import FollowUp
from .plan import Plan, Week
from .proof import Proof

__all__ = [
    "Action",
    "Completion",
    "Erasure",
    "EvidenceKind",
    "FollowUp",
    "How",
    "Origin",
    "Plan",
    "PlanDraft",
    "Proof",
    "Reopening",
    "Requirement",
    "Status",
    "Week",
]
