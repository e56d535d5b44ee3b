"""Plans, weeks, actions and requirements in the admin: to look at.

Texts are not edited here either: an edit would bypass the plan's lock and make the student's
last check stale without a word to them.
"""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from elivio.admin import ReadOnlyAdmin, related_column
from plans.models import Action, Plan, Requirement, Week
from plans.models.completion import CountStaffRows
from plans.reopening import may_reopen

IS_EMPTY = admin.EmptyFieldListFilter


@admin.register(Plan)
class PlanAdmin(ReadOnlyAdmin):
    date_hierarchy = "created_at"
    fields = (
        ("title", "owner", "hours_per_week", "target_date"),
        ("created_at", "completed_at", "archived_at", "id"),
        "goal",
        "weeks_and_actions",
    )
    list_defer = ("goal",)
    list_display = (
        "title",
        related_column("owner__username", "student"),
        "created_at",
        "target_date",
        "completed_at",
        "archived_at",
    )
    list_filter = (("completed_at", IS_EMPTY), ("archived_at", IS_EMPTY))
    list_select_related = ("owner",)
    search_fields = ("owner__username", "title")
    search_help_text = "E-mail of the student, title of the plan, or an id"

    def weeks_and_actions(self, plan: Plan) -> SafeString:
        weeks = plan.weeks.order_by("number").prefetch_related("actions")
        return format_html_join(
            "", "<p>{}</p>{}", ((_link(week), _list_actions(week)) for week in weeks)
        )


@admin.register(Week)
class WeekAdmin(ReadOnlyAdmin):
    fields = (
        ("title", "number", "plan", "completed_at"),
        "description",
        "actions_in_order",
        "id",
    )
    list_defer = ("description", "plan__goal")
    list_display = (
        "title",
        "number",
        related_column("plan__title", "plan"),
        related_column("plan__owner__username", "student"),
        "completed_at",
    )
    list_filter = (("completed_at", IS_EMPTY),)
    list_select_related = ("plan__owner",)
    search_fields = ("plan__owner__username", "plan__title", "title")
    search_help_text = "E-mail of the student, title of the plan or week, or an id"
    search_ids = ("pk", "plan_id")

    @admin.display(description="actions")
    def actions_in_order(self, week: Week) -> SafeString:
        return _list_actions(week)


@admin.register(Action)
class ActionAdmin(ReadOnlyAdmin):
    change_form_template = "admin/plans/action/change_form.html"
    fields = (
        ("title", "week", "position", "archived_at"),
        ("status", "current_completion", "spec_version", "id"),
        "description",
        "requirements_in_order",
    )
    list_defer = (
        "description",
        "current_completion__checklist",
        "week__description",
        "week__plan__goal",
    )
    list_display = (
        "title",
        "status",
        "how",
        related_column("current_completion__confirmed_at", "completed at"),
        related_column("week__number", "week"),
        related_column("week__plan__title", "plan"),
        related_column("week__plan__owner__username", "student"),
        "spec_version",
    )
    list_filter = ("status", "current_completion__how", ("archived_at", IS_EMPTY))
    list_select_related = ("week__plan__owner", "current_completion")
    search_fields = ("week__plan__owner__username", "week__plan__title", "title")
    search_help_text = "E-mail of the student, title of the plan or action, or an id"
    search_ids = ("pk", "week_id", "week__plan_id", "current_completion_id")

    @admin.display(description="how", ordering="current_completion__how")
    def how(self, action: Action) -> str | None:
        completion = action.current_completion
        return completion and completion.say_how(action.staff_rows)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = CountStaffRows("current_completion__checklist")
        return super().get_queryset(request).annotate(staff_rows=rows)

    @admin.display(description="requirements")
    def requirements_in_order(self, action: Action) -> SafeString:
        rows = action.requirements.order_by("position", "id")
        return _as_list((row, row.get_evidence_kind_display()) for row in rows)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["may_reopen"] = may_reopen(request)
        return super().render_change_form(request, context, *args, **kwargs)


@admin.register(Requirement)
class RequirementAdmin(ReadOnlyAdmin):
    list_defer = ("action__description", "action__week__description", "action__week__plan__goal")
    list_display = (
        "title",
        "evidence_kind",
        "origin",
        related_column("action__title", "action"),
        related_column("action__week__plan__title", "plan"),
        related_column("action__week__plan__owner__username", "student"),
    )
    list_filter = ("evidence_kind", "origin")
    list_select_related = ("action__week__plan__owner",)
    search_fields = (
        "action__week__plan__owner__username",
        "action__week__plan__title",
        "action__title",
        "title",
    )
    search_help_text = "E-mail of the student, title of plan, action or requirement, or an id"
    search_ids = ("pk", "action_id")


def _link(row: Model) -> SafeString:
    url = reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_change", args=[row.pk])
    return format_html('<a href="{}"><bdi>{}</bdi></a>', url, row)


def _list_actions(week: Week) -> SafeString:
    actions = sorted(week.actions.all(), key=lambda action: (action.position, action.pk))
    return _as_list((action, action.get_status_display()) for action in actions)


def _as_list(rows: Any) -> SafeString:
    items = format_html_join("", "<li>{}: {}</li>", ((_link(row), text) for row, text in rows))
    return format_html('<ul class="record-list">{}</ul>', items)
