"""The session page and what is done on it, and the progress report. Thin over the use cases."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from elivio.pages import go_to, login_needed, render_part, send_to_login, wants_fragment
from elivio.text import find_fault
from judge.card import Card, latest_card
from plans.errors import Refused
from plans.queries import get_action, get_plan
from sessions import completion, drafts
from sessions.agreement_card import read_card
from sessions.chat import TurnAnswer, get_session, send_turn
from sessions.conversation import Conversation, read_conversation
from sessions.lifecycle import SessionClosed, end_session, open_session
from sessions.models import CopilotSession
from sessions.panel import read_panel
from sessions.report import read_report
from sessions.screen import Screen

PAGE = "sessions/session_detail.html"
WHOLE = "sessions/_session.html"
CARD = "sessions/_check.html"
BAR = "sessions/_bar.html"
COMPLETED = "Task complete."
STOPPED = "Stopped. Nothing was changed."
TOO_LATE = "This had finished before you stopped it: the task is complete."
NEWER = "A newer check has answered meanwhile. This is its answer."


@login_needed
def start(request: HttpRequest, action_id: uuid.UUID) -> HttpResponse:
    """POST opens the session on a task, or goes to the open one. A text sent along, which a
    session that has ended did not take, waits in the new one's box."""
    action = get_action(request.user, action_id)
    if request.method != "POST":
        return redirect("plans:plan", action.week.plan_id)
    try:
        session = open_session(action, request.user)
    except Refused as refusal:
        messages.warning(request, str(refusal))
        return go_to(request, "plans:plan", action.week.plan_id)
    if text := request.POST.get("text", ""):
        drafts.keep_draft(request, session.pk, text)
    return go_to(request, "sessions:session", session.pk, anchor="#end")


