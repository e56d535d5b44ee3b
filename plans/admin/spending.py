"""The ceilings on model calls in the admin: what is used, and the two things staff can add.

An allowance raises (or lowers) one student's ceiling; the switch ends all model calls. Both are
added, never changed: the newest counts, and the list says who did what, and why.
"""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.http import HttpRequest

from elivio.admin import ReadOnlyAdmin, related_column
from plans.models import Allowance, DailyUse, HeldTap, ModelSwitch


class AddOnlyAdmin(ReadOnlyAdmin):
    """Rows that staff add, with their name on it, and nobody changes afterwards."""

    add_fields: tuple[str, ...] = ()
    change_form_template = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return admin.ModelAdmin.has_add_permission(self, request)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return self.add_fields if obj is None else super().get_fields(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return () if obj is None else super().get_readonly_fields(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.by = request.user
        super().save_model(request, obj, form, change)


@admin.register(DailyUse)
class DailyUseAdmin(ReadOnlyAdmin):
    date_hierarchy = "day"
    list_display = (
        "day",
        related_column("student__username", "student"),
        "purpose",
        "calls",
        "ceiling",
        "refused",
    )
    list_filter = ("purpose", "day")
    list_select_related = ("student",)
    search_fields = ("student__username",)
    search_help_text = "E-mail of the student, or an id"

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        newest = Allowance.objects.filter(
            student_id=OuterRef("student_id"), purpose=OuterRef("purpose")
        )
        own = Subquery(newest.values("daily_calls")[:1])
        return super().get_queryset(request).annotate(own_ceiling=own)

    @admin.display(description="ceiling now")
    def ceiling(self, use: DailyUse) -> int:
        if use.own_ceiling is not None:
            return use.own_ceiling
        return settings.DAILY_MODEL_CALLS[use.purpose]


@admin.register(HeldTap)
class HeldTapAdmin(ReadOnlyAdmin):
    """Calls held back for the tap after a passed check."""

    list_defer = ("action__description", "action__week__description", "action__week__plan__goal")
    list_display = (
        "day",
        related_column("student__username", "student"),
        related_column("action__title", "action"),
        "calls",
    )
    list_select_related = ("student", "action__week__plan")
    search_fields = ("student__username", "action__title")
    search_help_text = "E-mail of the student, title of the action, or an id"
    search_ids = ("pk", "action_id")


@admin.register(Allowance)
class AllowanceAdmin(AddOnlyAdmin):
    add_fields = ("student", "purpose", "daily_calls", "reason")
    raw_id_fields = ("student",)
    list_display = (
        "created_at",
        related_column("student__username", "student"),
        "purpose",
        "daily_calls",
        "reason",
        related_column("by__username", "by"),
    )
    list_filter = ("purpose",)
    list_select_related = ("student", "by")
    search_fields = ("student__username", "by__username", "reason")
    search_help_text = "E-mail of the student or of staff, words, or an id"


class SwitchForm(forms.ModelForm):
    """Says what switching off means before it is done."""

    class Meta:
        model = ModelSwitch
        fields = ("is_off", "reason")
        help_texts = {
            "is_off": (
                "Off: the copilot answers nobody and every check is undecided, for all students, "
                "until somebody adds a row without this tick. Plain rules are not affected."
            )
        }


@admin.register(ModelSwitch)
class ModelSwitchAdmin(AddOnlyAdmin):
    form = SwitchForm
    add_fields = ("is_off", "reason")
    list_display = ("created_at", "state", "reason", related_column("by__username", "by"))
    list_select_related = ("by",)
    search_fields = ("by__username", "reason")
    search_help_text = "E-mail of staff, words, or an id"

    @admin.display(description="model calls", ordering="is_off")
    def state(self, switch: ModelSwitch) -> str:
        return "Off" if switch.is_off else "On"
