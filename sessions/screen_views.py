"""Pictures kept for a row and messages marked as one's work, on the session page. Thin over
`sessions.pins`; no script is needed for any of it."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from elivio.pages import go_to, login_needed, render_part, wants_fragment
from plans.errors import Refused
from plans.models import Requirement
from sessions import images, pins
from sessions.lifecycle import SessionClosed
from sessions.models import CopilotSession, Picture, Turn
from sessions.screen import Screen
from sessions.views import PAGE, load_session

PICTURES = "sessions/_pictures.html"
PIN = "sessions/_pin.html"
NO_PICTURE = "Choose a picture first."
NO_ROW = "This row is no longer part of the task. Choose another one."
KEPT = "Kept. Every check sees this picture until the task is done."
REMOVED = "Picture removed."
MARKED = "Marked. Every check reads this message."
UNMARKED = "The mark is taken off."


class UploadRefused(Refused):
    """A form without a picture or a row; the sentence says what to do."""

    status = 422


@login_needed
def keep(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """POST keeps the uploaded `image` for the row `requirement`."""
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    try:
        keep_upload(session, request)
    except SessionClosed as refusal:
        return _leave(request, session_id, refusal)
    except Refused as refusal:
        return _show_pictures(request, session, fault=str(refusal))
    return _show_pictures(request, session, said=KEPT)


@require_safe
@login_needed
def picture(request: HttpRequest, session_id: uuid.UUID, picture_id: uuid.UUID) -> HttpResponse:
    """A kept picture itself, for its student alone."""
    session = load_session(request, session_id)
    try:
        kept = pins.find_picture(session, picture_id)
    except Picture.DoesNotExist as error:
        raise Http404("There is no such picture.") from error
    response = HttpResponse(bytes(kept.jpeg), content_type="image/jpeg")
    response["Cache-Control"] = "private, no-store"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["X-Content-Type-Options"] = "nosniff"
    return response


@login_needed
def remove(request: HttpRequest, session_id: uuid.UUID, picture_id: uuid.UUID) -> HttpResponse:
    """POST deletes a kept picture."""
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    pins.remove_picture(session, picture_id)
    return _show_pictures(request, session, said=REMOVED)


@login_needed
def mark(request: HttpRequest, session_id: uuid.UUID, turn_id: uuid.UUID) -> HttpResponse:
    """POST marks a message as the student's work, or takes the mark off with `mark=0`."""
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    is_off = request.POST.get("mark") == "0"
    try:
        turn = (pins.unpin_turn if is_off else pins.pin_turn)(session, turn_id)
    except Turn.DoesNotExist as error:
        raise Http404("There is no such message.") from error
    except SessionClosed as refusal:
        return _leave(request, session_id, refusal)
    except pins.PinRefused as refusal:
        turn = session.turns.get(pk=turn_id)
        return _show_mark(request, session, turn, str(refusal), status=refusal.status)
    return _show_mark(request, session, turn, UNMARKED if is_off else MARKED)


def keep_upload(session: CopilotSession, request: HttpRequest) -> Picture:
    """Keep what the form sent. Raises Refused."""
    upload = request.FILES.get("image")
    if upload is None:
        raise UploadRefused(NO_PICTURE)
    try:
        requirement_id = uuid.UUID(request.POST.get("requirement", ""))
        return pins.keep_picture(session, requirement_id, images.clean_upload(upload))
    except (ValueError, Requirement.DoesNotExist) as error:
        raise UploadRefused(NO_ROW) from error


def _leave(request: HttpRequest, session_id: uuid.UUID, refusal: Refused) -> HttpResponse:
    """The session has ended meanwhile: its page, which no longer offers any of this."""
    messages.warning(request, str(refusal))
    return go_to(request, "sessions:session", session_id)


def _show_pictures(
    request: HttpRequest, session: CopilotSession, *, said: str = "", fault: str = ""
) -> HttpResponse:
    if not wants_fragment(request):
        (messages.warning if fault else messages.success)(request, fault or said)
        return go_to(request, "sessions:session", session.pk, anchor="#screen")
    context: dict[str, Any] = {
        "session": session,
        "screen": Screen(session, list(session.action.requirements.all())),
        "said": said,
        "fault": fault,
    }
    # 422 for whatever is wrong with the picture: of the refusals a page shows that one.
    status = 422 if fault else 200
    return render_part(request, PAGE, PICTURES, context, say=fault or said, status=status)


def _show_mark(
    request: HttpRequest, session: CopilotSession, turn: Turn, sentence: str, status: int = 200
) -> HttpResponse:
    if not wants_fragment(request):
        (messages.success if status == 200 else messages.warning)(request, sentence)
        return go_to(request, "sessions:session", session.pk, anchor=f"#turn-{turn.number}")
    context = {"session": session, "turn": turn, "is_open": True}
    context["mark_fault"] = "" if status == 200 else sentence
    return render_part(request, PAGE, PIN, context, say=sentence, status=status)
