"""What was typed into a form that could not be taken, as its login had run out: kept in the
visitor's Django session until the form is shown to its writer again. Shown to nobody else.

A form takes part by naming its writer (`{% writer %}`), and by standing at the address it is sent
to: there `take_typed` gives it back.
"""

from collections.abc import Mapping
from typing import Any

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, QueryDict

KEY = "typed"
WRITER = "writer"
MOST_FORMS = 3
# More characters than any form of ours can save.
LONGEST = 500_000
_SIGNER = Signer(salt="elivio.typed")


def sign_writer(user) -> str:
    """The value by which a form names the person it was shown to."""
    return _SIGNER.sign(user.pk)


def keep_typed(request: HttpRequest) -> bool:
    """Keep the fields that were sent to this address; of several forms, the newest few. Returns
    whether they are kept: not those of a form that names no writer, or with more than LONGEST."""
    writer = _read_writer(request.POST)
    fields = {name: texts for name, texts in request.POST.lists() if name != "csrfmiddlewaretoken"}
    if request.method != "POST" or not writer or _count_characters(fields) > LONGEST:
        return False
    kept = request.session.get(KEY, {})
    kept.pop(request.path, None)
    kept[request.path] = fields
    request.session[KEY] = dict(list(kept.items())[-MOST_FORMS:])
    return True


def take_typed(request: HttpRequest) -> QueryDict | None:
    """What the user had sent to this address, once, to be shown; another's is forgotten."""
    if request.method != "GET":
        return None
    kept = request.session.get(KEY, {})
    fields = kept.pop(request.path, None)
    if fields is None:
        return None
    request.session[KEY] = kept
    typed = QueryDict(mutable=True)
    for name, texts in fields.items():
        typed.setlist(name, texts)
    return typed if _read_writer(typed) == str(request.user.pk) else None


def holds_typed_by(data: Mapping[str, Any], user) -> bool:
    """Whether a Django session with this data keeps something that the user has typed."""
    writers = {_unsign(mark) for fields in data.get(KEY, {}).values() for mark in fields[WRITER]}
    return str(user.pk) in writers


def _read_writer(sent: QueryDict) -> str:
    return _unsign(sent.get(WRITER, ""))


def _unsign(mark: str) -> str:
    try:
        return _SIGNER.unsign(mark)
    except BadSignature:
        return ""


def _count_characters(fields: dict[str, list[str]]) -> int:
    return sum(len(text) for texts in fields.values() for text in texts)
