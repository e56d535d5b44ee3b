"""The page on which a student contests a check or one row of it. Thin over judge.appeals."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from elivio.pages import go_to, login_needed, render_part, wants_fragment
from elivio.typed import take_typed
from judge.appeals import NO_SUCH_ROW, ReportRefused, report_check
from judge.card import card_from_run
from judge.forms import ReportForm
from judge.kept_pictures import count_kept
from judge.models import Appeal, CheckRun
from judge.standing import Standing
from plans.errors import Refused

THANKS = "Thank you. A person will look at this check. You can go on working meanwhile."
NO_SENTENCE = "Say in a sentence what the check missed in this row. A person reads it."


@login_needed
def report(request: HttpRequest, check_id: uuid.UUID) -> HttpResponse:
    """GET shows the form; POST files the objection."""
    mine = CheckRun.objects.filter(student=request.user).select_related("action__week__plan")
    run = get_object_or_404(mine.defer("evidence", "request", "replies"), pk=check_id)
    if request.method != "POST":
        sent = take_typed(request)
        typed = _read_typed(ReportForm(sent)) if sent else {"row": request.GET.get("row", "")}
        return _show_form(request, run, **typed)
    form = ReportForm(request.POST)
    typed = _read_typed(form)
    if "requirement_id" in form.errors:
        return _show_form(request, run, fault=NO_SUCH_ROW, status=422, **typed)
    # The form refuses a NUL; the use case has the sentence for it.
    message = form.cleaned_data.get("message", typed["message"])
    requirement_id = form.cleaned_data["requirement_id"]
    try:
        if not message.strip() and str(requirement_id) in {row["id"] for row in run.checklist}:
            raise ReportRefused(NO_SENTENCE)
        appeal = report_check(
            run.pk,
            by=request.user,
            requirement_id=requirement_id,
            message=message.replace("\r\n", "\n"),
            share_pictures=typed["is_shared"],
        )
    except Refused as refusal:
        return _show_form(request, run, fault=str(refusal), status=refusal.status, **typed)
    return _say_thanks(request, run, appeal, is_shared=typed["is_shared"])


def _read_typed(form: ReportForm) -> dict[str, Any]:
    """What was typed, to be shown again."""
    return {
        "row": form["requirement_id"].value() or "",
        "message": form["message"].value() or "",
        "is_shared": bool(form["share_pictures"].value()),
    }


def _show_form(
    request: HttpRequest,
    run: CheckRun,
    *,
    row: str = "",
    message: str = "",
    is_shared: bool = False,
    fault: str = "",
    status: int = 200,
) -> HttpResponse:
    card = card_from_run(run)
    context = {
        "run": run,
        "card": card,
        # What is met, or was never decided, is nothing to contest row by row.
        "rows": [each for each in card.missing_first if each.status in ("not_met", "not_shown")],
        "plan": run.action.week.plan,
        "row": row,
        "message": message,
        "pictures": count_kept(run),
        "is_shared": is_shared,
        "fault": fault,
        "back_url": _page_of(run),
    }
    return render_part(
        request, "judge/report.html", "judge/_report.html", context, say=fault, status=status
    )


def _say_thanks(
    request: HttpRequest, run: CheckRun, appeal: Appeal, *, is_shared: bool
) -> HttpResponse:
    thanks = f"{THANKS} {_say_shared(appeal.frames.count(), is_shared)}".strip()
    if not wants_fragment(request):
        messages.success(request, thanks)
        return go_to(request, _page_of(run))
    card = card_from_run(run)
    rows = {row.id: row for row in card.requirements}
    context = {"card": card, "thanks": thanks}
    also = ()
    if contested := rows.get(str(appeal.requirement_id)):
        context |= {"row": contested, "stand": Standing(is_waiting=True), "is_swap": True}
        also = ("judge/_contested.html",)
    return render_part(
        request, "judge/report.html", "judge/_report.html", context, also=also, say=thanks
    )


def _say_shared(pictures: int, is_shared: bool) -> str:
    """What staff can see, also of an earlier report of the same row."""
    if pictures == 1:
        return "Staff see one picture with it until they have decided; then it is deleted."
    if pictures:
        return (
            f"Staff see {pictures} pictures with it until they have decided; then they are deleted."
        )
    return "No picture of this check is left, so none was shown." if is_shared else ""


def _page_of(run: CheckRun) -> str:
    if run.session_id:
        return reverse("sessions:session", args=[run.session_id])
    return reverse("plans:plan", args=[run.action.week.plan_id])
