"""Edits, completions, reopenings, erasures, follow-ups and proofs in the admin: facts, to look at.

The one way to act is to reopen one completion, on a page of its own.
"""

import uuid
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from elivio.admin import ReadOnlyAdmin, StoredValuesFilter, related_column
from plans.history import describe_edit
from plans.models import ActionEdit, Completion, Erasure, FollowUp, How, Proof, Reopening
from plans.models.completion import CountStaffRows
from plans.reopening import may_reopen, show_reopen_page
from plans.stored_checklist import read_checklist

IS_EMPTY = admin.EmptyFieldListFilter


class IsCurrentFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("current", "Current"), ("reopened", "Reopened")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() not in ("current", "reopened"):
            return queryset
        return queryset.filter(reopening__isnull=self.value() == "current")


@admin.register(Completion)
class CompletionAdmin(ReadOnlyAdmin):
    change_form_template = "admin/plans/completion/change_form.html"
    change_list_template = "admin/plans/completion/change_list.html"
    date_hierarchy = "confirmed_at"
    fields = (
        ("action", "confirmed_by", "confirmed_at", "state"),
        ("how_in_words", "judge_kind", "audit", "spec_version"),
        ("sequence", "id", "check_id"),
    )
    list_defer = (
        "checklist",
        "action__description",
        "action__week__description",
        "action__week__plan__goal",
    )
    list_display = (
        "confirmed_at",
        related_column("action__title", "action"),
        related_column("action__week__plan__title", "plan"),
        related_column("confirmed_by__username", "student"),
        "how_in_words",
        "audit",
        "state",
        "spec_version",
    )
    list_filter = (
        "how",
        "audit_missing",
        IsCurrentFilter,
        ("judge_kind", StoredValuesFilter),
    )
    list_select_related = ("action__week__plan", "confirmed_by", "reopening")
    search_fields = ("confirmed_by__username", "action__title", "action__week__plan__title")
    search_help_text = "E-mail of the student, title of the action or plan, or an id"
    search_ids = ("pk", "action_id", "action__week__plan_id", "check_id")

    @admin.display(description="how", ordering="how")
    def how_in_words(self, completion: Completion) -> str:
        return completion.say_how(completion.staff_count)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).annotate(staff_count=CountStaffRows("checklist"))

    @admin.display(description="audit row", ordering="audit_missing")
    def audit(self, completion: Completion) -> str:
        if completion.how == How.SELF_REPORTED:
            return "Not needed"
        return "Missing" if completion.audit_missing else "Kept"

    @admin.display(description="state", ordering="reopening__created_at")
    def state(self, completion: Completion) -> str:
        return "Reopened" if hasattr(completion, "reopening") else "Current"

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.reopen_view)
        own = path("<uuid:completion_id>/reopen/", page, name="plans_completion_reopen")
        return [own, *super().get_urls()]

    def reopen_view(self, request: HttpRequest, completion_id: uuid.UUID) -> HttpResponse:
        return show_reopen_page(self, request, completion_id)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        missing = Completion.objects.filter(audit_missing=True).count
        return super().changelist_view(request, {"count_missing": missing, **(extra_context or {})})

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        *args: Any,
        obj: Completion,
        **kwargs: Any,
    ) -> HttpResponse:
        context["may_reopen"] = may_reopen(request) and not hasattr(obj, "reopening")
        context["checklist"] = read_checklist(obj.checklist)
        return super().render_change_form(request, context, *args, obj=obj, **kwargs)


@admin.register(Reopening)
class ReopeningAdmin(ReadOnlyAdmin):
    date_hierarchy = "created_at"
    list_defer = ("completion__checklist", "completion__action__description")
    list_display = (
        "created_at",
        related_column("completion__action__title", "action"),
        related_column("completion__confirmed_by__username", "student"),
        related_column("completion__how", "how"),
        related_column("by__username", "reopened by"),
        "reason",
    )
    list_filter = ("completion__how",)
    list_select_related = ("completion__action", "completion__confirmed_by", "by")
    search_fields = (
        "completion__confirmed_by__username",
        "completion__action__title",
        "completion__action__week__plan__title",
        "by__username",
        "reason",
    )
    search_help_text = "E-mail, title of the action or plan, words of the reason, or an id"
    search_ids = ("pk", "completion_id", "completion__action_id")


@admin.register(Erasure)
class ErasureAdmin(ReadOnlyAdmin):
    list_display = (
        "created_at",
        related_column("person__username", "person"),
        related_column("by__username", "by"),
        "reason",
    )
    list_filter = ("created_at",)
    list_select_related = ("person", "by")
    ordering = ("-created_at",)
    search_fields = ("person__username", "by__username", "reason")
    search_help_text = "E-mail, words of the reason, or an id"


@admin.register(ActionEdit)
class ActionEditAdmin(ReadOnlyAdmin):
    """What a student changed in a task, in the words in which they read it themselves."""

    date_hierarchy = "at"
    fields = (("action", "by", "at", "kind"), "changes", ("spec_version", "id"))
    list_defer = ("before", "after", "action__description")
    list_display = (
        "at",
        "kind",
        related_column("action__title", "action"),
        related_column("action__week__plan__title", "plan"),
        related_column("by__username", "by"),
        "spec_version",
    )
    list_filter = ("kind",)
    list_select_related = ("action__week__plan", "by")
    ordering = ("-at",)
    search_fields = ("by__username", "action__title", "action__week__plan__title")
    search_help_text = "E-mail of the student, title of the action or plan, or an id"
    search_ids = ("pk", "action_id")

    def changes(self, edit: ActionEdit) -> SafeString:
        rows = ((one.what, one.before, one.after) for one in describe_edit(edit))
        items = format_html_join("", "<li>{}: from “<bdi>{}</bdi>” to “<bdi>{}</bdi>”</li>", rows)
        return format_html('<ul class="record-list">{}</ul>', items)


@admin.register(FollowUp)
class FollowUpAdmin(ReadOnlyAdmin):
    list_defer = ("plan__goal", "action__description")
    list_display = (
        "created_at",
        "kind",
        related_column("plan__title", "plan"),
        related_column("action__title", "action"),
        "attempts",
        "done_at",
        "last_error",
    )
    list_filter = ("kind", ("done_at", IS_EMPTY), ("last_error", IS_EMPTY), "created_at")
    list_select_related = ("plan", "action")
    ordering = ("-created_at",)
    search_fields = ("plan__owner__username", "plan__title", "action__title", "key")
    search_help_text = "E-mail of the student, title of the plan or action, cause, or an id"
    search_ids = ("pk", "plan_id", "action_id", "session_id")


@admin.register(Proof)
class ProofAdmin(ReadOnlyAdmin):
    """When a plan was shared and withdrawn. The address itself stays with its owner."""

    fields = (("plan", "shared_at", "withdrawn_at", "id"),)
    list_defer = ("token", "plan__goal")
    list_display = (
        "shared_at",
        related_column("plan__title", "plan"),
        related_column("plan__owner__username", "student"),
        "withdrawn_at",
    )
    list_filter = (("withdrawn_at", IS_EMPTY), "shared_at")
    list_select_related = ("plan__owner",)
    search_fields = ("plan__owner__username", "plan__title")
    search_help_text = "E-mail of the student, title of the plan, or an id"
    search_ids = ("pk", "plan_id")
