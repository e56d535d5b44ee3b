"""The check and complete use cases: the judge first, with no lock and no connection held; then,
on the student's tap, the one writer.

One of the two places that pass `confirmed=True`; the other is `plans.status`.
"""

import dataclasses
import datetime
from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from judge.audit import read_clock
from judge.card import Card, card_from_result
from judge.evidence import Evidence, read_task
from judge.kept_pictures import keep_pictures
from judge.models import CheckRun
from judge.result import CheckResult
from judge.run import make_undecided, run_judge
from judge.sentences import say_completed
from plans.errors import SpecChanged
from plans.models import Action, Completion, How, Purpose, Reopening, Status
from plans.spending import Payer, release_tap
from sessions import transcript
from sessions.gathering import gather_pictures
from sessions.lifecycle import SessionClosed, mark_active
from sessions.models import CopilotSession


@dataclass(frozen=True, slots=True)
class CompleteAnswer:
    """`check` is the fresh card when the task is not complete, None when it already was."""

    completed: bool
    check: Card | None


class Cancelled(Exception):
    """The student stopped this tap before it wrote anything."""


class Reopened(Exception):
    """The task was complete and has been taken back since this tap began."""


REASONS = {SpecChanged: "spec_changed", Cancelled: "cancelled", Reopened: "reopened"}


def check_session(session: CopilotSession, screenshot: str | None = None) -> Card:
    """Run the completion check. `screenshot` is base64. Raises SessionClosed."""
    if session.ended_at:
        raise SessionClosed
    return card_from_result(_judge(session, screenshot, CheckRun.Trigger.CHECK))


def complete_session(session: CopilotSession, screenshot: str | None = None) -> CompleteAnswer:
    """The student's tap: check again, and only then complete.

    Not done, changed or cancelled meanwhile, is a normal answer with a fresh card. Already
    complete is a quiet success without a model call. Raises SessionClosed.
    """
    started_at = read_clock()
    action = Action.objects.get(pk=session.action_id)
    if action.status == Status.COMPLETED:
        return CompleteAnswer(True, None)
    if session.ended_at:
        raise SessionClosed
    result = _judge(session, screenshot, CheckRun.Trigger.TAP)
    if result.outcome != CheckRun.Outcome.PASSED:
        return CompleteAnswer(False, card_from_result(result))
    try:
        completion = _complete(action, session, result, started_at)
    except (SpecChanged, Cancelled, Reopened) as error:
        if isinstance(error, Cancelled):
            version = result.task.spec_version
            Payer(session.student_id, Purpose.CHECK, action.pk, True, version).hold_again()
        fresh = make_undecided(read_task(action.pk), REASONS[type(error)], result.started_at)
        return CompleteAnswer(False, card_from_result(dataclasses.replace(fresh, id=result.id)))
    release_tap(session.student_id, action.pk)
    if not _is_made_by(completion, result):
        # Another tap, or the student's own report, came first.
        return CompleteAnswer(True, None)
    done = dataclasses.replace(result, summary=say_completed())
    return CompleteAnswer(True, card_from_result(done))


def cancel_tap(session: CopilotSession) -> bool:
    """Stop every tap of this session that is on its way. Returns whether the task is complete:
    True when a tap had written before; after False, none that started before this will."""
    # Waits for a tap that is writing, and reads what it wrote.
    CopilotSession.objects.filter(pk=session.pk).update(cancelled_at=Now())
    return Action.objects.filter(pk=session.action_id, status=Status.COMPLETED).exists()


@transaction.atomic
def _complete(
    action: Action, session: CopilotSession, result: CheckResult, started_at: datetime.datetime
) -> Completion:
    """Write the completion, unless the student has cancelled or the task was reopened since. Raises
    SpecChanged, Cancelled, Reopened, after which nothing is written."""
    # Plan, action, session, all before anything is written: writing COMPLETED takes a stronger
    # lock of the action, which whoever has the session's row may be waiting for.
    action.lock()
    # What was judged before a reopening counts no more, and neither does the tap.
    reopenings = Reopening.objects.filter(completion__action=action.pk, created_at__gte=started_at)
    if reopenings.exists():
        raise Reopened
    # A cancel needs this row until the commit: it is seen here, or finds the task complete.
    rows = CopilotSession.objects.select_for_update(no_key=True)
    cancelled_at = rows.values_list("cancelled_at", flat=True).get(pk=session.pk)
    completion = action.update_status(
        Status.COMPLETED,
        by=session.student,
        confirmed=True,
        check=result.as_passed_check(),
    )
    is_cancelled = cancelled_at is not None and cancelled_at >= started_at
    if is_cancelled and _is_made_by(completion, result):
        raise Cancelled
    return completion


def _is_made_by(completion: Completion, result: CheckResult) -> bool:
    return (completion.how, completion.check_id) == (How.CHECKED, result.id)


def _judge(session: CopilotSession, screenshot: str | None, trigger: str) -> CheckResult:
    mark_active(session)
    task = read_task(session.action_id)
    turns, omitted = transcript.read_evidence_turns(session.action_id)
    unseen = transcript.read_unseen_turns(session.action_id, turns) if omitted else ()
    gathered = gather_pictures(session, task, screenshot)
    evidence = Evidence(
        task,
        turns,
        omitted,
        frames=gathered.pictures,
        notices=gathered.notices,
        hints=gathered.hints,
        unseen=unseen,
    )
    result = run_judge(
        evidence, trigger=trigger, student_id=session.student_id, session_id=session.pk
    )
    if gathered.is_reachable:
        keep_pictures(session.pk, result, evidence)
    return result
