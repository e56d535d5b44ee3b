"""The page on which a student contests a check or one row of it. Thin over judge.appeals."""

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from elivio.pages import go_to, login_needed, render_part, wants_fragment
from judge.appeals import report_check
from judge.card import card_from_run
from judge.forms import ReportForm
from judge.models import CheckRun
from plans.errors import Refused

THANKS = "Thank you. A person will look at this check. You can go on working meanwhile."
NO_SUCH_ROW = "This check has no such row. Pick one of the rows on the card."


@login_needed
def report(request: HttpRequest, check_id: uuid.UUID) -> HttpResponse:
    """GET shows the form; POST files the objection."""
    mine = CheckRun.objects.filter(student=request.user).select_related("action__week__plan")
    run = get_object_or_404(mine.defer("request", "replies"), pk=check_id)
    if request.method != "POST":
        return _show_form(request, run, row=request.GET.get("row", ""))
    form = ReportForm(request.POST)
    typed = {"row": form["requirement_id"].value() or "", "message": form["message"].value() or ""}
    if "requirement_id" in form.errors:
        return _show_form(request, run, fault=NO_SUCH_ROW, status=422, **typed)
    # The form refuses a NUL; the use case has the sentence for it.
    message = form.cleaned_data.get("message", typed["message"])
    try:
        report_check(
            run.pk,
            by=request.user,
            requirement_id=form.cleaned_data["requirement_id"],
            message=message.replace("\r\n", "\n"),
        )
    except Refused as refusal:
        return _show_form(request, run, fault=str(refusal), status=refusal.status, **typed)
    return _say_thanks(request, run)


def _show_form(
    request: HttpRequest,
    run: CheckRun,
    *,
    row: str = "",
    message: str = "",
    fault: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "run": run,
        "card": card_from_run(run),
        "plan": run.action.week.plan,
        "row": row,
        "message": message,
        "fault": fault,
        "back_url": _page_of(run),
    }
    return render_part(
        request, "judge/report.html", "judge/_report.html", context, say=fault, status=status
    )


def _say_thanks(request: HttpRequest, run: CheckRun) -> HttpResponse:
    if wants_fragment(request):
        context = {"card": card_from_run(run), "thanks": THANKS}
        return render_part(request, "judge/report.html", "judge/_report.html", context, say=THANKS)
    messages.success(request, THANKS)
    return go_to(request, _page_of(run))


def _page_of(run: CheckRun) -> str:
    if run.session_id:
        return reverse("sessions:session", args=[run.session_id])
    return reverse("plans:plan", args=[run.action.week.plan_id])
