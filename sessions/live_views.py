"""Following a reply while it is made, and stopping it. Thin over `sessions.live`."""

import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import redirect

from elivio.llm.gateway import release_connections
from elivio.pages import go_to, login_needed, render_part, send_to_login, wants_fragment
from elivio.text import find_fault
from plans.errors import Refused
from sessions.live import ask_to_stop, follow, make_key
from sessions.models import CopilotSession, Turn
from sessions.views import PAGE, load_session

STOPPING = "Stopping. What has come so far is kept."
_NO_STORE = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would keep the words back until there are many
}


async def live(request: HttpRequest, session_id: uuid.UUID) -> HttpResponseBase:
    """GET gives the reply's words as server-sent events; 204 when nothing is named to follow."""
    if not (await request.auser()).is_authenticated:
        return send_to_login(request)
    await sync_to_async(_require_session)(request, session_id)
    if request.method != "GET":
        return redirect("sessions:session", session_id)
    client_id, tries = request.GET.get("turn", ""), request.GET.get("try", "")
    if find_fault(client_id, longest=64) or not (tries.isascii() and tries.isdecimal()):
        return HttpResponse(status=204)
    words = follow(
        make_key(session_id, client_id, int(tries[:9])), request.headers.get("Last-Event-ID", "")
    )
    return StreamingHttpResponse(words, content_type="text/event-stream", headers=_NO_STORE)


def _require_session(request: HttpRequest, session_id: uuid.UUID) -> None:
    """Raises Http404. The connection goes back: following takes as long as the reply does."""
    load_session(request, session_id)
    release_connections()


@login_needed
def stop(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """POST asks for the end of the reply that is being made."""
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    turn = _find_turn(session, request.POST.get("turn", ""))
    sentence, status = STOPPING, 200
    try:
        ask_to_stop(turn)
    except Refused as refusal:
        sentence, status = str(refusal), refusal.status
    if not wants_fragment(request):
        messages.info(request, sentence)
        return go_to(request, "sessions:session", session_id, anchor="#end")
    context: dict[str, Any] = {
        "session": session,
        "client_id": request.POST.get("turn", ""),
        "stopping": sentence,
        "is_stopping": status == 200,
    }
    return render_part(request, PAGE, "sessions/_stop.html", context, say=sentence, status=status)


def _find_turn(session: CopilotSession, client_id: str) -> Turn:
    """The turn of this id. One that is not there yet cannot be stopped yet."""
    is_odd = bool(find_fault(client_id, longest=64))
    turn = None if is_odd else session.turns.filter(client_id=client_id).first()
    return turn or Turn(session=session)
