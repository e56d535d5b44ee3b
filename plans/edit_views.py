"""The pages on which a student changes the plan, and reads what was changed. Thin over
`plans.editing`; what was typed is shown again after every refusal."""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from elivio.pages import go_to, login_needed
from elivio.said import go_and_say
from elivio.text import digest_of
from elivio.typed import take_typed
from plans import editing
from plans.errors import (
    AlreadyCompleted,
    Refused,
    TaskChanged,
    TextRefused,
    WeekChanged,
    WeekWouldClose,
)
from plans.history import describe_edit, read_history, take_week
from plans.models import Action, ActionEdit, EvidenceKind, Plan, Status, Week
from plans.queries import actions_of, get_action, get_plan
from plans.task_form import TaskForm, form_of, read_form

NOTHING = "Nothing was different, so nothing was changed."
WEEK_SAVED = "The week’s text is saved."
DROPPED = "dropped"  # where the plan page lists what was dropped
NOT_SAVED = "Nothing is saved yet. Look at the marked places."


@login_needed
def edit_page(request: HttpRequest, action_id: uuid.UUID) -> HttpResponse:
    """GET shows the task's form; `?to=<week>` with that week chosen. POST saves it."""
    action = get_action(request.user, action_id)
    if request.method == "POST":
        return _save_task(request, action)
    typed, week = take_typed(request), request.GET.get("to", "")
    is_completed = action.status == Status.COMPLETED
    if is_completed and not typed:
        return _go_to_task(request, action, str(AlreadyCompleted()), is_refused=True)
    form = read_form(typed) if typed else form_of(action, f"{week}:end" if week else "")
    if is_completed:
        _take_refusal(form, AlreadyCompleted())
    return _show_form(request, action, form)


@login_needed
def drop_page(request: HttpRequest, action_id: uuid.UUID) -> HttpResponse:
    """GET says what dropping means; POST drops the task."""
    action = get_action(request.user, action_id)
    would_close, fault = None, ""
    if request.method == "POST":
        try:
            edit = editing.drop_task(request.user, action.pk, close_week=_closes(request))
            return _go_to_edit(request, edit)
        except WeekWouldClose as refusal:
            would_close = refusal
        except Refused as refusal:
            fault = str(refusal)
    context = {"action": action, "would_close": would_close, "fault": fault}
    context |= _read_surroundings(request, action.week)
    return render(request, "plans/drop.html", context, status=409 if would_close or fault else 200)


@login_needed
def restore(request: HttpRequest, action_id: uuid.UUID) -> HttpResponse:
    """POST takes a drop back, from the notice of it or from the plan's list of dropped tasks."""
    owned = Action.objects.filter(week__plan__owner=request.user, week__plan__archived_at=None)
    action = get_object_or_404(owned.select_related("week"), pk=action_id)
    try:
        if request.method == "POST" and (edit := editing.restore_task(request.user, action.pk)):
            return _go_to_edit(request, edit)
    except Refused as refusal:
        url = reverse("plans:plan", args=[action.week.plan_id])
        return go_and_say(request, url, DROPPED, str(refusal), is_refused=True)
    return _go_to_task(request, action)


@login_needed
def history_page(request: HttpRequest, action_id: uuid.UUID) -> HttpResponse:
    """What was changed in the task, newest first."""
    action = get_action(request.user, action_id)
    edits = [(edit, describe_edit(edit)) for edit in read_history(action)]
    context = {"action": action, "plan": action.week.plan, "edits": edits}
    return render(request, "plans/history.html", context)


@login_needed
def new_task_page(request: HttpRequest, week_id: uuid.UUID) -> HttpResponse:
    """GET shows an empty form; POST adds the task to the week."""
    week = _get_week(request.user, week_id)
    typed = request.POST if request.method == "POST" else take_typed(request)
    form, status = read_form(typed) if typed else TaskForm(form_id=str(uuid.uuid4())), 200
    if request.method == "POST":
        sent = {"title": form.title, "description": form.description, "rows": form.kept_rows}
        sent["form_id"] = form.form_id
        try:
            return _go_to_edit(request, editing.add_task(request.user, week.pk, **sent))
        except Refused as refusal:
            _take_refusal(form, refusal)
            status = refusal.status
    context = {"form": form, "kinds": EvidenceKind.choices, **_read_surroundings(request, week)}
    return render(request, "plans/new_task.html", context, status=status)


