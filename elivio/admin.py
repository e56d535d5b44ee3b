"""ReadOnlyAdmin: rows that staff look at in the admin. It must offer no way to write, to anybody.

Facts are written by the use cases alone, which lock, check and leave a trace; a form here would
be a second way in.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import flatten_fieldsets
from django.contrib.admin.views.main import ERROR_FLAG, ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from elivio.text import UNSTORABLE

admin.site.site_header = admin.site.site_title = "Elivio staff"
admin.site.index_title = "Records"
admin.site.enable_nav_sidebar = False  # lists need the width


class LeanChangeList(ChangeList):
    """A list that leaves the admin's `list_defer` columns in the database."""

    def get_queryset(
        self, request: HttpRequest, exclude_parameters: Sequence[str] | None = None
    ) -> QuerySet:
        try:
            rows = super().get_queryset(request, exclude_parameters)
        except OverflowError as error:  # Django lets a year of thirty digits through
            raise IncorrectLookupParameters(error) from error
        return rows.defer(*self.model_admin.list_defer)


class StoredValuesFilter(admin.AllValuesFieldListFilter):
    """A filter over the values that a text column holds, the empty one with a name."""

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:
        for choice in super().choices(changelist):
            yield {**choice, "display": choice["display"] or "(empty)"}


class ReadOnlyAdmin(admin.ModelAdmin):
    """A list and a page for each row. An id in the search box finds rows by `search_ids`,
    anything else searches `search_fields`."""

    actions = None
    change_form_template = "admin/read_only_form.html"
    list_defer: tuple[str, ...] = ()
    list_per_page = 100
    list_max_show_all = 0
    search_ids: tuple[str, ...] = ("pk",)
    show_full_result_count = False
    view_on_site = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Sequence[Any]:
        return self.fields or [field.name for field in self.opts.concrete_fields]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Sequence[Any]:
        return flatten_fieldsets(self.get_fieldsets(request, obj))

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return LeanChangeList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        if UNSTORABLE.search(search_term):
            return queryset.none(), False
        try:
            wanted = uuid.UUID(search_term.strip())
        except ValueError:
            return super().get_search_results(request, queryset, search_term)
        any_id = Q(*((name, wanted) for name in self.search_ids), _connector=Q.OR)
        return queryset.filter(any_id), False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        values = (value for _, values in request.GET.lists() for value in values)
        if any(UNSTORABLE.search(value) for value in values):
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        return super().changelist_view(request, extra_context)


def related_column(path: str, description: str) -> Callable[[Model], Any]:
    """A column with the value at the end of a path of relations (`action__title`), sortable by
    it; a choice in words, and empty where a relation on the way is. The relations belong into
    list_select_related."""
    *relations, name = path.split("__")

    @admin.display(description=description, ordering=path)
    def column(row: Model) -> Any:
        holder: Any = row
        for relation in relations:
            holder = None if holder is None else getattr(holder, relation)
        in_words = getattr(holder, f"get_{name}_display", None)
        return in_words() if in_words else getattr(holder, name, None)

    column.__name__ = path
    return column
