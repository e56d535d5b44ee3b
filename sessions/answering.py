"""Who answers a turn: one request at a time, however often the same turn is sent.

The claim is a time on the turn's row, so a process that dies mid-reply blocks nobody for long.
"""

import datetime
import time

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from elivio.llm.gateway import release_connections
from sessions.models import Turn

# What it takes beside the reply itself: reading the context before, storing the reply after.
MARGIN_SECONDS = 10
LOOK_SECONDS = 0.2


def claim_turn(turn: Turn) -> bool:
    """Take the turn to answer it, and count the try. False while another request has it."""
    now = timezone.now()
    seconds = settings.COPILOT_DEADLINE_SECONDS + MARGIN_SECONDS
    is_free = Q(asked_until=None) | Q(asked_until__lte=now)
    taken = Turn.objects.filter(is_free, pk=turn.pk).update(
        asked_until=now + datetime.timedelta(seconds=seconds),
        tries=F("tries") + 1,
        no_reply_reason="",
    )
    if taken:
        turn.refresh_from_db(fields=("asked_until", "tries", "no_reply_reason"))
    return bool(taken)


def release_turn(turn: Turn, reason: str = "") -> None:
    """Let others take the turn; `reason` is the code of why it has no reply."""
    mine = Turn.objects.filter(pk=turn.pk, asked_until=turn.asked_until)
    mine.update(asked_until=None, no_reply_reason=reason)


def is_being_answered(turn: Turn) -> bool:
    return turn.asked_until is not None and turn.asked_until > timezone.now()


def wait_for_answer(turn: Turn) -> Turn:
    """Wait for whoever answers the turn, and return it as it stands then. Holds no database
    connection meanwhile."""
    while True:
        turn = Turn.objects.select_related("reply").get(pk=turn.pk)
        if not is_being_answered(turn):
            return turn
        release_connections()
        time.sleep(LOOK_SECONDS)
