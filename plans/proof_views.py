"""Sharing a plan and withdrawing it, and the public page, which must not know who reads it."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from elivio.pages import go_to, login_needed, render_part, wants_fragment
from plans.models import Plan
from plans.progress import count_progress
from plans.proof import Kind, PublicProof, read_proof, share_plan, withdraw_plan
from plans.queries import actions_of, get_plan

SHARED = "This plan is shared. Anyone who has its address can read it."
WITHDRAWN = "This plan is not shared. An address it had before leads nowhere now."
LABELS = {
    Kind.CHECKED: "checked",
    Kind.BY_RULES: "checked by plain rules (demo)",
    Kind.SELF_REPORTED: "self-reported",
}
# Nobody keeps a copy that outlives a withdrawal, finds the address, or passes it on.
HEADERS = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "Referrer-Policy": "no-referrer",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of finished tasks in the bar: `start` and `width` in percent of all tasks."""

    kind: Kind
    count: int
    label: str
    start: int
    width: int


def for_anybody(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Every answer, also a refusal, carries HEADERS."""

    @wraps(view)
    def wrapped(request: HttpRequest, token: str) -> HttpResponse:
        response = view(request, token)
        for name, value in HEADERS.items():
            response[name] = value
        return response

    return wrapped


# There is nothing to forge where nothing is written: a POST is a wrong method, token or not.
@csrf_exempt
@for_anybody
@require_safe
def proof_page(request: HttpRequest, token: str) -> HttpResponse:
    """The page at a public address. Rendered without the request: no template here can show, or
    even read, who is logged in."""
    proof = read_proof(token)
    if proof is None:
        return HttpResponse(render_to_string("plans/proof_gone.html"), status=404)
    parts = measure_parts(proof)
    context = {
        "proof": proof,
        "progress": say_progress(proof),
        "parts": parts,
        "counts": {part.kind.value: part.count for part in parts},
    }
    return HttpResponse(render_to_string("plans/proof.html", context))


@login_needed
def share(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """POST shares the plan."""
    plan = get_plan(request.user, plan_id)
    if request.method != "POST":
        return _go_to_sharing(request, plan)
    share_plan(plan, by=request.user)
    return _show_sharing(request, plan, SHARED)


@login_needed
def withdraw(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """POST withdraws the plan."""
    plan = get_plan(request.user, plan_id)
    if request.method != "POST":
        return _go_to_sharing(request, plan)
    withdraw_plan(plan, by=request.user)
    return _show_sharing(request, plan, WITHDRAWN)


def say_progress(proof: PublicProof) -> str:
    """How far the project is, in a sentence."""
    finished, total = proof.finished, proof.total
    if not total:
        return "No tasks are planned yet."
    if total == 1:
        state = "is finished" if finished else "is not finished yet; work goes on"
        return f"The one task {state}."
    if finished == total:
        return f"All {total} tasks are finished."
    if not finished:
        return f"None of the {total} tasks is finished yet; work goes on."
    verb = "is" if finished == 1 else "are"
    return f"{finished} of {total} tasks {verb} finished; work goes on."


def measure_parts(proof: PublicProof) -> list[Part]:
    """The kinds that occur, in order, one beside the other."""
    parts, before = [], 0
    for kind, label in LABELS.items():
        if count := proof.count(kind):
            start = round(100 * before / proof.total)
            end = round(100 * (before + count) / proof.total)
            parts.append(Part(kind, count, label, start, end - start))
            before += count
    return parts


def _show_sharing(request: HttpRequest, plan: Plan, sentence: str) -> HttpResponse:
    if not wants_fragment(request):
        messages.success(request, sentence)
        return _go_to_sharing(request, plan)
    progress = count_progress(actions_of(plan))
    context = {"plan": plan, "progress": progress, "sentence": sentence}
    return render_part(
        request, "plans/plan_detail.html", "plans/_share.html", context, say=sentence
    )


def _go_to_sharing(request: HttpRequest, plan: Plan) -> HttpResponse:
    return go_to(request, reverse("plans:plan", args=[plan.pk]), anchor="#proof")
