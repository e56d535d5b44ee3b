"""Plans in the admin: the plan itself, and the facts about it. To look at."""

from plans.admin import facts, plan, spending

__all__ = ["facts", "plan", "spending"]
