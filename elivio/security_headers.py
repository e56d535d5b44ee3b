"""The Content-Security-Policy of every answer: only the product's own files load and run, also
where a text got past the escaping. It must stay without 'unsafe-inline' and without other hosts.
"""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Answer = HttpResponseBase | Awaitable[HttpResponseBase]

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",  # the API's own documentation draws its icons as data
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


@sync_and_async_middleware
def content_security_policy(
    get_response: Callable[[HttpRequest], Answer],
) -> Callable[[HttpRequest], Answer]:
    if iscoroutinefunction(get_response):

        async def answer(request: HttpRequest) -> HttpResponseBase:
            return add_policy(await get_response(request))

    else:

        def answer(request: HttpRequest) -> HttpResponseBase:
            return add_policy(get_response(request))

    return answer


def add_policy(response: HttpResponseBase) -> HttpResponseBase:
    # Django's report of a fault, on a developer's machine, brings styles and scripts of its own.
    if not (settings.DEBUG and response.status_code == 500):
        response.headers.setdefault("Content-Security-Policy", POLICY)
    return response
