"""One week of a proposal as a form: read from what was sent, and shown again as it was typed, with
a sentence at each field that cannot be kept. It writes nothing."""

from dataclasses import dataclass, field
from typing import Any, Self

from django.http import QueryDict

from elivio.text import read_number
from plans.making.proposal import MOST_ROWS, MOST_TASKS, Proposal
from plans.making.week_faults import Place, find_week_faults, say_fault
from plans.models import EvidenceKind

EMPTY_ROWS = 1
TOPICS = ", "
FIRST_HOURS = "1"


@dataclass(slots=True)
class RowFields:
    """`is_known`: it stood there before, and leaves by its tick alone."""

    title: str = ""
    kind: str = EvidenceKind.EITHER
    is_known: bool = False
    is_gone: bool = False
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def noun(self) -> str:
        return "row"

    @property
    def is_typed(self) -> bool:
        return bool(self.title.strip()) or self.is_known

    def as_data(self) -> dict[str, Any]:
        return {"title": self.title, "evidenceKind": self.kind}


@dataclass(slots=True)
class TaskFields:
    """`key` stays; a task typed new has none until it is read. One that has a key leaves by its
    tick alone."""

    key: str = ""
    title: str = ""
    description: str = ""
    hours: str = FIRST_HOURS
    topics: str = ""
    depends_on: list[str] = field(default_factory=list)
    rows: list[RowFields] = field(default_factory=list)
    is_gone: bool = False
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def noun(self) -> str:
        return "task" if self.key else "new task"

    @property
    def is_typed(self) -> bool:
        """Whether there is anything in it that could be lost."""
        texts = (self.key, self.title, self.description, self.topics)
        has_text = any(text.strip() for text in texts) or bool(self.rows or self.depends_on)
        return has_text or self.hours.strip() not in ("", FIRST_HOURS)

    @property
    def kept(self) -> list[RowFields]:
        return [row for row in self.rows if not row.is_gone]

    @property
    def shown_rows(self) -> list[RowFields]:
        """Those there are, and empty ones to type in."""
        room = max(0, MOST_ROWS - len(self.rows))
        return [*self.rows, *(RowFields() for _ in range(min(EMPTY_ROWS, room)))]

    def as_text(self) -> str:
        rows = [f"- {row.title}" for row in self.rows]
        lines = [f"{self.title} ({self.hours} h)", self.description, self.topics, *rows]
        return "\n".join(line for line in lines if line.strip())

    def as_data(self, key: str) -> dict[str, Any]:
        topics = [topic.strip() for topic in self.topics.split(",")]
        hours = read_number(self.hours)
        return {
            "key": key,
            "title": self.title,
            "description": self.description,
            "hours": self.hours if hours is None else hours,
            "topics": [topic for topic in topics if topic],
            "dependsOn": self.depends_on,
            "requirements": [row.as_data() for row in self.kept],
        }


@dataclass(slots=True)
class WeekForm:
    """`version` is the draft's that it was typed against."""

    title: str = ""
    description: str = ""
    version: int = 0
    tasks: list[TaskFields] = field(default_factory=list)
    is_gone: bool = False
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def noun(self) -> str:
        return "week"

    @classmethod
    def of(cls, proposal: Proposal, number: int, version: int) -> Self:
        week = proposal.weeks[number - 1]
        tasks = [
            TaskFields(
                key=task.key,
                title=task.title,
                description=task.description,
                hours=str(task.hours),
                topics=TOPICS.join(task.topics),
                depends_on=list(task.depends_on),
                rows=[RowFields(row.title, row.evidence_kind, True) for row in task.requirements],
            )
            for task in week.tasks
        ]
        return cls(week.title, week.description, version, tasks)

    @property
    def shown_tasks(self) -> list[TaskFields]:
        """Those there are, and an empty one to type in."""
        return self.tasks if len(self.tasks) >= MOST_TASKS else [*self.tasks, TaskFields()]

    @property
    def kept(self) -> list[TaskFields]:
        return [task for task in self.tasks if not task.is_gone]

    def find_faults(self) -> bool:
        """Put a sentence at each field that cannot be kept. Returns whether there is one."""
        if self.is_gone:
            return False
        found = list(find_week_faults(self._as_data(set())))
        for place, error in found:
            holder, name = self._find_field(place)
            holder.faults.setdefault(name, say_fault(holder.noun, name, error))
        return bool(found)

    def as_text(self) -> str:
        """All of it, to be copied."""
        parts = [f"{self.title}\n{self.description}", *(task.as_text() for task in self.tasks)]
        return "\n\n".join(part.strip() for part in parts)

    def put_into(self, proposal: Proposal, number: int) -> dict[str, Any]:
        """The whole proposal with this week in its place, or without it; as unchecked data."""
        data = proposal.as_json()
        used = {task.key for _, _, task in proposal.places}
        data["weeks"][number - 1 : number] = [] if self.is_gone else [self._as_data(used)]
        gone = used - {task["key"] for each in data["weeks"] for task in each["tasks"]}
        for each in data["weeks"]:
            for task in each["tasks"]:
                task["dependsOn"] = [key for key in task["dependsOn"] if key not in gone]
        return data

    def _as_data(self, used: set[str]) -> dict[str, Any]:
        """`used` are the keys that a new task cannot have."""
        return {
            "title": self.title,
            "description": self.description,
            "tasks": [task.as_data(task.key or _new_key(used)) for task in self.kept],
        }

    def _find_field(self, place: Place) -> tuple[Any, str]:
        """What holds the field at a place of the data, and the field's name there."""
        holder: Any = self
        while len(place) > 2 and place[0] in ("tasks", "requirements"):
            holder, place = holder.kept[int(place[1])], place[2:]
        return holder, str(place[0])


def read_week_form(sent: QueryDict) -> WeekForm:
    """The form as it was sent: tasks are numbered from 0, their requirements within them."""
    tasks = []
    while len(tasks) <= MOST_TASKS and f"t{len(tasks)}.title" in sent:
        tasks.append(_read_task(sent, f"t{len(tasks)}."))
    return WeekForm(
        title=sent.get("title", ""),
        description=sent.get("description", "").replace("\r\n", "\n"),
        version=read_number(sent.get("version", "")) or 0,
        tasks=[task for task in tasks if task.is_typed],
        is_gone="gone" in sent,
    )


def _read_task(sent: QueryDict, name: str) -> TaskFields:
    rows: list[RowFields] = []
    while len(rows) <= MOST_ROWS and f"{name}r{len(rows)}.title" in sent:
        at = f"{name}r{len(rows)}."
        kind = sent.get(f"{at}kind", EvidenceKind.EITHER)
        title = sent.get(f"{at}title", "")
        rows.append(RowFields(title, kind, f"{at}known" in sent, f"{at}gone" in sent))
    return TaskFields(
        key=sent.get(f"{name}key", ""),
        title=sent.get(f"{name}title", ""),
        description=sent.get(f"{name}description", "").replace("\r\n", "\n"),
        hours=sent.get(f"{name}hours", ""),
        topics=sent.get(f"{name}topics", ""),
        depends_on=sent.getlist(f"{name}needs"),
        rows=[row for row in rows if row.is_typed or row.is_gone],
        is_gone=f"{name}gone" in sent,
    )


def _new_key(used: set[str]) -> str:
    number = 1
    while f"own-{number}" in used:
        number += 1
    used.add(f"own-{number}")
    return f"own-{number}"