@login_needed
def session_page(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    session = load_session(request, session_id)
    if request.htmx.target == "conversation":
        # The page followed a reply, and now asks for what is stored.
        context = read_context(request, session)
        say = _say_newest(context["conversation"])
        return render_part(request, PAGE, "sessions/_conversation.html", context, say=say)
    context = read_context(request, session, before=read_before(request))
    # The one other fragment asked for by GET: the page of older turns.
    return render_part(
        request, PAGE, "sessions/_turns.html", context, say="Earlier messages are shown."
    )


def send(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """POST stores the student's turn and answers it. The text survives an expired login."""
    text = request.POST.get("text", "").replace("\r\n", "\n")
    if not request.user.is_authenticated:
        if request.method == "POST":
            drafts.keep_draft(request, session_id, text)
        return send_to_login(request)
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    text, client_id = find_sent_turn(session, request, text)
    try:
        answer = send_turn(session, text, client_id)
    except Refused as refusal:
        return _give_text_back(request, session, text, client_id, refusal)
    drafts.drop_draft(request, session_id)
    return _show_answer(request, session_id, answer)


@login_needed
def check(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """POST runs the completion check."""
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    try:
        card = completion.check_session(session)
    except SessionClosed as refusal:
        return _show_whole(request, session_id, str(refusal), status=refusal.status)
    return _show_card(request, session_id, card)


@login_needed
def complete(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """POST is the student's tap on Mark complete."""
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    try:
        answer = completion.complete_session(session)
    except Refused as refusal:
        return _show_whole(request, session_id, str(refusal), status=refusal.status)
    if answer.completed:
        return _show_whole(request, session_id, COMPLETED)
    return _show_card(request, session_id, answer.check)


@login_needed
def cancel(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """POST stops the taps that are on their way."""
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    if completion.cancel_tap(session):
        return _show_whole(request, session_id, TOO_LATE)
    if not wants_fragment(request):
        return go_to(request, "sessions:session", session_id, anchor="#check")
    context = read_context(request, load_session(request, session_id)) | {"is_stopped": True}
    return render_part(request, PAGE, CARD, context, also=(BAR,), say=STOPPED)


@login_needed
def end(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    session = load_session(request, session_id)
    if request.method != "POST":
        return redirect("sessions:session", session_id)
    end_session(session, CopilotSession.EndReason.STUDENT)
    messages.success(request, "Session ended. Your work is kept; go on whenever you like.")
    return go_to(request, "plans:plan", session.action.week.plan_id)


@login_needed
def progress(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    plan = get_plan(request.user, plan_id)
    return render(request, "sessions/progress.html", {"plan": plan, "report": read_report(plan)})


def load_session(request: HttpRequest, session_id: uuid.UUID) -> CopilotSession:
    """The user's session. Raises Http404, also for somebody else's."""
    try:
        return get_session(request.user, session_id)
    except CopilotSession.DoesNotExist as error:
        raise Http404("There is no such session.") from error


def read_before(request: HttpRequest) -> int | None:
    """The turn number of `?before=`; anything else counts as not given."""
    before = request.GET.get("before", "")
    return int(before) if before.isascii() and before.isdecimal() and len(before) < 10 else None


def find_sent_turn(
    session: CopilotSession, request: HttpRequest, text: str
) -> tuple[str, str | None]:
    """The text and client id to send. "Ask again" sends the id alone and means the stored text;
    other words under an id that is taken (a page from the history) are a turn of their own."""
    client_id = request.POST.get("client_id", "")
    if find_fault(client_id, longest=64):
        return text, None
    known = session.turns.filter(client_id=client_id).first()
    if known and "again" in request.POST:
        return known.text, client_id
    if known and known.text != text:
        return text, str(uuid.uuid5(known.pk, text))
    return text, client_id


def read_context(
    request: HttpRequest,
    session: CopilotSession,
    *,
    before: int | None = None,
    card: Card | None = None,
) -> dict[str, Any]:
    panel = read_panel(session, card)
    return {
        "session": session,
        "action": session.action,
        "plan": session.action.week.plan,
        "conversation": read_conversation(session, before),
        "panel": panel,
        "screen": Screen(session, panel.requirements),
        "agreement": read_card(request, session, panel.requirements),
        "is_open": session.ended_at is None and not panel.is_completed,
        "client_id": uuid.uuid4(),
        "draft": drafts.find_draft(request, session.pk),
    }


def _say_newest(conversation: Conversation) -> str:
    newest = conversation.turns[-1] if conversation.turns else None
    if newest is None or newest.is_answered_now:
        return ""
    return newest.trouble if newest.is_waiting else f"The copilot: {newest.turn.text}"


def _show_answer(request: HttpRequest, session_id: uuid.UUID, answer: TurnAnswer) -> HttpResponse:
    if not wants_fragment(request):
        if answer.sentence:
            messages.warning(request, answer.sentence)
        return go_to(request, "sessions:session", session_id, anchor="#end")
    context = read_context(request, load_session(request, session_id))
    say = f"The copilot: {answer.reply.text}" if answer.reply else answer.sentence
    return render_part(request, PAGE, "sessions/_conversation.html", context, say=say)


def _give_text_back(
    request: HttpRequest,
    session: CopilotSession,
    text: str,
    client_id: str | None,
    refusal: Refused,
) -> HttpResponse:
    context = read_context(request, session)
    context |= {"draft": text, "fault": str(refusal), "client_id": client_id or uuid.uuid4()}
    context["is_open"] = context["is_open"] and not isinstance(refusal, SessionClosed)
    return render_part(
        request,
        PAGE,
        "sessions/_conversation.html",
        context,
        say=str(refusal),
        status=refusal.status,
    )


def _show_card(request: HttpRequest, session_id: uuid.UUID, card: Card) -> HttpResponse:
    """The fresh card, or that of a check which was started later and has answered already; a
    plain form goes back to the page, which reads it from the audit row."""
    if card.id and not wants_fragment(request):
        return go_to(request, "sessions:session", session_id, anchor="#check")
    session = load_session(request, session_id)
    newest = latest_card(session.action_id)
    is_newer = newest is not None and newest.started_at > card.started_at
    shown = newest if is_newer else card
    context = read_context(request, session, card=shown) | {"is_fresh": True}
    if is_newer:
        context["news"] = NEWER
    say = " ".join([context.get("news", ""), shown.summary]).strip()
    return render_part(request, PAGE, CARD, context, also=(BAR,), say=say)


def _show_whole(
    request: HttpRequest, session_id: uuid.UUID, sentence: str, status: int = 200
) -> HttpResponse:
    """The page in its new state, after which nothing on it is as it was."""
    if not wants_fragment(request):
        if status != 200:
            messages.warning(request, sentence)
        return go_to(request, "sessions:session", session_id, anchor="#check")
    context = read_context(request, load_session(request, session_id))
    response = render_part(request, PAGE, WHOLE, context, say=sentence, status=status)
    response["HX-Retarget"] = "#session"
    return response
