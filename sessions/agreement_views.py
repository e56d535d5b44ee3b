"""Confirming what will be made, and asking for a proposal. Thin over sessions.agreement."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from elivio.pages import go_to, login_needed, render_part, send_to_login, wants_fragment
from plans.agreed_rows import (
    MOST_AGREED,
    AgreedRow,
    AgreementChanged,
    AgreementRefused,
    fold_title,
)
from plans.errors import Refused
from sessions.agreement import FULL, Proposal, agree, propose_rows
from sessions.agreement_card import drop_waiting, keep_waiting, read_card, read_lines
from sessions.models import CopilotSession
from sessions.views import PAGE, WHOLE, load_session, read_context

CARD = "sessions/_agreement.html"
BESIDE = "sessions/_beside.html"
BAR = "sessions/_bar.html"
AGREED = "Agreed. It stands under what done means now, and is checked like the other rows."
TAKEN_BACK = "Taken back. The task asks for what its plan says, and nothing more."
UNCHANGED = "That is what was agreed already."
PROPOSED = "A proposal from your conversation. Correct it, then confirm it: nothing is agreed yet."


def agreement(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """POST is the student's tap: the lines sent are what is agreed. They outlive a login."""
    typed = [] if "none" in request.POST else read_lines(request.POST)
    if not request.user.is_authenticated:
        if request.method == "POST":
            keep_waiting(request, session_id, typed)
        return send_to_login(request)
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    had_any = session.action.requirements.filter(origin="agreed").exists()
    try:
        if not typed and not had_any:
            raise AgreementRefused("Write at least one line first.")
        is_changed = agree(session, typed, request.POST.get("seen"))
    except AgreementRefused as refusal:
        return _give_back(request, session, typed, refusal, seen=request.POST.get("seen"))
    except AgreementChanged as refusal:
        lines = read_lines(request.POST) or None
        return _give_back(request, load_session(request, session_id), lines, refusal)
    except Refused as refusal:
        keep_waiting(request, session.action_id, typed)
        return _show_closed(request, session_id, refusal)
    drop_waiting(request, session)
    said = (AGREED if typed else TAKEN_BACK) if is_changed else UNCHANGED
    return _show_beside(request, session_id, said)


@login_needed
def propose(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """POST puts a proposal into the empty lines of the form. It agrees on nothing."""
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    typed = read_lines(request.POST)
    try:
        proposal = Proposal([], FULL) if len(typed) == MOST_AGREED else propose_rows(session)
    except Refused as refusal:
        keep_waiting(request, session.action_id, typed)
        return _show_closed(request, session_id, refusal)
    known = {fold_title(row.title) for row in typed}
    rows = [*typed, *(row for row in proposal.rows if fold_title(row.title) not in known)]
    keep_waiting(request, session.pk, rows[:MOST_AGREED])
    sentence = proposal.sentence or PROPOSED
    if not wants_fragment(request):
        (messages.info if proposal.rows else messages.warning)(request, sentence)
        return go_to(request, "sessions:session", session_id, anchor="#agreement")
    session = load_session(request, session_id)
    return _show_card(request, session, sentence, sentence=sentence)


def _give_back(
    request: HttpRequest,
    session: CopilotSession,
    typed: Sequence[AgreedRow] | None,
    refusal: Refused,
    *,
    seen: str | None = None,
) -> HttpResponse:
    said = str(refusal)
    return _show_card(request, session, said, refusal.status, typed=typed, seen=seen, fault=said)


def _show_card(
    request: HttpRequest, session: CopilotSession, say: str, status: int = 200, **shown: Any
) -> HttpResponse:
    context = read_context(request, session)
    requirements = context["panel"].requirements
    context["agreement"] = read_card(request, session, requirements, **shown)
    return render_part(request, PAGE, CARD, context, say=say, status=status)


def _show_beside(request: HttpRequest, session_id: uuid.UUID, sentence: str) -> HttpResponse:
    """The card and the check, as what done means is another now. The conversation stays."""
    if not wants_fragment(request):
        messages.success(request, sentence)
        return go_to(request, "sessions:session", session_id, anchor="#agreement")
    session = load_session(request, session_id)
    context = read_context(request, session)
    requirements = context["panel"].requirements
    context["agreement"] = read_card(request, session, requirements, sentence=sentence)
    response = render_part(request, PAGE, BESIDE, context, also=(BAR,), say=sentence)
    response["HX-Retarget"] = "#beside"
    return response


def _show_closed(request: HttpRequest, session_id: uuid.UUID, refusal: Refused) -> HttpResponse:
    """The whole page, as another window has ended the session or completed the task."""
    said = str(refusal)
    if not wants_fragment(request):
        messages.warning(request, said)
        return go_to(request, "sessions:session", session_id)
    context = read_context(request, load_session(request, session_id))
    response = render_part(request, PAGE, WHOLE, context, say=said, status=refusal.status)
    response["HX-Retarget"] = "#session"
    return response
