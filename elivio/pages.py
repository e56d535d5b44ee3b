"""Fragment or page, decided here alone, and the way to the login page for both.

Knows requests and templates, nothing of any app.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

from elivio.typed import keep_typed

LIVE = "elivio/_live.html"
View = Callable[..., HttpResponseBase]


def wants_fragment(request: HttpRequest) -> bool:
    """Whether HTMX asked for a part of a page, and not for a whole one."""
    return bool(request.htmx) and not (request.htmx.boosted or request.htmx.history_restore_request)


def render_part(
    request: HttpRequest,
    page: str,
    fragment: str,
    context: dict[str, Any],
    *,
    also: Sequence[str] = (),
    say: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page, or for HTMX the fragment of it.

    `also` are further fragments of the same page, swapped in by their own ids. `say` is read out
    to a screen reader by the one live region.
    """
    if not wants_fragment(request):
        response = render(request, page, context, status=status)
    else:
        parts = [render_to_string(fragment, context, request)]
        beside = {**context, "beside": True, "say": say}
        parts += [render_to_string(name, beside, request) for name in (*also, LIVE)]
        response = HttpResponse("".join(parts), status=status)
        response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ("HX-Request",))
    return response


def go_to(request: HttpRequest, to: Any, *args: Any, anchor: str = "") -> HttpResponse:
    """Redirect the whole browser page, also when HTMX asked. `to` as for Django's redirect."""
    url = resolve_url(to, *args) + anchor
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def send_to_login(request: HttpRequest) -> HttpResponse:
    """To the login page, and from there back to the page the person was on; or, when a form was
    sent that can be kept, to that form."""
    to_login = redirect_to_login(request.path if keep_typed(request) else current_page(request))
    return HttpResponseClientRedirect(to_login.url) if request.htmx else to_login


def login_needed(view: View) -> View:
    """Like Django's login_required, but no login page is ever swapped into another page."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return send_to_login(request)
        return view(request, *args, **kwargs)

    return wrapped


def current_page(request: HttpRequest) -> str:
    """The path of the page the person sees: of this request, or of the one that holds the form."""
    if request.method == "GET" and not request.htmx:
        return request.get_full_path()
    seen = request.htmx.current_url or request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(
        seen, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return resolve_url("plans:home")
    parts = urlsplit(seen)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path or "/"
