"""Refusals of plan making, each with a sentence for the student. Nothing typed is lost by one."""

from plans.errors import Refused


class BriefRefused(Refused):
    """`faults` holds a sentence for each field that cannot be taken."""

    status = 422

    def __init__(self, faults: dict[str, str]) -> None:
        super().__init__(" ".join(faults.values()))
        self.faults = faults


class ProposalRefused(Refused):
    status = 422


class TooManyDrafts(Refused):
    def __init__(self, most: int) -> None:
        super().__init__(
            f"You have {most} plans in the making. Accept or drop one, then ask for the next."
        )


class DraftChanged(Refused):
    def __init__(self) -> None:
        super().__init__(
            "This plan was changed elsewhere since you opened it. Compare what you typed with "
            "what is stored now, then save again."
        )


class DraftNotReady(Refused):
    pass


class DraftIncomplete(Refused):
    """The proposal lacks something that a plan cannot be without."""
