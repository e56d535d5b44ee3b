"""Check runs in the admin: evidence beside the checklist. To look at alone."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from elivio.admin import ReadOnlyAdmin, StoredValuesFilter, related_column
from judge.admin.health import show_health
from judge.models import CheckRun
from judge.record import count_met, read_record


@admin.register(CheckRun)
class CheckRunAdmin(ReadOnlyAdmin):
    change_form_template = "admin/judge/checkrun/change_form.html"
    change_list_template = "admin/judge/checkrun/change_list.html"
    date_hierarchy = "created_at"
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("action", "student", "created_at", "spec_version"),
                    ("outcome", "reason", "trigger", "stuck", "contradiction"),
                )
            },
        ),
        (
            "Model",
            {
                "fields": (
                    ("judge_kind", "model", "milliseconds"),
                    ("prompt_tokens", "cached_tokens", "output_tokens"),
                    ("prompt_version", "prompt_hash"),
                    ("id", "session_id"),
                )
            },
        ),
    )
    list_defer = (
        "evidence",
        "request",
        "replies",
        "summary",
        "action__description",
        "action__week__description",
        "action__week__plan__goal",
    )
    list_display = (
        "created_at",
        related_column("student__username", "student"),
        related_column("action__title", "action"),
        related_column("action__week__plan__title", "plan"),
        "trigger",
        "outcome",
        "rows_met",
        "reason",
        "judge_kind",
    )
    list_filter = (
        "outcome",
        "trigger",
        "is_stuck",
        "all_met_mismatch",
        ("reason", StoredValuesFilter),
        ("judge_kind", StoredValuesFilter),
    )
    list_select_related = ("student", "action__week__plan")
    search_fields = ("student__username", "action__title", "action__week__plan__title")
    search_help_text = "E-mail of the student, title of the action or plan, or an id"
    search_ids = ("pk", "action_id", "action__week__plan_id", "session_id")

    @admin.display(description="rows met")
    def rows_met(self, run: CheckRun) -> str:
        return count_met(run)

    @admin.display(description="stuck")
    def stuck(self, run: CheckRun) -> str:
        return "Yes: the same rows were unmet twice" if run.is_stuck else "No"

    @admin.display(description="judge contradicts itself")
    def contradiction(self, run: CheckRun) -> str:
        return "Yes: its total is not what its rows say" if run.all_met_mismatch else "No"

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.health_view)
        return [path("health/", page, name="judge_checkrun_health"), *super().get_urls()]

    def health_view(self, request: HttpRequest) -> HttpResponse:
        return show_health(self, request)

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        *args: Any,
        obj: CheckRun,
        **kwargs: Any,
    ) -> HttpResponse:
        context["record"] = read_record(obj)
        return super().render_change_form(request, context, *args, obj=obj, **kwargs)
