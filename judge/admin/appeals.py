"""Appeals and the decisions on them in the admin. To look at alone."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from elivio.admin import ReadOnlyAdmin, related_column
from judge.models import Appeal, AppealFrame, RowDecision
from judge.record import FAULTS
from plans.stored_checklist import StoredRow, read_checklist

ACTION = related_column("check_run__action__title", "action")
FRAME_ACTION = related_column("appeal__check_run__action__title", "action")


@admin.register(Appeal)
class AppealAdmin(ReadOnlyAdmin):
    """The queue of objections. They are decided by `judge.decisions`, not here."""

    change_form_template = "admin/judge/appeal/change_form.html"
    date_hierarchy = "created_at"
    fields = (
        ("student", "created_at", "decided_at", ACTION, "check_run"),
        "about",
        "message",
        "id",
    )
    list_defer = (
        "check_run__evidence",
        "check_run__request",
        "check_run__replies",
        "check_run__summary",
        "check_run__action__description",
    )
    list_display = (
        "created_at",
        related_column("student__username", "student"),
        ACTION,
        "about",
        "message",
        "decided_at",
        related_column("check_run__outcome", "outcome"),
        related_column("check_run__judge_kind", "judge kind"),
    )
    list_filter = (
        ("decided_at", admin.EmptyFieldListFilter),
        "check_run__outcome",
        "check_run__is_stuck",
    )
    list_select_related = ("student", "check_run__action")
    search_fields = (
        "student__username",
        "check_run__action__title",
        "check_run__action__week__plan__title",
        "message",
    )
    search_help_text = "E-mail of the student, title of the action or plan, words, or an id"
    search_ids = ("pk", "check_run_id", "check_run__action_id", "requirement_id")

    def about(self, appeal: Appeal) -> str:
        if appeal.requirement_id is None:
            return "The whole check"
        return ", ".join(row.title for row in _rows_in_dispute(appeal))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, obj: Appeal, **kwargs: Any
    ) -> HttpResponse:
        context["checklist"] = _rows_in_dispute(obj)
        return super().render_change_form(request, context, *args, obj=obj, **kwargs)


@admin.register(AppealFrame)
class AppealFrameAdmin(ReadOnlyAdmin):
    """That a picture is there, and of when. The picture itself is not read."""

    fields = (("appeal", FRAME_ACTION, "taken_at", "id"),)
    list_defer = (
        "appeal__message",
        "appeal__check_run__evidence",
        "appeal__check_run__request",
        "appeal__check_run__replies",
        "appeal__check_run__summary",
        "appeal__check_run__checklist",
        "appeal__check_run__action__description",
    )
    list_display = (
        "taken_at",
        related_column("appeal__student__username", "student"),
        FRAME_ACTION,
        "appeal",
    )
    list_filter = ("taken_at",)
    list_select_related = ("appeal__student", "appeal__check_run__action")
    search_fields = ("appeal__student__username", "appeal__check_run__action__title")
    search_help_text = "E-mail of the student, title of the action, or an id"
    search_ids = ("pk", "appeal_id", "appeal__check_run_id", "appeal__check_run__action_id")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).defer("jpeg")


@admin.register(RowDecision)
class RowDecisionAdmin(ReadOnlyAdmin):
    date_hierarchy = "decided_at"
    fields = (
        ("appeal", "action", "spec_version", "requirement_id"),
        ("judged_status", "is_met", "decided_by", "decided_at", "id"),
        "reason",
    )
    list_defer = ("appeal__message", "action__description")
    list_display = (
        "decided_at",
        related_column("appeal__student__username", "student"),
        related_column("action__title", "action"),
        "judged_status",
        "is_met",
        "reason",
        related_column("decided_by__username", "decided by"),
    )
    list_filter = ("is_met",)
    list_select_related = ("appeal__student", "action", "decided_by")
    search_fields = (
        "appeal__student__username",
        "action__title",
        "decided_by__username",
        "reason",
    )
    search_help_text = "E-mail of the student or of staff, title of the action, words, or an id"
    search_ids = ("pk", "appeal_id", "action_id", "requirement_id", "appeal__check_run_id")


def _rows_in_dispute(appeal: Appeal) -> list[StoredRow]:
    rows = read_checklist(appeal.check_run.checklist, FAULTS)
    if appeal.requirement_id is None:
        return rows
    return [row for row in rows if row.id == str(appeal.requirement_id)]
