"""The conversation as its page shows it: spoken turns, with what is stored said beside them."""

from dataclasses import dataclass, field

from sessions import transcript
from sessions.answering import is_being_answered
from sessions.blocks import Block, split_blocks
from sessions.chat import tell_reason
from sessions.claims import asks_state, claims_done
from sessions.models import CopilotSession, Turn
from sessions.tools import COMPLETED_SIGNAL


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A spoken turn. `says_stored`: what is stored stands beside it, because the copilot's words
    or its signal say "done", or the student asked. `is_waiting`: the student's newest turn, which
    has no reply; `is_answered_now`: a request is asking for one; `trouble`: why the last try gave
    none."""

    turn: Turn
    blocks: list[Block] = field(default_factory=list)
    says_stored: bool = False
    is_waiting: bool = False
    is_answered_now: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One page of turns, oldest first. `older` is the `before` of the page of older ones."""

    turns: list[ShownTurn]
    older: int | None
    is_newest: bool


def read_conversation(session: CopilotSession, before: int | None = None) -> Conversation:
    """Two queries, whatever the number of turns."""
    turns, older = transcript.read_page(session, before)
    says_stored = _ends_in_claim(session, turns[0].number if turns else 0)
    shown: list[ShownTurn] = []
    for turn in turns:
        if turn.role == Turn.Role.TOOL:
            says_stored = says_stored or turn.tool_name == COMPLETED_SIGNAL
        elif turn.role == Turn.Role.COPILOT:
            says_stored = says_stored or claims_done(turn.text)
            shown.append(ShownTurn(turn, says_stored=says_stored))
            says_stored = False
        else:
            shown.append(_show_student(turn, is_last=before is None and turn is turns[-1]))
            says_stored = asks_state(turn.text)
    return Conversation(shown, older, is_newest=before is None)


def _show_student(turn: Turn, *, is_last: bool) -> ShownTurn:
    blocks = split_blocks(turn.text)
    if not is_last:
        return ShownTurn(turn, blocks)
    return ShownTurn(
        turn,
        blocks,
        is_waiting=True,
        is_answered_now=is_being_answered(turn),
        trouble=tell_reason(turn.no_reply_reason),
    )


def _ends_in_claim(session: CopilotSession, first: int) -> bool:
    """Whether the page before the turn `first` ends in a signal or a question whose reply stands
    on this page."""
    earlier = session.turns.filter(number__lt=first).order_by("-number")
    for role, tool_name, text in earlier.values_list("role", "tool_name", "text")[:4]:
        if role == Turn.Role.TOOL and tool_name == COMPLETED_SIGNAL:
            return True
        if role != Turn.Role.TOOL:
            return role == Turn.Role.STUDENT and asks_state(text)
    return False
