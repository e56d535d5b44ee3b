"""How the API refuses: one form for every error, `{"detail": sentence, "code": ...}`.

A 404 says the same for what is missing, archived and somebody else's.
"""

import logging
import re
from http import HTTPStatus
from typing import Any

from django.core.exceptions import (
    BadRequest,
    ObjectDoesNotExist,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from elivio.text import clean_text
from plans.errors import Refused

logger = logging.getLogger(__name__)

MISSING = "There is nothing here, or it is not yours."
NO_LOGIN = "Log in first, then try again."
NO_TOKEN = "The page's security token is missing or too old. Reload the page, then try again."
TOO_LARGE = "That is too large to be received. Send less at once."
UNREADABLE = "The request could not be read. Send it again."
BROKEN = "Something went wrong on our side. Try again in a minute."
LONGEST_NAME = 60

# What pydantic's error types say to a person; each goes on after the field's name.
FAULTS = {
    "bool_type": "must be true or false.",
    "extra_forbidden": "is not a field of this call.",
    "greater_than_equal": "must be {ge} or more.",
    "int_parsing": "must be a whole number.",
    "int_parsing_size": "is too large a number.",
    "less_than_equal": "must be {le} or less.",
    "literal_error": "must be {expected}.",
    "missing": "is missing.",
    "string_pattern_mismatch": "holds a character that is not allowed here.",
    "string_too_long": "may have at most {max_length} characters.",
    "string_too_short": "may not be empty.",
    "string_type": "must be a text.",
    "string_unicode": "holds a character that cannot be stored. Paste it again as plain text.",
    "too_long": "may have at most {max_length} entries.",
    "too_short": "must have at least {min_length}.",
    "uuid_parsing": "must be an id.",
    "uuid_type": "must be an id.",
}
NO_BODY = "Send a JSON object with the fields of this call."


def make_error(
    status: int, detail: str, code: str = "", fields: dict[str, str] | None = None
) -> JsonResponse:
    body: dict[str, Any] = {"detail": detail, "code": code or HTTPStatus(status).name.lower()}
    if fields:
        body["fields"] = fields
    return JsonResponse(body, status=status)


def answer_missing(request: HttpRequest, error: Exception) -> HttpResponse:
    return make_error(404, MISSING)


def answer_refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    if refusal.status == HTTPStatus.NOT_FOUND:
        return answer_missing(request, refusal)
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(refusal).__name__).lower()
    return make_error(refusal.status, str(refusal), name)


def answer_no_login(request: HttpRequest, error: Exception) -> HttpResponse:
    return make_error(401, NO_LOGIN, "not_logged_in")


def answer_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Ninja's 403 is the missing CSRF token. It comes before the login is looked at, but who is
    not logged in is better told that."""
    if error.status_code != HTTPStatus.FORBIDDEN:
        return make_error(error.status_code, str(error))
    if not request.user.is_authenticated:
        return answer_no_login(request, error)
    return make_error(403, NO_TOKEN, "csrf_failed")


def answer_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """422 with a sentence per field; an address that holds no id is a missing one."""
    if any(fault["loc"][0] == "path" for fault in error.errors):
        return answer_missing(request, error)
    fields = {name_field(fault): say_fault(fault) for fault in error.errors}
    return make_error(422, " ".join(fields.values()), "invalid", fields)


def name_field(fault: dict[str, Any]) -> str:
    """The field's name as the client knows it: a body's location is (body, parameter, field)."""
    source, *path = fault["loc"]
    names = path[1:] if source == "body" else path
    return clean_text(".".join(map(str, names)))[:LONGEST_NAME] or source


def say_fault(fault: dict[str, Any]) -> str:
    name = name_field(fault)
    if name == "body":
        return NO_BODY
    sentence = FAULTS.get(fault["type"], "cannot be taken.").format(**fault.get("ctx", {}))
    return f"{name} {sentence}"


def answer_too_large(request: HttpRequest, error: Exception) -> HttpResponse:
    return make_error(413, TOO_LARGE, "too_large")


def answer_unreadable(request: HttpRequest, error: Exception) -> HttpResponse:
    return make_error(400, UNREADABLE)


def answer_broken(request: HttpRequest, error: Exception) -> HttpResponse:
    """A fault of ours: the traceback goes to the log, never to the client."""
    logger.error("%s %s failed", request.method, request.path, exc_info=error)
    return make_error(500, BROKEN)


def answer_lookup(request: HttpRequest, error: LookupError) -> HttpResponse:
    """Django looks up the codec that a form's content type names, which may be none for text."""
    if type(error) is LookupError:
        return answer_unreadable(request, error)
    return answer_broken(request, error)


HANDLERS = {
    Exception: answer_broken,
    LookupError: answer_lookup,
    Refused: answer_refused,
    Http404: answer_missing,
    ObjectDoesNotExist: answer_missing,
    ValidationError: answer_invalid,
    AuthenticationError: answer_no_login,
    HttpError: answer_http_error,
    RequestDataTooBig: answer_too_large,
    SuspiciousOperation: answer_unreadable,
    BadRequest: answer_unreadable,
    MultiPartParserError: answer_unreadable,
    UnreadablePostError: answer_unreadable,
}


def add_handlers(api: NinjaAPI) -> None:
    for kind, handler in HANDLERS.items():
        api.add_exception_handler(kind, handler)
