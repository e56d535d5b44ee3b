"""The form of a task as it was typed: it reads a request and writes nothing. What it shows again
after a refusal is what was typed, word for word."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from django.http import QueryDict

from elivio.text import read_number
from plans.editing import Changes, Place
from plans.models import Action, EvidenceKind
from plans.task_text import RowText

EMPTY_ROWS = 2


@dataclass(slots=True)
class FormRow:
    """A requirement's fields. Ticked as gone, or emptied, it is removed."""

    id: str = ""
    title: str = ""
    kind: str = EvidenceKind.EITHER
    is_gone: bool = False
    fault: str = ""

    @property
    def is_kept(self) -> bool:
        return bool(self.title.strip()) and not self.is_gone


@dataclass(slots=True)
class TaskForm:
    """`place` is "" (stay), or "<week>:first", "<week>:end" or "<week>:<task>" (after that one).
    `version` is the spec version that it was typed against, `form_id` that of a form for a new
    task, which may be sent twice, and `seen` the digest of the week's text."""

    title: str = ""
    description: str = ""
    rows: list[FormRow] = field(default_factory=list)
    place: str = ""
    version: int = 0
    form_id: str = ""
    seen: str = ""
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def shown_rows(self) -> list[FormRow]:
        """Those typed, and empty ones to type in."""
        empty = sum(not row.title.strip() for row in self.rows)
        return [*self.rows, *(FormRow() for _ in range(EMPTY_ROWS - empty))]

    @property
    def kept_rows(self) -> list[RowText]:
        return [RowText(_read_id(row.id), row.title, row.kind) for row in self._kept()]

    def as_changes(self) -> Changes:
        return Changes(self.title, self.description, self.kept_rows, _read_place(self.place))

    def take_faults(self, faults: dict[str, str]) -> None:
        """Put the sentences of a TextRefused where they belong."""
        self.faults = faults
        for number, row in enumerate(self._kept()):
            row.fault = faults.get(f"requirements.{number}", "")

    def based_on(self, action: Action) -> "TaskForm":
        """The same typed texts, against the task as it is stored now."""
        stored = {str(row.pk) for row in action.requirements.all()}
        rows = [replace(row, id=row.id if row.id in stored else "") for row in self.rows]
        return replace(self, rows=rows, version=action.spec_version)

    def _kept(self) -> list[FormRow]:
        return [row for row in self.rows if row.is_kept]


def form_of(action: Action, place: str = "") -> TaskForm:
    """The form filled with what is stored."""
    rows = [FormRow(str(row.pk), row.title, row.evidence_kind) for row in _rows_of(action)]
    return TaskForm(action.title, action.description, rows, place, action.spec_version)


def read_form(sent: QueryDict) -> TaskForm:
    """The form as it was sent; a field that is not there is empty."""
    gone = set(sent.getlist("row_gone"))
    fields = zip_longest(
        sent.getlist("row_id"),
        sent.getlist("row_title"),
        sent.getlist("row_kind", [EvidenceKind.EITHER]),
        fillvalue="",
    )
    rows = [
        FormRow(row_id, title, kind or EvidenceKind.EITHER, str(number) in gone)
        for number, (row_id, title, kind) in enumerate(fields)
    ]
    return TaskForm(
        title=sent.get("title", ""),
        description=sent.get("description", "").replace("\r\n", "\n"),
        rows=rows,
        place=sent.get("place", ""),
        version=read_number(sent.get("version", "")) or 0,
        form_id=sent.get("form_id", ""),
        seen=sent.get("seen", ""),
    )


def _rows_of(action: Action) -> Iterable:
    return sorted(action.requirements.all(), key=lambda row: (row.position, row.pk))


def _read_id(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _read_place(text: str) -> Place | None:
    week, _, after = text.partition(":")
    week_id = _read_id(week)
    if week_id is None:
        return None
    return Place(week_id, "end" if after == "end" else _read_id(after))
