"""What is remembered of a plan's sessions, to read and to delete. Thin over sessions.memory."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from elivio.pages import go_to, login_needed
from plans.queries import find_plan
from sessions.memory import MOST_MEMORIES, forget_all, forget_memory, memories_of

GONE = "Deleted. The copilot is not told it again."
ALL_GONE = "Deleted. Nothing of your earlier sessions is remembered."


@login_needed
def memory(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    plan = find_plan(request.user, plan_id)
    memories = memories_of(plan.pk, request.user.pk)
    context = {"plan": plan, "memories": memories, "most": MOST_MEMORIES}
    return render(request, "sessions/memory.html", context)


@login_needed
def forget(request: HttpRequest, plan_id: uuid.UUID, session_id: uuid.UUID) -> HttpResponse:
    """GET asks to confirm; POST deletes what is remembered of one session."""
    plan = find_plan(request.user, plan_id)
    if request.method == "POST":
        if not forget_memory(plan.pk, session_id, request.user.pk):
            raise Http404("There is no such memory.")
        messages.success(request, GONE)
        return go_to(request, "sessions:memory", plan_id)
    memory = memories_of(plan.pk, request.user.pk).filter(session_id=session_id).first()
    if memory is None:
        raise Http404("There is no such memory.")
    to = reverse("sessions:forget", args=[plan_id, session_id])
    return render(request, "sessions/forget.html", {"plan": plan, "memory": memory, "to": to})


@login_needed
def forget_everything(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """GET asks to confirm; POST deletes all that is remembered in the plan."""
    plan = find_plan(request.user, plan_id)
    if request.method == "POST":
        forget_all(plan.pk, request.user.pk)
        messages.success(request, ALL_GONE)
        return go_to(request, "sessions:memory", plan_id)
    count = memories_of(plan.pk, request.user.pk).count()
    if not count:
        return redirect("sessions:memory", plan_id)
    to = reverse("sessions:forget_everything", args=[plan_id])
    return render(request, "sessions/forget.html", {"plan": plan, "count": count, "to": to})
