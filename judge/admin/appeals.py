"""The queue of appeals in the admin, their pictures, and the decisions on them. To look at.

The one way to act is to decide a contested row, on a page of its own.
"""

import uuid
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, Min, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils.timesince import timesince

from elivio.admin import ReadOnlyAdmin, related_column
from judge.admin.deciding import find_disputed, read_case, show_decide_page
from judge.models import Appeal, AppealFrame, RowDecision

ACTION = related_column("check_run__action__title", "action")
FRAME_ACTION = related_column("appeal__check_run__action__title", "action")


class IsDecidedFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("waiting", "Waiting"), ("decided", "Decided")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() not in ("waiting", "decided"):
            return queryset
        return queryset.filter(decided_at__isnull=self.value() == "waiting")


@admin.register(Appeal)
class AppealAdmin(ReadOnlyAdmin):
    """The queue: what waits first, the oldest of it at the top. What is decided follows, the
    newest first."""

    change_form_template = "admin/judge/appeal/change_form.html"
    change_list_template = "admin/judge/appeal/change_list.html"
    date_hierarchy = "created_at"
    fields = (
        ("student", "created_at", "decided_at", ACTION, "check_run"),
        "about",
        "id",
    )
    ordering = (F("decided_at").desc(nulls_first=True), "created_at")
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
        "state",
        related_column("check_run__outcome", "outcome"),
        related_column("check_run__judge_kind", "judge kind"),
    )
    list_filter = (
        IsDecidedFilter,
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
        return ", ".join(row.title for row in find_disputed(appeal))

    @admin.display(description="state", ordering="decided_at")
    def state(self, appeal: Appeal) -> str:
        if appeal.decided_at:
            return "Decided"
        return f"Waiting for {timesince(appeal.created_at, depth=1)}"

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.decide_view)
        own = path("<uuid:appeal_id>/rows/<uuid:row_id>/decide/", page, name="judge_appeal_decide")
        return [own, *super().get_urls()]

    def decide_view(
        self, request: HttpRequest, appeal_id: uuid.UUID, row_id: uuid.UUID
    ) -> HttpResponse:
        return show_decide_page(self, request, appeal_id, row_id)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        waiting = Appeal.objects.filter(decided_at=None)
        counted = waiting.order_by().aggregate(count=Count("pk"), oldest=Min("created_at"))
        return super().changelist_view(request, {"waiting": counted, **(extra_context or {})})

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, obj: Appeal, **kwargs: Any
    ) -> HttpResponse:
        context["case"] = read_case(request, obj)
        return super().render_change_form(request, context, *args, obj=obj, **kwargs)


@admin.register(AppealFrame)
class AppealFrameAdmin(ReadOnlyAdmin):
    """That a picture is there, and of when. The picture itself has an address of its own."""

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

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.picture_view)
        own = path("<uuid:frame_id>/picture/", page, name="judge_appealframe_picture")
        return [own, *super().get_urls()]

    def picture_view(self, request: HttpRequest, frame_id: uuid.UUID) -> HttpResponse:
        """The picture, for staff who may see it, while the appeal is not decided."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(("GET", "HEAD"))
        frame = get_object_or_404(AppealFrame, pk=frame_id)
        response = HttpResponse(bytes(frame.jpeg), content_type="image/jpeg")
        response["Cache-Control"] = "no-store"
        response["X-Content-Type-Options"] = "nosniff"
        return response


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
