"""The product's own 404 page also while DEBUG is on, where Django would show its list of addresses.

For a developer's machine alone: without DEBUG Django shows templates/404.html by itself.
"""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from elivio.views import page_missing


class OwnMissingPage(MiddlewareMixin):
    """Stands last, so that what a view or the address table does not find comes here first."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if settings.DEBUG and isinstance(exception, Http404):
            return page_missing(request, exception)
        return None

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """No view was found, so no exception came by; `response` is Django's list of addresses."""
        if settings.DEBUG and response.status_code == 404 and request.resolver_match is None:
            return page_missing(request, Http404())
        return response
