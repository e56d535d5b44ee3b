"""The project plan, and the one writer of COMPLETED (`Action.update_status`)."""

from .action import Action, EvidenceKind, Origin, Requirement, Status
from .completion import Completion, Erasure, How, Reopening
from .draft import PlanDraft
from .edit import ActionEdit
from .followup import FollowUp
from .plan import Plan, Week
from .proof import Proof
from .spending import Allowance, DailyUse, HeldTap, ModelSwitch, Purpose

__all__ = [
    "Action",
    "ActionEdit",
    "Allowance",
    "Completion",
    "DailyUse",
    "Erasure",
    "EvidenceKind",
    "FollowUp",
    "HeldTap",
    "How",
    "ModelSwitch",
    "Origin",
    "Plan",
    "PlanDraft",
    "Proof",
    "Purpose",
    "Reopening",
    "Requirement",
    "Status",
    "Week",
]
