"""Plans in the making in the admin: where each stands and what it cost. To look at."""

from django.contrib import admin

from elivio.admin import ReadOnlyAdmin, related_column
from plans.models import PlanDraft


@admin.register(PlanDraft)
class PlanDraftAdmin(ReadOnlyAdmin):
    fields = (
        ("owner", "state", "reason", "plan"),
        ("round", "version", "made_by", "model"),
        ("model_calls", "prompt_tokens", "output_tokens", "milliseconds"),
        ("created_at", "updated_at", "claimed_until", "attempts", "id"),
        "brief",
        "proposal",
        "review",
    )
    list_defer = ("brief", "proposal", "review", "plan__goal")
    list_display = (
        "created_at",
        related_column("owner__username", "student"),
        "state",
        "reason",
        "round",
        "made_by",
        related_column("plan__title", "plan"),
    )
    list_filter = ("state", "created_at")
    list_select_related = ("owner", "plan")
    ordering = ("-created_at",)
    search_fields = ("owner__username", "plan__title", "reason")
    search_help_text = "E-mail of the student, title of the plan, reason code, or an id"
    search_ids = ("pk", "plan_id")
