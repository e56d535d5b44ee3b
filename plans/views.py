"""The plans pages: home, plan, and the student's own status control. Thin over the use cases."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from elivio.pages import login_needed, render_part, wants_fragment
from elivio.said import go_and_say, read_said
from plans.errors import CompletionNotConfirmed, Refused
from plans.forms import StatusForm
from plans.history import find_edit, say_edit
from plans.making.drafts import drafts_of
from plans.models import Action, ActionEdit, Plan, Status, Week
from plans.progress import Progress, count_progress
from plans.queries import actions_of, dropped_tasks_of, get_action, get_plan, plans_of
from plans.status import change_own_status

SAID = {
    Status.COMPLETED: "“{}” is marked done, self-reported.",
    Status.IN_PROGRESS: "“{}” is in progress.",
    Status.NOT_STARTED: "“{}” is set back to not started.",
}


@dataclass(frozen=True, slots=True)
class ShownWeek:
    week: Week
    actions: list[Action]
    progress: Progress


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """A plan with what is derived from its loaded tasks."""

    plan: Plan
    weeks: list[ShownWeek]
    progress: Progress
    next_action: Action | None


@login_needed
def home(request: HttpRequest) -> HttpResponse:
    shown = [show_plan(plan) for plan in plans_of(request.user)]
    drafts = drafts_of(request.user).defer("proposal", "review")
    return render(request, "plans/home.html", {"shown_plans": shown, "drafts": drafts})


@login_needed
def plan_page(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """The plan; `?edit=<id>` also says what that edit has changed, and undoes a drop. `?at=<id>`
    says what there is to say of a task or a week."""
    context = _read_plan(request, plan_id)
    context |= _read_sentence(request, context["shown"])
    edit = find_edit(request.user, plan_id, request.GET.get("edit", ""))
    if edit and edit.kind != ActionEdit.Kind.DROPPED:
        context |= {"changed_id": edit.action_id, "sentence": say_edit(edit)}
    elif edit and edit.action.archived_at:
        context |= {"dropped": edit.action, "said_of_drop": say_edit(edit)}
    return render_part(request, "plans/plan_detail.html", "plans/_plan.html", context)


@login_needed
def action_status(request: HttpRequest, action_id: uuid.UUID) -> HttpResponse:
    """GET asks to confirm; POST changes the status as the student asked."""
    action = get_action(request.user, action_id)
    if request.method != "POST":
        return _ask_to_confirm(request, action)
    form = StatusForm(request.POST)
    if not form.is_valid():
        return _ask_to_confirm(request, action, " ".join(form.errors["status"]), 422)
    status = form.cleaned_data["status"]
    confirmed = form.cleaned_data["confirmed"] is True
    try:
        change_own_status(action, status, by=request.user, confirmed=confirmed)
    except CompletionNotConfirmed as refusal:
        return _ask_to_confirm(request, action, str(refusal), refusal.status)
    except Refused as refusal:
        return _show_plan_again(request, action, str(refusal), is_refused=True)
    return _show_plan_again(request, action, SAID[status].format(action.title))


def show_plan(plan: Plan) -> ShownPlan:
    """Derive progress and the next open task of a loaded plan; no query."""
    weeks = [show_week(week) for week in plan.weeks.all()]
    actions = actions_of(plan)
    open_actions = [action for action in actions if action.status != Status.COMPLETED]
    begun = (action for action in open_actions if action.status == Status.IN_PROGRESS)
    next_action = next(begun, open_actions[0] if open_actions else None)
    return ShownPlan(plan, weeks, count_progress(actions), next_action)


def show_week(week: Week) -> ShownWeek:
    actions = list(week.actions.all())
    return ShownWeek(week, actions, count_progress(actions))


def _read_plan(request: HttpRequest, plan_id: uuid.UUID) -> dict[str, Any]:
    """What the plan page shows, whatever was done before."""
    plan = get_plan(request.user, plan_id)
    return {"shown": show_plan(plan), "plan": plan, "dropped_tasks": dropped_tasks_of(plan)}


def _read_sentence(request: HttpRequest, shown: ShownPlan) -> dict[str, Any]:
    """What a redirect leaves to be said: of a task, a week, or the list of what was dropped."""
    rows = [each for week in shown.weeks for each in (week.week, *week.actions)]
    places: dict[str, uuid.UUID | str] = {f"{row.pk}": row.pk for row in rows}
    said = read_said(request, places | {"dropped": "dropped"})
    if not said:
        return {}
    changed_id = places.get(said["at"], said["at"])
    return {"changed_id": changed_id, "sentence": said["said"], "messages": said["messages"]}


def _ask_to_confirm(
    request: HttpRequest, action: Action, fault: str = "", status: int = 200
) -> HttpResponse:
    context = {"action": action, "plan": action.week.plan, "fault": fault}
    return render_part(
        request, "plans/status.html", "plans/_confirm.html", context, say=fault, status=status
    )


def _show_plan_again(
    request: HttpRequest, action: Action, sentence: str, *, is_refused: bool = False
) -> HttpResponse:
    plan_id = action.week.plan_id
    if wants_fragment(request):
        context = _read_plan(request, plan_id)
        context |= {"sentence": sentence, "changed_id": action.pk}
        return render_part(
            request, "plans/plan_detail.html", "plans/_plan.html", context, say=sentence
        )
    url = reverse("plans:plan", args=[plan_id])
    return go_and_say(request, url, f"{action.pk}", sentence, is_refused=is_refused)
