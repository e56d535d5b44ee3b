"""The pages on which a student changes a draft before accepting it: its title and goal, and its
weeks. Thin over `plans.making.drafts`; what was typed is shown again after every refusal and
expired login."""

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from elivio.pages import go_to, login_needed
from elivio.said import go_and_say
from elivio.typed import take_typed
from plans.errors import Refused
from plans.making import drafts
from plans.making.errors import DraftChanged
from plans.making.proposal import Proposal
from plans.making.shown import show_draft
from plans.making.text_form import TextForm, read_text_form
from plans.making.week_form import WeekForm, read_week_form
from plans.models import EvidenceKind, PlanDraft

SAVED = "Saved. What code can check was checked again; nobody has read the change."
NOTHING = "Nothing was different, so nothing was changed."
NO_WEEK = "This week is not in the plan any more."
NOT_SAVED = "Nothing is saved yet. Look at the marked places."


@login_needed
def text_page(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """GET shows title and goal to change; POST saves them."""
    draft = drafts.get_draft(request.user, draft_id)
    sent = request.POST if request.method == "POST" else take_typed(request)
    form = None if sent is None else read_text_form(sent)
    if why := _say_obstacle(draft):
        return _refuse(request, draft, why, form)
    proposal = Proposal.model_validate(draft.proposal)
    if form is None or request.method != "POST":
        return _show_text(request, draft, form or TextForm.of(proposal, draft.version))
    if form.find_faults():
        return _show_text(request, draft, form, NOT_SAVED, status=422)
    try:
        changed = drafts.read_proposal(form.put_into(proposal))
        saved = drafts.edit_proposal(request.user, draft_id, changed, form.version)
    except DraftChanged as refusal:
        form.version = draft.version
        return _show_text(request, draft, form, str(refusal), refusal.status, stored=proposal)
    except Refused as refusal:
        return _show_text(request, draft, form, str(refusal), refusal.status)
    return _go_to_draft(request, draft, saved, "plan")


@login_needed
def week_page(request: HttpRequest, draft_id: uuid.UUID, number: int) -> HttpResponse:
    """GET shows one week to change; POST saves it."""
    draft = drafts.get_draft(request.user, draft_id)
    sent = request.POST if request.method == "POST" else take_typed(request)
    form = None if sent is None else read_week_form(sent)
    if why := _say_obstacle(draft, number):
        return _refuse(request, draft, why, form)
    proposal = Proposal.model_validate(draft.proposal)
    if form is None or request.method != "POST":
        form = form or WeekForm.of(proposal, number, draft.version)
        return _show_week(request, draft, number, form)
    if form.find_faults():
        return _show_week(request, draft, number, form, NOT_SAVED, status=422)
    try:
        changed = drafts.read_proposal(form.put_into(proposal, number))
        saved = drafts.edit_proposal(request.user, draft_id, changed, form.version)
    except DraftChanged:
        form.version = draft.version
        return _show_week(request, draft, number, form, stored=proposal.weeks[number - 1])
    except Refused as refusal:
        return _show_week(request, draft, number, form, str(refusal), status=refusal.status)
    return _go_to_draft(request, draft, saved, "plan" if form.is_gone else f"week-{number}")


def _say_obstacle(draft: PlanDraft, number: int = 1) -> str:
    """Why nothing can be changed here, or ""."""
    if draft.state != PlanDraft.State.READY:
        return drafts.say_not_ready(draft)
    return "" if 1 <= number <= len(draft.proposal["weeks"]) else NO_WEEK


def _refuse(
    request: HttpRequest, draft: PlanDraft, why: str, form: TextForm | WeekForm | None
) -> HttpResponse:
    """Who has sent something sees why it is not kept, and all of it, to be copied. Who has not is
    sent to where the draft stands."""
    if form is not None:
        context = {"draft": draft, "why": why, "typed": form.as_text()}
        return render(request, "plans/making/unkept.html", context, status=409)
    if why == NO_WEEK:
        raise Http404(why)
    return go_to(request, "plans:draft", draft.pk)


def _go_to_draft(
    request: HttpRequest, draft: PlanDraft, saved: PlanDraft, place: str
) -> HttpResponse:
    url = reverse("plans:draft", args=[draft.pk])
    sentence = SAVED if saved.version != draft.version else NOTHING
    return go_and_say(request, url, place, sentence)


def _show_text(
    request: HttpRequest,
    draft: PlanDraft,
    form: TextForm,
    fault: str = "",
    status: int = 200,
    stored: Proposal | None = None,
) -> HttpResponse:
    context = {"draft": draft, "form": form, "fault": fault, "stored": stored}
    return render(request, "plans/making/text.html", context, status=status)


def _show_week(
    request: HttpRequest,
    draft: PlanDraft,
    number: int,
    form: WeekForm,
    fault: str = "",
    status: int = 200,
    stored: Any = None,
) -> HttpResponse:
    shown = show_draft(draft)
    before = [(week.number, task.task) for week in shown.weeks[:number] for task in week.tasks]
    context = {
        "shown": shown,
        "draft": draft,
        "week": shown.weeks[number - 1],
        "form": form,
        "fault": str(DraftChanged()) if stored else fault,
        "stored": stored,
        "before": before,
        "kinds": EvidenceKind.choices,
        "is_only": len(shown.weeks) == 1,
    }
    status = DraftChanged.status if stored else status
    return render(request, "plans/making/week.html", context, status=status)
