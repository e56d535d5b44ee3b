"""Texts that could not be stored as a turn yet, kept in the visitor's Django session.

For browsers without JavaScript; with it, the page keeps its own draft. Never a turn, and never
shown to anybody else: the Django session goes with its cookie.
"""

import uuid

from django.http import HttpRequest

from sessions.transcript import LONGEST_TURN

KEY = "drafts"
MOST_DRAFTS = 3
# More than a turn holds, so that a text that is too long can still be cut by its writer.
LONGEST_DRAFT = 2 * LONGEST_TURN


def keep_draft(request: HttpRequest, session_id: uuid.UUID, text: str) -> None:
    """Keep the newest text for this session; of several sessions, the newest few."""
    drafts = request.session.get(KEY, {})
    drafts.pop(str(session_id), None)
    if text.strip():
        drafts[str(session_id)] = text[:LONGEST_DRAFT]
    request.session[KEY] = dict(list(drafts.items())[-MOST_DRAFTS:])


def find_draft(request: HttpRequest, session_id: uuid.UUID) -> str:
    return request.session.get(KEY, {}).get(str(session_id), "")


def drop_draft(request: HttpRequest, session_id: uuid.UUID) -> None:
    """Forget the text: the server has it as a turn now."""
    if find_draft(request, session_id):
        keep_draft(request, session_id, "")
