"""What was typed into a form of plan making when its login had expired, kept in the visitor's
Django session until the form is shown again. Never shown to anybody else."""

from django.http import HttpRequest, QueryDict

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
