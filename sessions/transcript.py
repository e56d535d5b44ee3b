"""The transcript: adding turns, and reading them for a page, the copilot and the judge."""

import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import F, Max, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from elivio.text import clean_text
from judge import evidence
from plans.errors import Refused
from sessions.lifecycle import SessionClosed
from sessions.models import CopilotSession, Turn

LONGEST_TURN = 20_000
PAGE = 20
MOST_REMEMBERED = 300
MOST_PINS = 10
_SPOKEN = (Turn.Role.STUDENT, Turn.Role.COPILOT)


class TextRefused(Refused):
    """A text that cannot be taken; the sentence says what to do."""

    status = 422


@transaction.atomic
def add_student_turn(session_id: uuid.UUID, text: str, client_id: str | None) -> Turn:
    """Add a student's turn, or return the one with the same client id. Raises SessionClosed."""
    session = _lock(session_id)
    if client_id and (known := session.turns.filter(client_id=client_id).first()):
        return known
    if session.ended_at:
        raise SessionClosed
    turn = _append(session, Turn(role=Turn.Role.STUDENT, text=text, client_id=client_id))
    session.last_active_at = timezone.now()
    session.save(update_fields=("last_active_at",))
    return turn


@transaction.atomic
def add_reply(
    turn: Turn, text: str, tool_turns: Sequence[tuple[str, str]], *, is_stopped: bool = False
) -> Turn:
    """Add the copilot's reply to a turn, after its tool turns (name, result). A turn that has a
    reply already keeps it. `is_stopped`: the student did not want the rest."""
    session = _lock(turn.session_id)
    if known := find_reply(turn):
        return known
    _append_tools(session, tool_turns)
    reply = Turn(role=Turn.Role.COPILOT, text=text, reply_to=turn, is_stopped=is_stopped)
    return _append(session, reply)


@transaction.atomic
def add_tool_turns(turn: Turn, tool_turns: Sequence[tuple[str, str]]) -> None:
    """Keep what was run, as (name, result), for a reply that never came."""
    _append_tools(_lock(turn.session_id), tool_turns)


def find_reply(turn: Turn) -> Turn | None:
    return Turn.objects.filter(reply_to=turn).first()


def read_page(
    session: CopilotSession, before: int | None = None, *, only_spoken: bool = False
) -> tuple[list[Turn], int | None]:
    """The newest turns with a number below `before`, oldest first, and the `before` of the page
    of older ones, or None at the start. Spoken ones come with what they reply to. One query."""
    turns = session.turns.order_by("-number")
    if only_spoken:
        turns = turns.filter(role__in=_SPOKEN).select_related("reply_to")
    if before is not None:
        turns = turns.filter(number__lt=before)
    page = list(turns[: PAGE + 1])
    shown = page[:PAGE][::-1]
    return shown, shown[0].number if len(page) > PAGE else None


def read_evidence_turns(action_id: uuid.UUID) -> tuple[tuple[evidence.Turn, ...], int]:
    """The action's pinned and newest student and copilot turns over all its sessions, capped for
    a judge, and how many were left out. One query, so that a turn added meanwhile shifts no
    number."""
    turns = _read_newest(action_id, evidence.MOST_TURNS + MOST_PINS)
    return evidence.cap_turns(turns, total=turns[-1].number if turns else 0)


def read_unseen_turns(
    action_id: uuid.UUID, seen: Sequence[evidence.Turn]
) -> tuple[evidence.Turn, ...]:
    """The newest few hundred spoken turns that are not among `seen`, by which a judge's quote is
    known as copied from the copilot. One query."""
    numbers = {turn.number for turn in seen}
    newest = _read_newest(action_id, MOST_REMEMBERED)
    return tuple(turn for turn in newest if turn.number not in numbers)


def _read_newest(action_id: uuid.UUID, most: int) -> list[evidence.Turn]:
    """The action's pinned turns and then its newest, `most` in all, oldest first, numbered over
    all its sessions."""
    spoken = (
        Turn.objects.filter(session__action_id=action_id, role__in=_SPOKEN)
        .annotate(place=Window(RowNumber(), order_by=("created_at", "number")))
        .order_by(F("pinned_at").desc(nulls_last=True), "-place")
    )
    rows = sorted(spoken[:most], key=lambda turn: turn.place)
    return [
        evidence.Turn(
            turn.place, turn.role, turn.text, turn.created_at, is_pinned=bool(turn.pinned_at)
        )
        for turn in rows
    ]


def read_recent_turns(turn: Turn, most: int, characters: int) -> tuple[list[Turn], int]:
    """The spoken turns of the session up to and with `turn`, oldest first: the newest, `most` at
    most and whole ones within `characters`; and how many older ones were left out. The first is
    the student's, as some providers take no conversation that begins otherwise."""
    spoken = Turn.objects.filter(
        session_id=turn.session_id, role__in=_SPOKEN, number__lte=turn.number
    )
    shown: list[Turn] = []
    for row in spoken.order_by("-number")[:most]:
        characters -= len(row.text)
        if shown and characters < 0:
            break
        shown.insert(0, row)
    while shown and shown[0].role != Turn.Role.STUDENT:
        shown.pop(0)
    return shown, spoken.filter(number__lt=shown[0].number).count() if shown else 0


def _lock(session_id: uuid.UUID) -> CopilotSession:
    return CopilotSession.objects.select_for_update(no_key=True).get(pk=session_id)


def _append(session: CopilotSession, turn: Turn) -> Turn:
    """The caller holds the session's lock, so the next number is free."""
    turn.session = session
    turn.number = (session.turns.aggregate(last=Max("number"))["last"] or 0) + 1
    turn.save(force_insert=True)
    return turn


def _append_tools(session: CopilotSession, tool_turns: Sequence[tuple[str, str]]) -> None:
    for name, result in tool_turns:
        # A model that invents a tool may give it any name.
        turn = Turn(role=Turn.Role.TOOL, tool_name=clean_text(name)[:64], text=clean_text(result))
        _append(session, turn)
