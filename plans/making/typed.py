"""What was typed into a form of plan making when its login had expired, kept in the visitor's
Django session until the form is shown again. Never shown to anybody else."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from elivio.pages import send_to_login

KEY = "plan_forms"
MOST_FORMS = 3
LONGEST = 60_000


def keep_typed(request: HttpRequest, form: str) -> None:
    """Keep the form's fields; of several forms, the newest few."""
    kept = request.session.get(KEY, {})
    sent = request.POST.copy()
    sent.pop("csrfmiddlewaretoken", None)
    text = sent.urlencode()
    if len(text) <= LONGEST:
        kept.pop(form, None)
        kept[form] = text
        request.session[KEY] = dict(list(kept.items())[-MOST_FORMS:])


def take_typed(request: HttpRequest, form: str) -> QueryDict | None:
    """What was kept for this form, once."""
    kept = request.session.get(KEY, {})
    text = kept.pop(form, None)
    if text is None:
        return None
    request.session[KEY] = kept
    return QueryDict(text)


def log_in_first(request: HttpRequest, form: str) -> HttpResponse:
    """To the login page, and back; what was sent is kept for the form."""
    if request.method == "POST":
        keep_typed(request, form)
        # Back to the form itself: what was typed waits there.
        return redirect(f"{reverse('login')}?next={request.path}")
    return send_to_login(request)
