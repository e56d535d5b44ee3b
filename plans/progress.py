"""Progress of a plan, derived from its actions: how each was finished is told apart."""

from collections.abc import Iterable
from dataclasses import dataclass

from plans.models import Action, How


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of tasks. `checked + self_reported <= total`; `by_rules` of the checked ones were
    passed by plain rules, as a demo."""

    total: int
    checked: int
    self_reported: int
    by_rules: int

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
    done = [row.current_completion for row in rows if row.current_completion]
    hows = [completion.how for completion in done]
    return Progress(
        total=len(rows),
        checked=hows.count(How.CHECKED),
        self_reported=hows.count(How.SELF_REPORTED),
        by_rules=sum(completion.by_rules for completion in done),
    )
