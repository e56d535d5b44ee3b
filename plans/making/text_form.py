"""Title and goal of a proposal as a form: read from what was sent, and shown again as it was typed.
It writes nothing."""

from dataclasses import dataclass, field
from typing import Any, Self

from django.http import QueryDict

from elivio.text import read_number
from plans.making.proposal import LONGEST_GOAL, LONGEST_TITLE, Proposal
from plans.task_text import clean_block, clean_line, find_fault_in


@dataclass(slots=True)
class TextForm:
    """`version` is the draft's that it was typed against."""

    title: str = ""
    goal: str = ""
    version: int = 0
    faults: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, proposal: Proposal, version: int) -> Self:
        return cls(proposal.title, proposal.goal, version)

    def find_faults(self) -> bool:
        """Put a sentence beside each field that cannot be kept. Returns whether there is one."""
        title, goal = clean_line(self.title), clean_block(self.goal)
        found = {
            "title": find_fault_in(title, "Give the plan a title.", "the title", LONGEST_TITLE),
            "goal": find_fault_in(goal, "", "the goal", LONGEST_GOAL),
        }
        self.faults = {name: fault for name, fault in found.items() if fault}
        return bool(self.faults)

    def as_text(self) -> str:
        """All of it, to be copied."""
        return f"{self.title}\n\n{self.goal}"

    def put_into(self, proposal: Proposal) -> dict[str, Any]:
        """The whole proposal with these texts; as unchecked data."""
        return proposal.as_json() | {
            "title": clean_line(self.title),
            "goal": clean_block(self.goal),
        }


def read_text_form(sent: QueryDict) -> TextForm:
    """The form as it was sent."""
    return TextForm(
        title=sent.get("title", ""),
        goal=sent.get("goal", "").replace("\r\n", "\n"),
        version=read_number(sent.get("version", "")) or 0,
    )
