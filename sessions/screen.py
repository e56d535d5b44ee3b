"""What the session page shows of the student's screen: the age of the newest picture, and the
pictures kept for rows. Each part is read when a template asks for it; nothing is changed here."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from judge.evidence import OLDEST_FRAME_SECONDS
from plans.models import Requirement
from sessions import frames, images, pins
from sessions.models import CopilotSession, Picture


@dataclass(frozen=True)
class Screen:
    """The screen part of a session's page. Ages and times are in seconds, sides in pixels."""

    session: CopilotSession
    requirements: list[Requirement]

    share_seconds: ClassVar[int] = frames.SHARE_SECONDS
    oldest_seconds: ClassVar[int] = OLDEST_FRAME_SECONDS
    longest_side: ClassVar[int] = images.LONGEST_SIDE
    most_pictures: ClassVar[int] = pins.MOST_PICTURES

    @cached_property
    def rows(self) -> list[Requirement]:
        """The rows that a picture can prove."""
        return [row for row in self.requirements if pins.takes_pictures(row)]

    @cached_property
    def age(self) -> int | None:
        """How old the newest picture of the shared screen is; None without one."""
        return frames.read_newest_age(self.session.pk)

    @property
    def is_too_old(self) -> bool:
        return self.age is not None and self.age > self.oldest_seconds

    @cached_property
    def pictures(self) -> list[tuple[Picture, str]]:
        """The kept pictures, oldest first, each with the title of its row. One query."""
        titles = {row.pk: row.title for row in self.requirements}
        kept = pins.read_pictures(self.session)
        return [(picture, titles.get(picture.requirement_id, "")) for picture in kept]
