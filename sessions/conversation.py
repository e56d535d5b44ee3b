"""The conversation as its page shows it: spoken turns, with what is stored said beside them."""

from dataclasses import dataclass

from sessions import transcript
from sessions.blocks import Block, split_blocks
from sessions.models import CopilotSession, Turn
from sessions.tools import COMPLETED_SIGNAL


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A spoken turn. `is_claim`: the copilot signalled "completed" with it, and nothing was
    written. `is_waiting`: the student's newest turn, which has no reply."""

    turn: Turn
    blocks: list[Block]
    is_claim: bool
    is_waiting: bool


@dataclass(frozen=True, slots=True)
class Conversation:
    """One page of turns, oldest first. `older` is the `before` of the page of older ones."""

    turns: list[ShownTurn]
    older: int | None
    is_newest: bool


def read_conversation(session: CopilotSession, before: int | None = None) -> Conversation:
    """Two queries, whatever the number of turns."""
    turns, older = transcript.read_page(session, before)
    claimed = _ends_in_claim(session, turns[0].number if turns else 0)
    shown: list[ShownTurn] = []
    for turn in turns:
        if turn.role == Turn.Role.TOOL:
            claimed = claimed or turn.tool_name == COMPLETED_SIGNAL
            continue
        is_copilot = turn.role == Turn.Role.COPILOT
        is_waiting = before is None and turn is turns[-1] and not is_copilot
        shown.append(ShownTurn(turn, split_blocks(turn.text), is_copilot and claimed, is_waiting))
        claimed = False
    return Conversation(shown, older, is_newest=before is None)


def _ends_in_claim(session: CopilotSession, first: int) -> bool:
    """Whether the page before the turn `first` ends in a claim whose reply stands on this page."""
    earlier = session.turns.filter(number__lt=first).order_by("-number")
    names = list(earlier.values_list("tool_name", flat=True)[:4])
    spoken = names.index("") if "" in names else len(names)
    return COMPLETED_SIGNAL in names[:spoken]
