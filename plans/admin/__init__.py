"""Plans in the admin: the plan itself, and the facts about it. To look at."""

from plans.admin import facts, plan

__all__ = ["facts", "plan"]
