"""The card "What will you make?": what it shows, what its form sends, and rows not confirmed yet.

Those wait in the visitor's Django session, for browsers without JavaScript and for logins that ran
out. Nothing here writes a requirement.
"""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.http import HttpRequest, QueryDict

from plans.agreed_rows import LONGEST_TITLE, MOST_AGREED, AgreedRow, digest_rows
from plans.models import EvidenceKind, Origin, Requirement
from sessions.models import CopilotSession

KEY = "agreements"
MOST_WAITING = 3
# Of a line that is typed too long: enough to be cut by its writer.
LONGEST_TYPED = 4 * LONGEST_TITLE
KINDS = EvidenceKind.choices


@dataclass(frozen=True, slots=True)
class AgreementCard:
    """`agreed` is what stands; `lines` fill the form, always MOST_AGREED of them.
    `seen` is the digest of what stood there when the lines were typed."""

    agreed: list[Requirement]
    lines: list[AgreedRow]
    seen: str
    is_editing: bool = False
    fault: str = ""
    sentence: str = ""

    @property
    def first(self) -> AgreedRow:
        return self.lines[0]

    @property
    def more(self) -> list[AgreedRow]:
        return self.lines[1:]

    @property
    def has_more(self) -> bool:
        return any(line.title for line in self.more)

    @property
    def kinds(self) -> list[tuple[str, str]]:
        return KINDS


def read_card(
    request: HttpRequest,
    session: CopilotSession,
    requirements: Sequence[Requirement],
    *,
    typed: Sequence[AgreedRow] | None = None,
    seen: str | None = None,
    fault: str = "",
    sentence: str = "",
) -> AgreementCard:
    """The card of a session. `typed` are lines just sent, given back. No query."""
    agreed = [row for row in requirements if row.origin == Origin.AGREED]
    waiting = find_waiting(request, session)
    stored = [AgreedRow(row.title, row.evidence_kind) for row in agreed]
    lines = list(typed if typed is not None else waiting or stored)[:MOST_AGREED]
    lines += [AgreedRow("")] * (MOST_AGREED - len(lines))
    return AgreementCard(
        agreed=agreed,
        lines=lines,
        seen=digest_rows(stored) if seen is None else seen,
        is_editing=bool(waiting or typed is not None),
        fault=fault,
        sentence=sentence,
    )


def read_lines(sent: QueryDict) -> list[AgreedRow]:
    """The lines of the form that hold something, as they were typed."""
    numbers = range(1, MOST_AGREED + 1)
    rows = [
        AgreedRow(
            sent.get(f"line_{number}", "").replace("\r\n", "\n"),
            sent.get(f"kind_{number}", "either")[:16],
        )
        for number in numbers
    ]
    return [row for row in rows if row.title.strip()]


def keep_waiting(request: HttpRequest, about: uuid.UUID, rows: Sequence[AgreedRow]) -> None:
    """Keep rows that are not confirmed, for a session or a task; of several, the newest few."""
    waiting = request.session.get(KEY, {})
    waiting.pop(str(about), None)
    if rows:
        waiting[str(about)] = [
            {**asdict(row), "title": row.title[:LONGEST_TYPED]} for row in rows[:MOST_AGREED]
        ]
    request.session[KEY] = dict(list(waiting.items())[-MOST_WAITING:])


def find_waiting(request: HttpRequest, session: CopilotSession) -> list[AgreedRow]:
    """What waits for this session, or for its task from one that has ended."""
    waiting = request.session.get(KEY, {})
    rows = waiting.get(str(session.pk)) or waiting.get(str(session.action_id)) or []
    return [AgreedRow(**row) for row in rows]


def drop_waiting(request: HttpRequest, session: CopilotSession) -> None:
    if find_waiting(request, session):
        keep_waiting(request, session.pk, [])
        keep_waiting(request, session.action_id, [])
