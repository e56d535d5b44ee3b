"""A sentence for the page that a redirect leads to, said at the place it is about, where the focus
goes as well. Knows requests and messages, nothing of any app.

The place is a parameter and no anchor: browsers let no page take the focus when its address has an
anchor, and a sentence at the top of a long page is seen by nobody who was sent to its middle.
"""

from collections.abc import Container
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from elivio.pages import go_to


def go_and_say(
    request: HttpRequest, url: str, place: str, sentence: str, *, is_refused: bool = False
) -> HttpResponse:
    """Redirect to the place on the page at `url`. Without a sentence it is only gone to."""
    if sentence:
        add = messages.warning if is_refused else messages.success
        add(request, sentence, extra_tags=place)
    return go_to(request, f"{url}?{urlencode({'at': place})}")


def read_said(request: HttpRequest, places: Container[str]) -> dict[str, Any]:
    """Context of the page gone to: `at` is the place, `said` its sentence, `messages` what else
    there is to say. Empty when it has no such place, so that every sentence stands at its top."""
    at = request.GET.get("at", "")
    if at not in places:
        return {}
    waiting = list(messages.get_messages(request))
    said = " ".join(each.message for each in waiting if each.extra_tags == at)
    others = [each for each in waiting if each.extra_tags != at]
    return {"at": at, "said": said, "messages": others}
