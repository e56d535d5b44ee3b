"""Pages that belong to no app: the refusal of a form without its token."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

# What a person types on the pages. Never a password, and no hidden field.
_TYPED = ("text", "message", "reason", "username")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403, with what was typed given back so that nothing is lost."""
    typed = [text for name in _TYPED for text in request.POST.getlist(name) if text]
    return render(request, "403_csrf.html", {"typed": typed}, status=403)
