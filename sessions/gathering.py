"""The pictures of one check: those kept for a row, those of the shared screen, and what the student
is told of them. It judges none; what counts is said by `judge.evidence.Frame`.
"""

import uuid
from dataclasses import dataclass

from judge.evidence import Frame, Task
from plans.models import EvidenceKind
from sessions import frames
from sessions.images import ImageRefused, clean_base64
from sessions.models import CopilotSession
from sessions.pins import pictures_as_evidence

UNREADABLE = "Your screenshot could not be read."
UNAVAILABLE = "Your screenshot could not be kept."
UNREACHABLE = "Pictures of a shared screen could not be reached just now."
USED_SHARED = "The check looked at your newest shared picture."
USED_OLDER = "The check looked at a shared picture from before it instead."
USED_KEPT = "The check used the pictures that you kept for this task instead."
USED_WORDS = "The check went by your messages alone."
OLD = "Your shared pictures are older than ten minutes, so they did not count. Share them again."
BLACK = "Your newest picture is black, so it did not count. Show the window you mean."


@dataclass(frozen=True, slots=True)
class Gathered:
    """`notices` are sentences for the card, `hints` such as are said only when something is
    missing. `is_reachable` is False when Valkey was not: whoever asks it again in the same check
    waits for nothing."""

    pictures: tuple[Frame, ...]
    notices: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    is_reachable: bool = True


def gather_pictures(session: CopilotSession, task: Task, screenshot: str | None) -> Gathered:
    """Every picture that there is for a check of the task, with the screenshot (base64) as the
    newest. Never raises for a picture: what is wrong with it is said."""
    kept = pictures_as_evidence(task)
    problem, is_reachable = _store(session.pk, screenshot) if screenshot else ("", True)
    shared: tuple[Frame, ...] = ()
    if is_reachable:
        try:
            shared = frames.as_evidence(frames.read_frames(session.pk), after=len(kept))
        except frames.FramesUnavailable:
            is_reachable = False
    takes_pictures = any(row.evidence_kind != EvidenceKind.WRITTEN for row in task.rows)
    if not is_reachable and not problem and takes_pictures:
        problem = UNREACHABLE
    notices: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    if problem:
        notices = (problem, _say_instead(task, kept, shared))
    elif shared and takes_pictures:
        notices, hints = _say_shared(shared[-1], is_sent=bool(screenshot))
    return Gathered(kept + shared, notices, hints, is_reachable)


def _store(session_id: uuid.UUID, screenshot: str) -> tuple[str, bool]:
    """What went wrong, or "", and whether Valkey is there."""
    try:
        frames.store_frame(session_id, clean_base64(screenshot))
    except ImageRefused:
        return UNREADABLE, True
    except frames.FramesUnavailable:
        return UNAVAILABLE, False
    return "", True


def _say_instead(task: Task, kept: tuple[Frame, ...], shared: tuple[Frame, ...]) -> str:
    """What counts in place of a picture that is not there."""
    if _find_counting(task, shared):
        return USED_OLDER
    return USED_KEPT if _find_counting(task, kept) else USED_WORDS


def _find_counting(task: Task, pictures: tuple[Frame, ...]) -> list[Frame]:
    rows = [row for row in task.rows if row.evidence_kind != EvidenceKind.WRITTEN]
    return [frame for frame in pictures if any(frame.counts_for(row) for row in rows)]


def _say_shared(newest: Frame, *, is_sent: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Notices and hints. `is_sent` says that the picture came with this very check, which needs no
    word when it counts. When the newest is too old, all are."""
    if newest.is_black:
        return (), (BLACK,)
    if not newest.is_current:
        return (), (OLD,)
    return (() if is_sent else (USED_SHARED,)), ()
