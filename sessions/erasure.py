"""Removing a person and keeping the facts: their words are blanked, what was done and how stays.

The facts are ids, times, statuses, outcomes and the texts of the tasks. The database allows the
blanking of completions and check runs only beside an Erasure row (migrations 0002).
"""

import logging
import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F, Model, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from elivio.typed import holds_typed_by
from judge import kept_pictures
from judge.models import Appeal, AppealFrame, CheckRun
from plans.errors import Refused
from plans.models import Completion, Erasure, FollowUp, Plan, PlanDraft
from sessions import drafts, frames
from sessions.agreement_card import KEY as AGREEMENTS
from sessions.models import CopilotSession, MemorySummary, Picture, Turn
from sessions.report import refresh_report

logger = logging.getLogger(__name__)


class ErasureRefused(Refused):
    pass


@dataclass(frozen=True, slots=True)
class Removal:
    """`name` is what the person is called in the records from now on. Without `frames_removed`
    the pictures of their screen go by themselves within half an hour."""

    name: str
    frames_removed: bool


def erase_person(person: User, *, by: User, reason: str) -> Removal:
    """Remove a person. Again: blanks what was still under way the first time, an answer of a model
    for example, and adds no second Erasure. Raises ErasureRefused."""
    if not (by.is_staff and by.is_active):
        raise ErasureRefused("Only an active member of staff can remove a person.")
    if not reason.strip():
        raise ErasureRefused("Say in a sentence why this person is removed.")
    with transaction.atomic():
        # Not a key lock: a tap that holds its plan's lock still points a row to this person.
        person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        if not Erasure.objects.filter(person=person).exists():
            Erasure.objects.create(person=person, by=by, reason=reason.strip()[:500])
            person.username = f"erased-{uuid.uuid4().hex}"
        session_ids = _close_everything(person)
        _blank_sessions(session_ids)
        _blank_checks(person)
        _blank_log(person, session_ids)
        _blank_user(person)
        for plan in Plan.objects.filter(owner=person, report__isnull=False):
            refresh_report(plan.pk)
    _end_logins(person, session_ids)
    return Removal(person.username, _remove_frames(session_ids))


def _close_everything(person: User) -> list[uuid.UUID]:
    """Archive the plans and end the sessions, so that nothing new is written, and drop the work
    still to do. Locks plans before sessions, as a completion does. Returns the sessions' ids."""
    now = timezone.now()
    plans = Plan.objects.filter(owner=person)
    list(plans.select_for_update(no_key=True).order_by("pk"))
    plans.update(goal="", archived_at=Coalesce(F("archived_at"), now))
    sessions = CopilotSession.objects.filter(student=person)
    session_ids = list(
        sessions.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True)
    )
    sessions.open().update(ended_at=now)
    # Briefs and proposals are the person's words; an accepted one's plan stays. A worker that is
    # at one of them finds nothing to save its step to.
    PlanDraft.objects.filter(owner=person).delete()
    followups = FollowUp.objects.filter(plan__owner=person)
    followups.update(done_at=Coalesce(F("done_at"), now), last_error="")
    return session_ids


def _blank_sessions(session_ids: list[uuid.UUID]) -> None:
    Turn.objects.filter(session__in=session_ids).update(text="", client_id=None)
    MemorySummary.objects.filter(session__in=session_ids).update(
        made="", decided="", left_open="", deleted_at=Coalesce(F("deleted_at"), timezone.now())
    )
    Picture.objects.filter(action__copilot_sessions__in=session_ids).delete()


def _blank_checks(person: User) -> None:
    runs = CheckRun.objects.filter(student=person)
    runs.update(evidence={}, request={}, replies=[], summary="")
    _blank_checklists(runs)
    _blank_checklists(Completion.objects.filter(confirmed_by=person))
    Appeal.objects.filter(student=person).update(message="")
    AppealFrame.objects.filter(appeal__student=person).delete()


def _blank_checklists(rows: QuerySet) -> None:
    for row in rows.exclude(checklist=[]).only("checklist"):
        blank = [_blank_row(item) for item in row.checklist]
        rows.filter(pk=row.pk).update(checklist=blank)


def _blank_row(row: dict[str, Any]) -> dict[str, Any]:
    """A checklist's row without the words: its id, title and status stay."""
    return {**row, "note": "", "evidence": []}


def _blank_log(person: User, session_ids: list[uuid.UUID]) -> None:
    """The admin's log names the rows that staff changed, by their text at that time."""
    named: dict[type[Model], list[Any]] = {User: [person.pk], MemorySummary: session_ids}
    for model, ids in named.items():
        entries = LogEntry.objects.filter(
            content_type=ContentType.objects.get_for_model(model),
            object_id__in=[str(pk) for pk in ids],
        )
        entries.update(object_repr=person.username, change_message="")


def _blank_user(person: User) -> None:
    """Take name, rights and logins. An unusable password also ends sessions of other stores."""
    person.email = person.first_name = person.last_name = ""
    person.is_active = person.is_staff = person.is_superuser = False
    person.last_login = None
    person.set_unusable_password()
    person.save()
    person.groups.clear()
    person.user_permissions.clear()


def _end_logins(person: User, session_ids: list[uuid.UUID]) -> None:
    """The person's, and those of visitors that hold what the person typed when a login had run
    out. Reads every login of the site, so it holds no lock; an inactive user has none that counts.
    """
    kept_under = {str(pk) for pk in session_ids}
    for login in Session.objects.iterator():
        data = login.get_decoded()
        is_theirs = data.get(SESSION_KEY) == str(person.pk) or holds_typed_by(data, person)
        if is_theirs or kept_under & {*data.get(drafts.KEY, ()), *data.get(AGREEMENTS, ())}:
            login.delete()


def _remove_frames(session_ids: list[uuid.UUID]) -> bool:
    try:
        frames.forget_frames(session_ids)
    except frames.FramesUnavailable as error:
        logger.warning("Frames could not be removed, they expire by themselves: %s", error)
        return False
    return kept_pictures.forget_kept(session_ids)
