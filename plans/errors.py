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


class TaskChanged(Refused):
    """An edit that was begun before the last one."""

    def __init__(self) -> None:
        super().__init__(
            "This task was changed after you opened it. Compare what you typed with what is "
            "stored now, then save again."
        )


class WeekChanged(Refused):
    """An edit of a week's text that was begun before the last one."""

    def __init__(self) -> None:
        super().__init__(
            "This week was changed after you opened it. Compare what you typed with what is "
            "stored now, then save again."
        )


class TextRefused(Refused):
    """Texts that cannot be kept; `faults` are sentences by field: `title`, `description`,
    `requirements`, or `requirements.0` for the first of them."""

    status = 422

    def __init__(self, faults: dict[str, str]) -> None:
        super().__init__(" ".join(dict.fromkeys(faults.values())))
        self.faults = faults


class WeekWouldClose(Refused):
    """The last open task would leave a week. `is_emptied`: no task would be left in it at all."""

    def __init__(self, number: int, *, is_emptied: bool) -> None:
        rest = (
            "and there is no other task in it"
            if is_emptied
            else "and everything else in it is done"
        )
        super().__init__(
            f"This is the last open task of week {number}, {rest}. "
            "Fill the week with another task first, or close it yourself."
        )
        self.number = number


class PlaceGone(Refused):
    def __init__(self) -> None:
        super().__init__("The task you chose to put it after is no longer there. Choose again.")


class WeekFull(Refused):
    """`number` is the week's, where a task is to come back into it."""

    def __init__(self, most: int, number: int | None = None) -> None:
        super().__init__(
            f"This week holds {most} tasks already. Use another week for this one."
            if number is None
            else f"Week {number} holds {most} tasks already. Move or drop one of them, then "
            "restore this one."
        )


class WeekBegun(Refused):
    def __init__(self) -> None:
        super().__init__(
            "A task of this week is complete, and this text was part of it. It stays as it is now."
        )
