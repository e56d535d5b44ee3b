"""The brief: what a student says about the project a plan is for. Pure values, no model."""

import datetime
import enum
from dataclasses import dataclass
from typing import Any, Self

from elivio.text import UNSTORABLE
from plans.making.errors import BriefRefused

SHORTEST, LONGEST = 20, 4000  # characters of the description
MOST_HOURS, MOST_WEEKS = 60, 26
WEEK = datetime.timedelta(days=7)


class Level(enum.StrEnum):
    BEGINNER = "beginner"
    SOME = "some"
    EXPERIENCED = "experienced"


@dataclass(frozen=True, slots=True)
class Brief:
    """`starts_on` is the day it was asked for: the first day of the first week."""

    description: str
    hours_per_week: int
    weeks: int
    level: Level
    starts_on: datetime.date
    target_date: datetime.date | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "description": self.description,
            "hours_per_week": self.hours_per_week,
            "weeks": self.weeks,
            "level": str(self.level),
            "starts_on": self.starts_on.isoformat(),
            "target_date": self.target_date and self.target_date.isoformat(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        target = data["target_date"]
        return cls(
            description=data["description"],
            hours_per_week=data["hours_per_week"],
            weeks=data["weeks"],
            level=Level(data["level"]),
            starts_on=datetime.date.fromisoformat(data["starts_on"]),
            target_date=datetime.date.fromisoformat(target) if target else None,
        )


def week_begins(starts_on: datetime.date, number: int) -> datetime.date:
    return starts_on + WEEK * (number - 1)


def make_brief(
    *,
    description: str,
    hours_per_week: int,
    weeks: int,
    level: str,
    target_date: str | None,
    today: datetime.date,
) -> Brief:
    """The student's answers as a brief. Raises BriefRefused with a sentence for each fault."""
    faults = {
        "description": _find_text_fault(description),
        "hours_per_week": _find_number_fault("number of hours a week", hours_per_week, MOST_HOURS),
        "weeks": _find_number_fault("number of weeks", weeks, MOST_WEEKS),
        "level": "" if level in set(Level) else "Choose beginner, some or experienced.",
    }
    target, faults["target_date"] = _read_date(target_date, today)
    is_known = not (faults["weeks"] or faults["target_date"])
    if target and is_known and week_begins(today, weeks) > target:
        faults["target_date"] = (
            f"The last of {weeks} weeks begins after your target date. Choose fewer weeks or a "
            "later date."
        )
    if any(faults.values()):
        raise BriefRefused({name: fault for name, fault in faults.items() if fault})
    text = description.strip()
    return Brief(text, hours_per_week, weeks, Level(level), today, target)


def _find_text_fault(text: str) -> str:
    if UNSTORABLE.search(text):
        return (
            "The description holds a character that cannot be stored. Paste it again as plain text."
        )
    length = len(text.strip())
    if length < SHORTEST:
        return f"Describe your project in {SHORTEST} characters or more."
    if length > LONGEST:
        return f"Your description has {length:,} characters, and {LONGEST:,} fit. Shorten it."
    return ""


def _find_number_fault(name: str, number: int, most: int) -> str:
    return "" if 1 <= number <= most else f"Choose a {name} from 1 to {most}."


def _read_date(text: str | None, today: datetime.date) -> tuple[datetime.date | None, str]:
    if not text:
        return None, ""
    try:
        target = datetime.date.fromisoformat(text)
    except ValueError:
        return None, "Write the target date as in 2026-03-30."
    if target < today:
        return target, "The target date is in the past. Choose a later one, or leave it out."
    return target, ""
