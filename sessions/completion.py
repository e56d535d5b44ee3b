"""The check and complete use cases: the judge first, with no lock and no connection held; then,
on the student's tap, the one writer.

One of the two places that pass `confirmed=True`; the other is `plans.status`.
"""

import dataclasses
from dataclasses import dataclass

from judge.card import Card, card_from_result
from judge.evidence import Evidence, read_task
from judge.models import CheckRun
from judge.result import CheckResult
from judge.run import make_undecided, run_judge
from judge.sentences import say_completed
from plans.errors import SpecChanged
from plans.models import Action, How, Status
from sessions import frames, transcript
from sessions.images import ImageRefused, clean_base64
from sessions.lifecycle import SessionClosed, mark_active
from sessions.models import CopilotSession
from sessions.pins import pictures_as_evidence

UNREADABLE = "Your screenshot could not be read."
UNAVAILABLE = "Your screenshot could not be kept."
USED_NEWEST = "The check used your newest shared picture instead."
USED_SHARED = "The check looked at your newest shared picture."
USED_WORDS = "The check went by your messages alone."


@dataclass(frozen=True, slots=True)
class CompleteAnswer:
    """`check` is the fresh card when the task is not complete, None when it already was."""

    completed: bool
    check: Card | None


def check_session(session: CopilotSession, screenshot: str | None = None) -> Card:
    """Run the completion check. `screenshot` is base64. Raises SessionClosed."""
    if session.ended_at:
        raise SessionClosed
    return card_from_result(_judge(session, screenshot, CheckRun.Trigger.CHECK))


def complete_session(session: CopilotSession, screenshot: str | None = None) -> CompleteAnswer:
    """The student's tap: check again, and only then complete.

    Not done, or changed meanwhile, is a normal answer with a fresh card. Already complete is a
    quiet success without a model call. Raises SessionClosed.
    """
    action = Action.objects.get(pk=session.action_id)
    if action.status == Status.COMPLETED:
        return CompleteAnswer(True, None)
    if session.ended_at:
        raise SessionClosed
    result = _judge(session, screenshot, CheckRun.Trigger.TAP)
    if result.outcome != CheckRun.Outcome.PASSED:
        return CompleteAnswer(False, card_from_result(result))
    try:
        completion = action.update_status(
            Status.COMPLETED,
            by=session.student,
            confirmed=True,
            check=result.as_passed_check(),
        )
    except SpecChanged:
        fresh = make_undecided(read_task(action.pk), "spec_changed")
        return CompleteAnswer(False, card_from_result(dataclasses.replace(fresh, id=result.id)))
    if (completion.how, completion.check_id) != (How.CHECKED, result.id):
        # Another tap, or the student's own report, came first.
        return CompleteAnswer(True, None)
    done = dataclasses.replace(result, summary=say_completed())
    return CompleteAnswer(True, card_from_result(done))


def _judge(session: CopilotSession, screenshot: str | None, trigger: str) -> CheckResult:
    mark_active(session)
    shown, notices = _gather_frames(session, screenshot)
    task = read_task(session.action_id)
    turns, omitted = transcript.read_evidence_turns(session.action_id)
    unseen = transcript.read_unseen_turns(session.action_id, turns) if omitted else ()
    kept = pictures_as_evidence(task)
    pictures = kept + frames.as_evidence(shown, after=len(kept))
    evidence = Evidence(task, turns, omitted, pictures, notices, unseen)
    return run_judge(
        evidence, trigger=trigger, student_id=session.student_id, session_id=session.pk
    )


def _gather_frames(
    session: CopilotSession, screenshot: str | None
) -> tuple[list[frames.StoredFrame], tuple[str, ...]]:
    """The session's frames with the screenshot as the newest, and what to tell the student when
    the screenshot could not be used."""
    problem = ""
    if screenshot:
        try:
            frames.store_frame(session.pk, clean_base64(screenshot))
        except ImageRefused:
            problem = UNREADABLE
        except frames.FramesUnavailable:
            problem = UNAVAILABLE
    shown = frames.read_frames(session.pk)
    if not problem:
        return shown, (USED_SHARED,) if shown and not screenshot else ()
    return shown, (problem, USED_NEWEST if shown else USED_WORDS)
