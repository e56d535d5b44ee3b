"""The one JSON API: each app brings its router. Every operation needs a login and, where it
writes, the CSRF token."""

import functools
from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern
from ninja import NinjaAPI, Router, Swagger
from ninja.security import django_auth

from elivio.api_errors import add_handlers, make_error
from judge.api import router as judge_router
from plans.api import router as plans_router
from plans.editing_api import router as editing_router
from plans.making.api import router as making_router
from sessions.agreement_api import router as agreement_router
from sessions.api import router as sessions_router
from sessions.screen_api import router as screen_router

DESCRIPTION = """\
Log in on the site first: calls carry its session cookie, and calls that write also carry the
`csrftoken` cookie's value in the header `X-CSRFToken`. Names are in camelCase, ids are UUIDs,
types are strict. Every refusal is `{"detail": sentence, "code": code}`; what is missing and what
is somebody else's both answer 404.
"""
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
NOT_ALLOWED = "This address does not take that method."


class JsonAPI(NinjaAPI):
    """NinjaAPI whose refusal of a method has the form of every other error."""

    @property
    def urls(self) -> tuple[list[URLPattern], str, str]:
        patterns, app_name, namespace = super().urls
        for pattern in patterns:
            pattern.callback = refuse_as_json(pattern.callback)
        return patterns, app_name, namespace


def refuse_as_json(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @functools.wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code != 405:
            return response
        refusal = make_error(405, NOT_ALLOWED)
        refusal["Allow"] = response["Allow"]
        return refusal

    return answer


fallback = Router()


@fallback.api_operation(METHODS, "/", include_in_schema=False)
def answer_root(request: HttpRequest) -> None:
    raise Http404


@fallback.api_operation(METHODS, "/{path:rest}", include_in_schema=False)
def answer_unknown(request: HttpRequest, rest: str) -> None:
    raise Http404


api = JsonAPI(
    title="Elivio",
    version="1",
    description=DESCRIPTION,
    auth=django_auth,
    urls_namespace="api",
    # The online validator would send the document to a foreign host.
    docs=Swagger(settings={"validatorUrl": None}),
)
add_handlers(api)
ROUTERS = (
    plans_router,
    making_router,
    editing_router,
    sessions_router,
    screen_router,
    agreement_router,
    judge_router,
)
for router in (*ROUTERS, fallback):
    api.add_router("", router)