@login_needed
def week_page(request: HttpRequest, week_id: uuid.UUID) -> HttpResponse:
    """GET shows the week's text; POST saves it."""
    week = _get_week(request.user, week_id)
    if request.method == "POST":
        return _save_week(request, week)
    typed = take_typed(request)
    seen = digest_of(take_week(week))
    form = read_form(typed) if typed else TaskForm(week.title, week.description, seen=seen)
    return _show_week(request, week, form)


def _save_week(request: HttpRequest, week: Week) -> HttpResponse:
    form = read_form(request.POST)
    texts = {"title": form.title, "description": form.description}
    stored = None
    try:
        is_changed = editing.edit_week(request.user, week.pk, **texts, seen=form.seen or None)
    except Refused as refusal:
        if isinstance(refusal, WeekChanged):
            stored = _get_week(request.user, week.pk)
            form.seen = digest_of(take_week(stored))
        _take_refusal(form, refusal)
        return _show_week(request, week, form, refusal.status, stored)
    url = reverse("plans:plan", args=[week.plan_id])
    return go_and_say(request, url, f"{week.pk}", WEEK_SAVED if is_changed else NOTHING)


def _show_week(
    request: HttpRequest,
    week: Week,
    form: TaskForm,
    status: int = 200,
    stored: Week | None = None,
) -> HttpResponse:
    context = {"week": week, "plan": week.plan, "form": form, "stored": stored}
    return render(request, "plans/edit_week.html", context, status=status)


def _save_task(request: HttpRequest, action: Action) -> HttpResponse:
    form = read_form(request.POST)
    more: dict[str, Any] = {}
    try:
        edit = editing.edit_task(
            request.user,
            action.pk,
            form.as_changes(),
            expected_version=form.version,
            close_week=_closes(request),
        )
    except Refused as refusal:
        action = get_action(request.user, action.pk)
        if isinstance(refusal, TaskChanged):
            form, more = form.based_on(action), {"stored": action}
        elif isinstance(refusal, WeekWouldClose):
            more = {"would_close": refusal}
        _take_refusal(form, refusal)
        return _show_form(request, action, form, refusal.status, **more)
    if edit is not None:
        return _go_to_edit(request, edit)
    return _go_to_task(request, action, NOTHING)


def _take_refusal(form: TaskForm, refusal: Refused) -> None:
    if isinstance(refusal, TextRefused):
        form.take_faults({**refusal.faults, "form": NOT_SAVED})
    else:
        form.faults = {"form": str(refusal)}


def _show_form(
    request: HttpRequest, action: Action, form: TaskForm, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "action": action,
        "form": form,
        "kinds": EvidenceKind.choices,
        **_read_surroundings(request, action.week),
        **more,
    }
    return render(request, "plans/edit_task.html", context, status=status)


def _read_surroundings(request: HttpRequest, week: Week) -> dict[str, Any]:
    """The plan with its weeks as places, and the open tasks that could fill this week."""
    plan: Plan = get_plan(request.user, week.plan_id)
    fillers = [
        action
        for action in actions_of(plan)
        if action.week_id != week.pk and action.status != Status.COMPLETED
    ]
    return {"plan": plan, "week": week, "weeks": plan.weeks.all(), "fillers": fillers}


def _get_week(user, week_id: uuid.UUID) -> Week:
    weeks = Week.objects.filter(plan__owner=user, plan__archived_at=None)
    return get_object_or_404(weeks.select_related("plan"), pk=week_id)


def _closes(request: HttpRequest) -> bool:
    return request.POST.get("close_week") == "true"


def _go_to_edit(request: HttpRequest, edit: ActionEdit) -> HttpResponse:
    """To the plan page, which says what was changed and puts the focus there."""
    plan_id = edit.action.week.plan_id
    return go_to(request, f"{reverse('plans:plan', args=[plan_id])}?edit={edit.pk}")


def _go_to_task(
    request: HttpRequest, action: Action, sentence: str = "", *, is_refused: bool = False
) -> HttpResponse:
    url = reverse("plans:plan", args=[action.week.plan_id])
    return go_and_say(request, url, f"{action.pk}", sentence, is_refused=is_refused)
