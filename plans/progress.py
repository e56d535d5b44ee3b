"""Progress of a plan, derived from its actions: checked and self-reported told apart."""

from collections.abc import Iterable
from dataclasses import dataclass

from plans.models import Action, How


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of tasks. `checked + self_reported <= total`."""

    total: int
    checked: int
    self_reported: int

    @property
    def done(self) -> int:
        return self.checked + self.self_reported

    @property
    def checked_percent(self) -> int:
        return round(100 * self.checked / self.total) if self.total else 0

    @property
    def self_reported_percent(self) -> int:
        return round(100 * self.self_reported / self.total) if self.total else 0


def count_progress(actions: Iterable[Action]) -> Progress:
    """Count over actions whose `current_completion` is loaded; no query."""
    rows = list(actions)
    hows = [row.current_completion.how for row in rows if row.current_completion]
    return Progress(len(rows), hows.count(How.CHECKED), hows.count(How.SELF_REPORTED))
