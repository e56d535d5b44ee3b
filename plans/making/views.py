"""The pages on which a student has a plan made: ask, watch, accept, drop. Thin over
`plans.making.drafts`; what was typed is shown again after every refusal and expired login."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone

from elivio.pages import go_to, login_needed, render_part
from elivio.said import read_said
from elivio.text import read_number
from elivio.typed import take_typed
from plans.errors import Refused
from plans.making import drafts
from plans.making.brief import MOST_HOURS, MOST_WEEKS
from plans.making.errors import BriefRefused
from plans.making.shown import show_draft
from plans.models import PlanDraft

LEVELS = (
    ("beginner", "I am new to this"),
    ("some", "I have done some of it before"),
    ("experienced", "I am experienced"),
)
FIELDS = ("description", "hours_per_week", "weeks", "level", "target_date")
FIRST = {"hours_per_week": "5", "weeks": "4", "level": "beginner"}
ACCEPTED = "Your plan is made. It begins with the first task."


@login_needed
def new_plan(request: HttpRequest) -> HttpResponse:
    """GET shows the form, filled with the brief of `?from=<draft>`; POST has a plan made."""
    if request.method != "POST":
        typed = take_typed(request)
        values = typed.dict() if typed else _brief_of(request, request.GET.get("from", ""))
        return _show_new(request, values)
    values = {name: request.POST.get(name, "") for name in FIELDS}
    answers = {**values, "description": values["description"].replace("\r\n", "\n")}
    for name in ("hours_per_week", "weeks"):
        answers[name] = read_number(values[name]) or 0
    try:
        draft = drafts.ask_for_plan(request.user, **answers)
    except BriefRefused as refusal:
        return _show_new(request, values, refusal.faults, status=refusal.status)
    except Refused as refusal:
        return _show_new(request, values, {"form": str(refusal)}, status=refusal.status)
    return redirect("plans:draft", draft.pk)


@login_needed
def draft_page(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """Where the draft stands. While it is being made the page asks again by itself; `?seen=` is
    what the page knows, so that only news is read out."""
    draft = drafts.get_draft(request.user, draft_id)
    if draft.plan_id:
        return go_to(request, "plans:plan", draft.plan_id)
    return _show_draft(request, draft)


@login_needed
def accept(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """POST makes the plan."""
    draft = drafts.get_draft(request.user, draft_id)
    if request.method != "POST":
        return redirect("plans:draft", draft_id)
    try:
        plan = drafts.accept_draft(request.user, draft_id)
    except Refused as refusal:
        return _show_draft(request, draft, str(refusal), status=refusal.status)
    messages.success(request, ACCEPTED)
    return redirect("plans:plan", plan.pk)


@login_needed
def retry(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """POST has a failed draft made again."""
    drafts.get_draft(request.user, draft_id)
    if request.method == "POST":
        try:
            drafts.try_again(request.user, draft_id)
        except Refused as refusal:
            messages.warning(request, str(refusal))
    return redirect("plans:draft", draft_id)


@login_needed
def drop(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """GET asks to confirm; POST deletes the draft."""
    draft = drafts.get_draft(request.user, draft_id)
    if request.method != "POST":
        return render(request, "plans/making/drop.html", {"shown": show_draft(draft)})
    try:
        drafts.drop_draft(request.user, draft_id)
    except Refused as refusal:
        messages.warning(request, str(refusal))
        return redirect("plans:draft", draft_id)
    messages.success(request, "Dropped.")
    return redirect("plans:home")


def _brief_of(request: HttpRequest, text: str) -> dict[str, Any]:
    """The brief of a draft of the user's, to be changed; what a new one begins with otherwise."""
    try:
        draft = drafts.get_draft(request.user, uuid.UUID(text))
    except (ValueError, Http404):
        return dict(FIRST)
    return {name: draft.brief[name] or "" for name in FIELDS}


def _show_new(
    request: HttpRequest,
    values: dict[str, Any] | QueryDict,
    faults: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "values": values,
        "faults": faults or {},
        "levels": LEVELS,
        "today": timezone.localdate().isoformat(),
        "most_hours": MOST_HOURS,
        "most_weeks": MOST_WEEKS,
    }
    return render(request, "plans/making/new.html", context, status=status)


def _show_draft(
    request: HttpRequest, draft: PlanDraft, fault: str = "", status: int = 200
) -> HttpResponse:
    shown = show_draft(draft)
    mark = f"{draft.state}-{draft.round}"
    places = {"plan", *(f"week-{week.number}" for week in shown.weeks)}
    context = {"shown": shown, "draft": draft, "mark": mark, "fault": fault}
    context |= read_said(request, places)
    say = "" if request.GET.get("seen") == mark else shown.sentence
    page, part = "plans/making/draft.html", "plans/making/_draft.html"
    return render_part(request, page, part, context, say=fault or say, status=status)
