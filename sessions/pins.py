"""What a student marks as their work, so that no cap or clock takes it from a check: turns, and
pictures kept for one row. Kept pictures are deleted once the task is done.
"""

import uuid

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from judge.evidence import Frame, Task
from plans.errors import Refused
from plans.models import EvidenceKind, Requirement
from sessions.images import CleanImage
from sessions.lifecycle import SessionClosed
from sessions.models import CopilotSession, Picture, Turn
from sessions.transcript import MOST_PINS

MOST_PINNED_CHARACTERS = 60_000
MOST_PICTURES = 8


class PinRefused(Refused):
    """As much is marked or kept as there is room for; the sentence says what to do."""


class PictureRefused(Refused):
    """A picture that could prove nothing for its row; the sentence says what to do."""

    status = 422


@transaction.atomic
def pin_turn(session: CopilotSession, turn_id: uuid.UUID) -> Turn:
    """Mark one of the student's own turns as their work. Marked already is a quiet success.

    Raises Turn.DoesNotExist for anything else than a student's turn of this session, PinRefused
    when as much is marked as one check can hold.
    """
    _lock_open(session)
    turn = session.turns.get(pk=turn_id, role=Turn.Role.STUDENT)
    if turn.pinned_at:
        return turn
    pinned = Turn.objects.filter(session__action_id=session.action_id, pinned_at__isnull=False)
    texts = list(pinned.values_list("text", flat=True))
    if len(texts) >= MOST_PINS or sum(map(len, texts)) + len(turn.text) > MOST_PINNED_CHARACTERS:
        raise PinRefused("As much is marked as one check can hold. Unmark something first.")
    turn.pinned_at = timezone.now()
    turn.save(update_fields=("pinned_at",))
    return turn


@transaction.atomic
def unpin_turn(session: CopilotSession, turn_id: uuid.UUID) -> Turn:
    """Take the mark off. Not marked is a quiet success.

    Raises Turn.DoesNotExist for anything else than a student's turn of this session,
    SessionClosed.
    """
    _lock_open(session)
    turn = session.turns.get(pk=turn_id, role=Turn.Role.STUDENT)
    turn.pinned_at = None
    turn.save(update_fields=("pinned_at",))
    return turn


@transaction.atomic
def keep_picture(session: CopilotSession, requirement_id: uuid.UUID, image: CleanImage) -> Picture:
    """Keep a picture for one row of the session's task.

    Raises Requirement.DoesNotExist for a row of another task, PictureRefused for a row that asks
    for words or a black picture, PinRefused for one too many, SessionClosed.
    """
    _lock_open(session)
    # Locked, so that an edit which removes the row comes before this picture or after it.
    rows = Requirement.objects.select_for_update(no_key=True)
    requirement = rows.get(pk=requirement_id, action_id=session.action_id)
    if not takes_pictures(requirement):
        raise PictureRefused("This row asks for your own words. Write them in a message.")
    if image.is_black:
        raise PictureRefused("This picture is black. Show the window you mean and take it again.")
    kept = Picture.objects.filter(action_id=session.action_id)
    if kept.count() >= MOST_PICTURES:
        raise PinRefused(f"A task keeps {MOST_PICTURES} pictures. Remove one first.")
    return Picture.objects.create(
        action_id=session.action_id,
        requirement=requirement,
        student_id=session.student_id,
        jpeg=image.jpeg,
        is_black=image.is_black,
    )


def takes_pictures(requirement: Requirement) -> bool:
    """Whether a picture can prove this row."""
    return requirement.evidence_kind != EvidenceKind.WRITTEN


def read_pictures(session: CopilotSession) -> QuerySet[Picture]:
    """The pictures kept for the session's task, oldest first, without their bytes."""
    return Picture.objects.filter(action_id=session.action_id).defer("jpeg")


def find_picture(session: CopilotSession, picture_id: uuid.UUID) -> Picture:
    """A kept picture of the session's task, with its bytes. Raises Picture.DoesNotExist."""
    return Picture.objects.get(pk=picture_id, action_id=session.action_id)


def remove_picture(session: CopilotSession, picture_id: uuid.UUID) -> None:
    """Delete a kept picture of the session's task. Gone already is a quiet success."""
    Picture.objects.filter(pk=picture_id, action_id=session.action_id).delete()


def forget_pictures(action_id: uuid.UUID) -> None:
    Picture.objects.filter(action_id=action_id).delete()


def pictures_as_evidence(task: Task) -> tuple[Frame, ...]:
    """The kept pictures as a judge gets them, numbered from 1, each pinned to its row."""
    keys = {row.id: row.key for row in task.rows}
    now = timezone.now()
    pictures = Picture.objects.filter(action_id=task.action_id, requirement_id__in=keys)
    return tuple(
        Frame(
            number,
            bytes(picture.jpeg),
            max(0, round((now - picture.created_at).total_seconds())),
            picture.is_black,
            pinned_to=keys[picture.requirement_id],
        )
        for number, picture in enumerate(pictures, start=1)
    )


def _lock_open(session: CopilotSession) -> None:
    row = CopilotSession.objects.select_for_update(no_key=True).get(pk=session.pk)
    if row.ended_at:
        raise SessionClosed
