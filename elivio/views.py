"""Pages that belong to no app: what is missing, and the refusal of a form without its token. Both
give back what was typed."""

import re

from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render

from elivio.typed import keep_typed, take_typed

# What a person types on the pages, by the end of the field's name. Never a password, and no hidden
# field.
_TYPED = re.compile(
    r"(?:.+\.)?"
    r"(?:description|goal|line_[123]|message|reason|row_title|text|title|topics|username)"
)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403, with what was typed given back so that nothing is lost: in its form, where that can
    keep it, or to be copied."""
    form_url = request.path if keep_typed(request) else ""
    typed = [] if form_url else _read_texts(request.POST)
    return render(request, "403_csrf.html", {"form_url": form_url, "typed": typed}, status=403)


def page_missing(request: HttpRequest, exception: Http404) -> HttpResponse:
    """404. A form may have gone while somebody typed in it, or logged in to send it again."""
    try:
        sent = request.POST if request.method == "POST" else take_typed(request)
    except (MultiPartParserError, SuspiciousOperation, UnreadablePostError):
        sent = None  # no form of ours
    return render(request, "404.html", {"typed": _read_texts(sent or QueryDict())}, status=404)


def _read_texts(sent: QueryDict) -> list[str]:
    named = [texts for name, texts in sent.lists() if _TYPED.fullmatch(name)]
    return [text for texts in named for text in texts if text.strip()]
