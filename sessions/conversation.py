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
    turns, older = transcript.read_page(session, before, only_spoken=True)
    signals = _find_signals(session, turns)
    shown: list[ShownTurn] = []
    last = 0
    for turn in turns:
        if turn.role == Turn.Role.COPILOT:
            since = max(last, _asked_at(turn))
            is_signalled = any(since < number < turn.number for number in signals)
            asked = turn.reply_to.text if turn.reply_to else ""
            says_stored = is_signalled or claims_done(turn.text) or asks_state(asked)
            shown.append(ShownTurn(turn, says_stored=says_stored))
        else:
            shown.append(_show_student(turn, is_last=before is None and turn is turns[-1]))
        last = turn.number
    return Conversation(shown, older, is_newest=before is None)


def _find_signals(session: CopilotSession, turns: list[Turn]) -> list[int]:
    """Numbers of the turns in which the copilot signalled "done", for replies on this page."""
    if not turns:
        return []
    signals = session.turns.filter(role=Turn.Role.TOOL, tool_name=COMPLETED_SIGNAL)
    first = turns[0]
    since = _asked_at(first) if first.role == Turn.Role.COPILOT else first.number
    near = signals.filter(number__gt=since, number__lt=turns[-1].number)
    return list(near.values_list("number", flat=True))


def _asked_at(turn: Turn) -> int:
    """The number of the turn that this one replies to, after which its tools were run."""
    return turn.reply_to.number if turn.reply_to else 0


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
