"""The table of all pages and states. A new page or state is written in one of these modules, once;
the browser tests and the screenshots both go through the table.
"""

from tests.screens import (
    agreement_states,
    contest_states,
    editing_states,
    frame_states,
    making_states,
    memory_states,
    plan_states,
    proof_states,
    screen_states,
    session_states,
)
from tests.screens.state import State

STATES: list[State] = [
    *frame_states.STATES,
    *plan_states.STATES,
    *making_states.STATES,
    *editing_states.STATES,
    *session_states.STATES,
    *contest_states.STATES,
    *screen_states.STATES,
    *agreement_states.STATES,
    *memory_states.STATES,
    *proof_states.STATES,
]
