"""Refusals of plans, each with a sentence for the person who asked."""


class Refused(Exception):
    """A change that is not allowed; `str()` is the sentence to show, `status` the HTTP status."""

    status = 409


class CompletionNotConfirmed(Refused):
    def __init__(self) -> None:
        super().__init__("Only you can mark this task complete. Confirm it yourself to go on.")


class SpecChanged(Refused):
    def __init__(self) -> None:
        super().__init__("This task has changed since it was checked. Run the check again.")


class AlreadyCompleted(Refused):
    def __init__(self) -> None:
        super().__init__(
            "This task is complete. Take back your own report to work on it again; "
            "if it was checked, ask your teacher to reopen it."
        )


class ReopenRefused(Refused):
    pass


class NotOwner(Refused):
    """Somebody else's action. Callers answer 404, as for a missing one."""

    status = 404

    def __init__(self) -> None:
        super().__init__("There is no such task.")


class Archived(Refused):
    def __init__(self) -> None:
        super().__init__(
            "This task has been archived and no longer changes. Go on with another one."
        )
