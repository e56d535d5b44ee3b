"""Sessions, turns and what is kept of them in the admin. To look at alone."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from elivio.admin import ReadOnlyAdmin, related_column
from elivio.llm.errors import SENTENCES
from plans.stored_checklist import dicts_in
from sessions.models import CopilotSession, MemorySummary, Picture, ProgressReport, Turn

NEWEST_TURNS = 200
EXCERPT = 160


class NoReplyFilter(admin.SimpleListFilter):
    """By the code of why the copilot gave no reply. The codes are known: no query lists them."""

    title = "no reply because"
    parameter_name = "no_reply_reason"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(code, code) for code in ("any", "stopped", *SENTENCES)]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        match self.value():
            case None:
                return queryset
            case "any":
                return queryset.exclude(no_reply_reason="")
        return queryset.filter(no_reply_reason=self.value())


@admin.register(CopilotSession)
class CopilotSessionAdmin(ReadOnlyAdmin):
    change_form_template = "admin/copilot_sessions/copilotsession/change_form.html"
    date_hierarchy = "started_at"
    fields = (
        ("action", "student", "started_at", "last_active_at"),
        ("ended_at", "end_reason", "id"),
    )
    list_defer = ("action__description", "action__week__description", "action__week__plan__goal")
    list_display = (
        "started_at",
        related_column("student__username", "student"),
        related_column("action__title", "action"),
        related_column("action__week__plan__title", "plan"),
        "last_active_at",
        "ended_at",
        "end_reason",
    )
    list_filter = (("ended_at", admin.EmptyFieldListFilter), "end_reason")
    list_select_related = ("student", "action__week__plan")
    search_fields = ("student__username", "action__title", "action__week__plan__title")
    search_help_text = "E-mail of the student, title of the action or plan, or an id"
    search_ids = ("pk", "action_id", "action__week__plan_id")

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        *args: Any,
        obj: CopilotSession,
        **kwargs: Any,
    ) -> HttpResponse:
        newest = list(obj.turns.order_by("-number")[: NEWEST_TURNS + 1])
        context["turns"] = newest[:NEWEST_TURNS][::-1]
        context["has_older_turns"] = len(newest) > NEWEST_TURNS
        return super().render_change_form(request, context, *args, obj=obj, **kwargs)


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    fields = (
        ("session", "number", "role", "channel", "tool_name"),
        ("created_at", "pinned_at", "reply_to", "id", "client_id"),
        ("tries", "no_reply_reason", "asked_until", "is_stopped"),
        "text",
    )
    list_defer = ("text", "session__action__description")
    list_display = (
        "created_at",
        related_column("session__student__username", "student"),
        related_column("session__action__title", "action"),
        "number",
        "role",
        "channel",
        "no_reply_reason",
        "excerpt",
    )
    list_filter = ("role", "channel", NoReplyFilter, "is_stopped", "created_at")
    list_select_related = ("session__student", "session__action")
    ordering = ("-created_at", "-number")
    search_fields = ("session__student__username", "session__action__title", "text")
    search_help_text = "E-mail of the student, title of the action, words of the turn, or an id"
    search_ids = ("pk", "session_id", "session__action_id")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).annotate(beginning=Left("text", EXCERPT + 1))

    @admin.display(description="beginning of the text")
    def excerpt(self, turn: Turn) -> str:
        return shorten(turn.beginning)


@admin.register(Picture)
class PictureAdmin(ReadOnlyAdmin):
    """That a picture was kept, and for which row. The picture itself is not read."""

    fields = (
        ("student", "action", "requirement"),
        ("created_at", "is_black", "id"),
    )
    list_defer = ("action__description",)
    list_display = (
        "created_at",
        related_column("student__username", "student"),
        related_column("action__title", "action"),
        related_column("requirement__title", "requirement"),
        "is_black",
    )
    list_filter = ("is_black", "created_at")
    list_select_related = ("student", "action", "requirement")
    ordering = ("-created_at",)
    search_fields = ("student__username", "action__title", "requirement__title")
    search_help_text = "E-mail of the student, title of the action or requirement, or an id"
    search_ids = ("pk", "action_id", "requirement_id")

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).defer("jpeg")


@admin.register(MemorySummary)
class MemorySummaryAdmin(ReadOnlyAdmin):
    list_defer = ("session__action__description", "plan__goal")
    list_display = (
        "created_at",
        related_column("session__student__username", "student"),
        related_column("session__action__title", "action"),
        related_column("plan__title", "plan"),
        "excerpt",
        "deleted_at",
    )
    list_filter = ("created_at", ("deleted_at", admin.EmptyFieldListFilter))
    list_select_related = ("session__student", "session__action", "plan")
    search_fields = (
        "session__student__username",
        "session__action__title",
        "plan__title",
        "made",
        "decided",
        "left_open",
    )
    search_help_text = "E-mail of the student, title of the action or plan, words, or an id"
    search_ids = ("pk", "plan_id", "session__action_id")

    @admin.display(description="what was made")
    def excerpt(self, memory: MemorySummary) -> str:
        return shorten(memory.made)


@admin.register(ProgressReport)
class ProgressReportAdmin(ReadOnlyAdmin):
    fields = (("plan", "last_worked_at", "updated_at"), "done", "still_open")
    list_defer = ("content", "plan__goal")
    list_display = (
        related_column("plan__title", "plan"),
        related_column("plan__owner__username", "student"),
        "last_worked_at",
        "updated_at",
    )
    list_filter = ("last_worked_at", "updated_at")
    list_select_related = ("plan__owner",)
    ordering = ("-updated_at",)
    search_fields = ("plan__owner__username", "plan__title")
    search_help_text = "E-mail of the student, title of the plan, or the plan's id"

    def done(self, report: ProgressReport) -> SafeString:
        return _list_entries(report, "done", "how")

    def still_open(self, report: ProgressReport) -> SafeString:
        return _list_entries(report, "open", "status")


def shorten(text: str) -> str:
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"


def _list_entries(report: ProgressReport, kind: str, detail: str) -> SafeString:
    content = report.content if isinstance(report.content, dict) else {}
    entries = dicts_in(content.get(kind))
    values = ((entry.get("week"), entry.get("title"), entry.get(detail)) for entry in entries)
    items = format_html_join("", "<li>Week {}: <bdi>{}</bdi> ({})</li>", values)
    return format_html('<ul class="record-list">{}</ul>', items)
