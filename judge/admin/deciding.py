"""The staff's page for one contested row: everything the judge saw, and a form to decide it.

It writes by `judge.decisions.decide_row` alone, which completes nothing.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.html import format_html

from judge.decisions import decide_row
from judge.models import Appeal, RowDecision
from judge.record import FAULTS
from judge.seen import Seen, SeenPicture, read_pictures, read_seen
from plans.errors import Refused
from plans.models import Status
from plans.stored_checklist import STATUS_WORDS, StoredRow, read_checklist

LONGEST_REASON = 500
RIGHTS = ("judge.view_appeal", "judge.view_checkrun", "judge.add_rowdecision")
OWN = "This appeal is your own. Somebody else decides it."
DECIDED = "This row has been decided already. A decision is not changed."
CHANGED = (
    "The task has changed since this check. A decision does not count for the task as it is now; "
    "the student reads it all the same."
)
COMPLETED = "The task is complete by now. A decision changes nothing about that."
MET, NOT_MET = "met", "not_met"


class DecisionForm(forms.Form):
    verdict = forms.ChoiceField(
        label="What do you decide?",
        choices=((MET, "The row is met"), (NOT_MET, "The row is not met")),
        widget=forms.RadioSelect,
        error_messages={"required": "Choose one of the two."},
    )
    reason = forms.CharField(
        label="Why?",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="The student reads this sentence beside the row.",
        error_messages={
            "required": "Say in a sentence why you decide so. The student reads it.",
            "max_length": f"Keep the reason to {LONGEST_REASON} characters.",
        },
    )
    sure = forms.BooleanField(
        label="I have looked at what the judge saw. A decision is not changed later.",
        error_messages={"required": "Confirm that you have looked."},
    )


@dataclass(frozen=True, slots=True)
class DisputedRow:
    """`form` is None where there is nothing to decide, for this reader or at all."""

    row: StoredRow
    decision: RowDecision | None
    judged: str
    form: DecisionForm | None


@dataclass(frozen=True, slots=True)
class Case:
    """An appeal as its page shows it. `seen` is None for who may not see the check, and where
    nothing was kept; `pictures` is None for who may not see them."""

    appeal: Appeal
    rows: list[DisputedRow]
    notes: list[str]
    seen: Seen | None
    pictures: list[SeenPicture] | None
    may_decide: bool


def may_decide(request: HttpRequest) -> bool:
    return request.user.is_staff and request.user.has_perms(RIGHTS)


def find_disputed(appeal: Appeal) -> list[StoredRow]:
    rows = read_checklist(appeal.check_run.checklist, FAULTS)
    if appeal.requirement_id is None:
        return rows
    return [row for row in rows if row.id == str(appeal.requirement_id)]


def read_case(
    request: HttpRequest, appeal: Appeal, sent: Mapping[str, DecisionForm] | None = None
) -> Case:
    """`sent` are forms that came back with a fault, by the row's id: of the other rows none is
    shown then."""
    disputed = find_disputed(appeal)
    decided = {str(one.requirement_id): one for one in _find_decisions(appeal)}
    is_open = may_decide(request) and appeal.student_id != request.user.pk
    user = request.user
    return Case(
        appeal=appeal,
        rows=[_read_row(row, decided.get(row.id), sent if is_open else {}) for row in disputed],
        notes=list(_find_notes(request, appeal)),
        seen=read_seen(appeal.check_run, {row.id for row in disputed})
        if user.has_perm("judge.view_checkrun")
        else None,
        pictures=read_pictures(appeal) if user.has_perm("judge.view_appealframe") else None,
        may_decide=is_open,
    )


def show_decide_page(
    model_admin: ModelAdmin, request: HttpRequest, appeal_id: uuid.UUID, row_id: uuid.UUID
) -> HttpResponse:
    """Ask for the decision on one row; with one, write it and go back to the appeal."""
    if not may_decide(request):
        raise PermissionDenied
    appeal = get_object_or_404(
        Appeal.objects.select_related("student", "check_run__action__week__plan"), pk=appeal_id
    )
    if str(row_id) not in {row.id for row in find_disputed(appeal)}:
        raise Http404("This appeal has no such row.")
    form = make_form(str(row_id), request.POST if request.method == "POST" else None)
    if appeal.student_id == request.user.pk:
        messages.error(request, OWN)
    elif appeal.decisions.filter(requirement_id=row_id).exists():
        messages.error(request, DECIDED)
    elif form.is_valid():
        _decide_and_say(model_admin, request, appeal, row_id, form)
    else:
        return TemplateResponse(
            request,
            "admin/judge/appeal/decide.html",
            {
                **model_admin.admin_site.each_context(request),
                "title": "Decide a contested row",
                "opts": model_admin.opts,
                "original": appeal,
                "case": read_case(request, appeal, {str(row_id): form}),
                "has_errors": bool(form.errors),
            },
        )
    return redirect("admin:judge_appeal_change", appeal.pk)


def make_form(row_id: str, sent=None) -> DecisionForm:
    """Each row's form has ids of its own: several stand on a page."""
    return DecisionForm(sent, auto_id=f"id-%s-{row_id}")


def _read_row(
    row: StoredRow, decision: RowDecision | None, sent: Mapping[str, DecisionForm] | None
) -> DisputedRow:
    judged = STATUS_WORDS.get(decision.judged_status, "") if decision else ""
    form = None
    if decision is None:
        form = make_form(row.id) if sent is None else sent.get(row.id)
    return DisputedRow(row, decision, judged, form)


def _find_decisions(appeal: Appeal):
    return appeal.decisions.select_related("decided_by")


def _find_notes(request: HttpRequest, appeal: Appeal):
    action = appeal.check_run.action
    if appeal.student_id == request.user.pk:
        yield OWN
    if action.spec_version != appeal.check_run.spec_version:
        yield CHANGED
    if action.status == Status.COMPLETED:
        yield COMPLETED


def _decide_and_say(
    model_admin: ModelAdmin,
    request: HttpRequest,
    appeal: Appeal,
    row_id: uuid.UUID,
    form: DecisionForm,
) -> None:
    is_met = form.cleaned_data["verdict"] == MET
    try:
        with transaction.atomic():
            reason = form.cleaned_data["reason"]
            decide_row(appeal, row_id, by=request.user, is_met=is_met, reason=reason)
            model_admin.log_change(request, appeal, "Decided a row.")  # what and why: RowDecision
    except Refused as refused:
        messages.error(request, str(refused))
        return
    title = next(row.title for row in find_disputed(appeal) if row.id == str(row_id))
    said = "Decided as met: <bdi>{}</bdi>. It counts at the student's next check and tap."
    if not is_met:
        said = "Decided as not met: <bdi>{}</bdi>. The student reads your reason."
    messages.success(request, format_html(said, title))
