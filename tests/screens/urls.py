"""The product's addresses, and three that a browser needs to meet its refusals and faults."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path

from elivio import urls

handler404 = urls.handler404

INJECTED = """<!doctype html><html lang="en"><title>Injected</title>
<script>window.injected = "inline"</script>
<img src="missing" onerror="window.injected = 'handler'">
<script src="data:text/javascript,window.injected='data'"></script>
<style>body { color: red }</style><p>Past the escaping</p></html>"""


def refuse(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("A fault on purpose, for its page.")


def inject(request: HttpRequest) -> HttpResponse:
    """What a page would hold if a student's text got past the escaping."""
    return HttpResponse(INJECTED)


urlpatterns = [
    path("screens/403/", refuse),
    path("screens/500/", fail),
    path("screens/injected/", inject),
    *urls.urlpatterns,
]
