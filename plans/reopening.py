"""The staff's page that ends one completion, with a reason; it writes by `Action.reopen` alone."""

import uuid

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.html import format_html

from plans.errors import Refused, ReopenRefused
from plans.models import Completion

LONGEST_REASON = 500
ENDED = "This completion has already ended, so there is nothing to reopen."
NOT_THIS_ONE = (
    "This completion has ended and the action was completed again since. "
    "Look at the newer completion before you reopen it."
)


class ReopenForm(forms.Form):
    reason = forms.CharField(
        label="Why is it reopened?",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={
            "required": "Say in a sentence why this task is reopened.",
            "max_length": f"Keep the reason to {LONGEST_REASON} characters.",
        },
    )


def may_reopen(request: HttpRequest) -> bool:
    return request.user.is_staff and request.user.has_perm("plans.change_action")


def show_reopen_page(
    model_admin: ModelAdmin, request: HttpRequest, completion_id: uuid.UUID
) -> HttpResponse:
    """Ask for the reason; with one, reopen and go to the action. `model_admin` is Completion's."""
    if not (model_admin.has_view_permission(request) and may_reopen(request)):
        raise PermissionDenied
    completion = get_object_or_404(
        Completion.objects.select_related("action__week__plan", "confirmed_by", "reopening"),
        pk=completion_id,
    )
    form = ReopenForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        _reopen_and_say(model_admin, request, completion, form.cleaned_data["reason"])
    elif hasattr(completion, "reopening"):
        messages.error(request, ENDED)
    else:
        return TemplateResponse(
            request,
            "admin/plans/completion/reopen.html",
            {
                **model_admin.admin_site.each_context(request),
                "title": "Reopen an action",
                "opts": model_admin.opts,
                "completion": completion,
                "form": form,
            },
        )
    return redirect("admin:plans_action_change", completion.action_id)


def reopen_completion(completion: Completion, *, by, reason: str) -> None:
    """End this very completion. Raises Refused, also when another one is the current one by now:
    what somebody has not seen they do not undo."""
    with transaction.atomic():
        reopening = completion.action.reopen(by=by, reason=reason)
        if reopening.completion_id != completion.pk:
            raise ReopenRefused(NOT_THIS_ONE)


def _reopen_and_say(
    model_admin: ModelAdmin, request: HttpRequest, completion: Completion, reason: str
) -> None:
    action = completion.action
    try:
        with transaction.atomic():
            reopen_completion(completion, by=request.user, reason=reason)
            model_admin.log_change(request, action, "Reopened.")  # why: the Reopening
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        said = format_html("<bdi>{}</bdi> is open again, and in progress.", action.title)
        messages.success(request, said)
