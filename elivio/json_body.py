"""Reading a JSON body with care. Nothing a client sends may raise anything but a refusal.

Ninja's own body parameter answers 500 to a form sent where JSON is expected, because its CSRF
check has read the form by then, and its parser keeps the last of two equal keys.
"""

import json
from typing import Any, NoReturn

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.errors import HttpError
from ninja.params.models import Body, BodyModel

from elivio.schemas import JSON, MULTIPART

FORMS = (MULTIPART, "application/x-www-form-urlencoded")
NOT_JSON_TYPE = "Send JSON, with the header Content-Type: application/json."
NOT_JSON = "The body is not valid JSON in UTF-8."


class JsonBodyModel(BodyModel):
    @classmethod
    def get_request_data(
        cls, request: HttpRequest, api: NinjaAPI, path_params: dict[str, Any]
    ) -> dict[str, Any] | None:
        data = read_json(request)
        return None if data is None else {cls.__read_from_single_attr__: data}


class JsonBody(Body):
    """The one JSON body of an operation: `Annotated[Form, JsonBody(...)]`."""

    _model = JsonBodyModel

    @classmethod
    def _param_source(cls) -> str:
        return "body"


def read_json(request: HttpRequest) -> Any:
    """The request's JSON, or None when there is no body; a form without fields is none.

    Raises HttpError (400, 415) and RequestDataTooBig.
    """
    if request.content_type in FORMS and request.method == "POST":
        if request.POST or request.FILES:
            raise HttpError(415, NOT_JSON_TYPE)
        return None
    raw = read_bytes(request)
    if not raw:
        return None
    if request.content_type not in ("", JSON):
        raise HttpError(415, NOT_JSON_TYPE)
    try:
        return json.loads(raw.decode(), object_pairs_hook=make_object, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise HttpError(400, NOT_JSON) from error


def read_bytes(request: HttpRequest) -> bytes:
    """The body, also one without a Content-Length, which Django's own limit lets pass."""
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    raw = request.read(most + 1)
    if len(raw) > most:
        raise RequestDataTooBig
    return raw


def make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("A key stands twice.")
    return made


def refuse(constant: str) -> NoReturn:
    """NaN and Infinity are not JSON."""
    raise ValueError(constant)
