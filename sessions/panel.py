"""What stands beside the conversation: what done means, and the latest check of the task."""

from dataclasses import dataclass

from judge.card import Card, has_passed, latest_card
from plans.models import Action, Origin, Requirement, Status
from plans.queries import actions_of, get_plan
from sessions.models import CopilotSession


@dataclass(frozen=True, slots=True)
class CheckPanel:
    """`card` is the latest check, or None. `has_passed` is about the last one that was decided: one
    that came to no verdict takes nothing away. `next_action` is known once the task is complete."""

    requirements: list[Requirement]
    card: Card | None
    is_stale: bool
    is_completed: bool
    has_passed: bool = False
    next_action: Action | None = None

    @property
    def judged(self) -> Card | None:
        """The card whose rows say something about the task as it stands now."""
        return None if self.is_stale else self.card

    @property
    def can_complete(self) -> bool:
        return self.judged is not None and (self.judged.all_met or self.has_passed)

    @property
    def agreed(self) -> set[str]:
        """Ids, as rows of checks hold them, of what was agreed at the start of a session."""
        return {f"{row.pk}" for row in self.requirements if row.origin == Origin.AGREED}

    @property
    def rows_left(self) -> int:
        return self.judged.unmet_count if self.judged else len(self.requirements)


def read_panel(session: CopilotSession, card: Card | None = None) -> CheckPanel:
    """The panel of a session from `chat.get_session`; `card` is a check that was made just now."""
    action = session.action
    card = card or latest_card(action.pk)
    is_completed = action.status == Status.COMPLETED
    is_undecided = card is not None and card.outcome == "undecided"
    return CheckPanel(
        requirements=list(action.requirements.all()),
        card=card,
        is_stale=card is not None and card.is_stale(action.spec_version),
        is_completed=is_completed,
        has_passed=is_undecided and has_passed(action.pk, action.spec_version),
        next_action=_find_next(session) if is_completed else None,
    )


def _find_next(session: CopilotSession) -> Action | None:
    actions = actions_of(get_plan(session.student, session.action.week.plan_id))
    return next((action for action in actions if action.status != Status.COMPLETED), None)
