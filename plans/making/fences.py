"""The fences of plan making's prompts, and the brief between two of them."""

from elivio.untrusted import make_neutraliser
from plans.making.brief import Brief, Level

neutralise = make_neutraliser(("brief", "proposal", "findings", "week", "task", "requirement"))

LEVELS = {
    Level.BEGINNER: "new to this",
    Level.SOME: "has done something like it before",
    Level.EXPERIENCED: "experienced in this",
}


def render_brief(brief: Brief) -> str:
    target = brief.target_date.isoformat() if brief.target_date else "none"
    lines = [
        "<brief>",
        f"Hours a week: {brief.hours_per_week}",
        f"Number of weeks: {brief.weeks}",
        f"Level: {LEVELS[brief.level]}",
        f"First day: {brief.starts_on.isoformat()}",
        f"Target date: {target}",
        "The project, in the student's own words:",
        neutralise(brief.description),
        "</brief>",
    ]
    return "\n".join(lines)
