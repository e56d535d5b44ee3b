"""The chat use case: take a student's turn, then answer it. The turn is stored before any model
is asked, so it is never lost, and only one request at a time asks for its reply."""

import logging
import uuid
from dataclasses import dataclass

from elivio.llm.errors import LLMError
from elivio.text import find_fault
from sessions import answering, copilot, transcript
from sessions.live import Preview, Stopped, key_of
from sessions.models import CopilotSession, Turn
from sessions.transcript import TextRefused

logger = logging.getLogger(__name__)

SENTENCES = {
    "no_model": "No copilot is set up here now. You can still add your work and run the check.",
    "budget_spent": (
        "You have used up today's answers from the copilot; they are back tomorrow. Your message "
        "is kept, and your checks have a count of their own: you can still finish the task."
    ),
    "switched_off": (
        "The copilot is switched off for now. Your message is kept. You can still add your work."
    ),
    "rate_limited": "The copilot is busy. Your message is kept; ask again in a minute.",
    "overloaded": "The copilot is busy. Your message is kept; ask again in a minute.",
    "timeout": "The copilot took too long. Your message is kept; ask again.",
    "safety": "The copilot could not answer this message. It is kept; try it in other words.",
    "blocked": "The copilot could not answer this message. It is kept; try it in other words.",
    "stopped": "You stopped this answer before it began. Your message is kept.",
}
_DEFAULT = "The copilot could not answer just now. Your message is kept; ask again in a minute."


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """A stored turn and its reply. Without a reply, `reason` is the code and `sentence` says
    what to do."""

    turn: Turn
    reply: Turn | None
    reason: str = ""
    sentence: str = ""


def send_turn(session: CopilotSession, text: str, client_id: str | None = None) -> TurnAnswer:
    """Store a student's turn and answer it. The same client id again returns the same turn, and
    its reply, asking the copilot again only when there is none.

    `session` has action, week, plan and student loaded. Raises TextRefused, SessionClosed.
    """
    if fault := find_fault(text, longest=transcript.LONGEST_TURN):
        raise TextRefused(fault)
    turn = transcript.add_student_turn(session.pk, text, client_id)
    if reply := transcript.find_reply(turn):
        return TurnAnswer(turn, reply)
    if not answering.claim_turn(turn):
        return _join_answer(turn)
    reply, reason = None, "unknown"
    preview = Preview(key_of(turn))
    try:
        # Whoever had the turn before may have stored a reply since the look above.
        reply = transcript.find_reply(turn) or _answer(session, turn, preview)
        reason = ""
    except Stopped:
        reason = "stopped"
    except LLMError as error:
        logger.warning("The copilot gave no reply: %s", error)
        reason = error.code
    finally:
        answering.release_turn(turn, reason)
        preview.end()
    return TurnAnswer(turn, reply, reason, tell_reason(reason))


def _answer(session: CopilotSession, turn: Turn, preview: Preview) -> Turn:
    answer = copilot.CopilotAnswer()
    try:
        copilot.answer_turn(session, turn, preview, answer)
    except (LLMError, Stopped):
        # What a tool has done stays done, so the record says so.
        transcript.add_tool_turns(turn, answer.tool_turns)
        raise
    return transcript.add_reply(turn, answer.text, answer.tool_turns, is_stopped=answer.is_stopped)


def _join_answer(turn: Turn) -> TurnAnswer:
    """The answer of the request that has the turn, whatever comes of it."""
    turn = answering.wait_for_answer(turn)
    reply = transcript.find_reply(turn)
    reason = "" if reply else turn.no_reply_reason or "unknown"
    return TurnAnswer(turn, reply, reason, tell_reason(reason))


def tell_reason(code: str) -> str:
    """Why there is no reply, for the student; "" for no reason."""
    return SENTENCES.get(code, _DEFAULT) if code else ""


def get_session(user, session_id: uuid.UUID) -> CopilotSession:
    """The user's session with all the copilot needs. Raises CopilotSession.DoesNotExist."""
    return (
        CopilotSession.objects.owned_by(user)
        .select_related("action__week__plan", "action__current_completion", "student")
        .get(pk=session_id)
    )
