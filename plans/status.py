"""The student's own control over a task's status: the use case behind page, PATCH and demo data.

One of the two places that pass `confirmed=True`; the other is the session's complete use case.
"""

from plans.models import Action, Completion, Status


def self_report(action: Action, *, by) -> Completion | None:
    """The student says, confirmed by their own tap, that this task is done."""
    return action.update_status(Status.COMPLETED, by=by, confirmed=True)


def change_own_status(action: Action, status: str, *, by, confirmed: bool = False) -> None:
    """Set the status a student asked for.

    COMPLETED is a self-report and needs `confirmed` to be the literal True. Any other status on
    a self-reported task takes the report back; on a checked one it is refused. Raises
    `plans.errors.Refused`.
    """
    if status == Status.COMPLETED and confirmed is True:
        self_report(action, by=by)
        return
    if status != Status.COMPLETED and action.status == Status.COMPLETED:
        action.reopen(by=by)
        if status == Status.IN_PROGRESS:
            return
    action.update_status(status, by=by)
