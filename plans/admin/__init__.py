"""Plans in the admin: the plan itself, and the facts about it. To look at."""

from plans.admin import draft, facts, plan, spending

__all__ = ["draft", "facts", "plan", "spending"]
