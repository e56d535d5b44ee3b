"""Plain rules in place of a planner, for the offline demo: a modest plan in own words.

It knows nothing of the project but what the brief says, and asks for nothing the brief does not.
"""

import re
from typing import Any

from plans.making.brief import Brief, Level

_NAMED = re.compile(r"`([^`\n]{1,60})`|\"([^\"\n]{1,60})\"|“([^”\n]{1,60})”|«([^»\n]{1,60})»")
LONGEST_EXCERPT = 80
MOST_NAMES = 3


def propose_by_rules(brief: Brief) -> dict[str, Any]:
    """A proposal in the planner's own form: decide, build week by week, show."""
    about = _excerpt(brief.description)
    weeks = [_make_week(number, brief, about) for number in range(1, brief.weeks + 1)]
    return {
        "title": about[:1].upper() + about[1:],
        "goal": brief.description[:2000].strip(),
        "weeks": weeks,
    }


def _make_week(number: int, brief: Brief, about: str) -> dict[str, Any]:
    is_first, is_last = number == 1, number == brief.weeks
    hours = brief.hours_per_week
    # With an hour a week there is time for one task.
    halves = [hours - hours // 2, hours // 2] if hours > 1 else [hours]
    made = [_decide(brief, about)] if is_first else []
    made += [_build(number, about)]
    made += [_show(brief, about)] if is_last else []
    made += [] if is_first or is_last else [_try_out(number)]
    tasks = made[-len(halves) :] if not is_first or is_last else made[: len(halves)]
    keyed = [
        {
            **task,
            "key": f"w{number}-{place}",
            "hours": share,
            "dependsOn": [] if (number, place) == (1, 1) else [_before(number, place, brief)],
        }
        for place, (task, share) in enumerate(zip(tasks, halves, strict=False), start=1)
    ]
    return {**_name_week(number, brief), "tasks": keyed}


def _before(number: int, place: int, brief: Brief) -> str:
    if place > 1:
        return f"w{number}-{place - 1}"
    return f"w{number - 1}-{2 if brief.hours_per_week > 1 else 1}"


def _name_week(number: int, brief: Brief) -> dict[str, str]:
    if number == brief.weeks:
        title = "Finish it and show it"
    else:
        title = "Decide and begin" if number == 1 else f"Build part {number}"
    return {"title": title, "description": "At its end there is something to show."}


def _decide(brief: Brief, about: str) -> dict[str, Any]:
    first = "You write in three sentences what it is, who it is for and what it has to do"
    rows = [_row(first, "written"), _row("You list the parts that it needs, one a line", "written")]
    if brief.level == Level.BEGINNER:
        rows.append(
            _row("You name two words about it that you looked up, each explained", "written")
        )
    return _task("Write down what it has to do", f"The project: “{about}”.", rows)


def _build(number: int, about: str) -> dict[str, Any]:
    rows = [
        _row(f"Part {number} is pasted or visible on the screen", "shown"),
        _row(f"You say what part {number} does for “{about}”", "written"),
    ]
    return _task(f"Make part {number}", "Take the next part of your list and make it.", rows)


def _try_out(number: int) -> dict[str, Any]:
    rows = [
        _row(f"You describe one thing that went wrong with part {number} when tried", "written"),
        _row("The changed version is pasted or visible on the screen", "shown"),
    ]
    return _task(f"Try out part {number} and improve it", "Use it once as others would.", rows)


def _show(brief: Brief, about: str) -> dict[str, Any]:
    rows = [_row(f"The finished work for “{about}” is pasted or visible on the screen", "shown")]
    rows += [_row(f"It shows “{name}”, spelled that way", "shown") for name in _names(brief)]
    rows.append(_row("You write what you would do next, in two sentences", "written"))
    return _task("Show the whole of it", "Put the parts together.", rows)


def _task(title: str, description: str, rows: list[dict[str, str]]) -> dict[str, Any]:
    return {"title": title, "description": description, "topics": [], "requirements": rows}


def _row(title: str, kind: str) -> dict[str, str]:
    return {"title": title, "evidenceKind": kind}


def _names(brief: Brief) -> list[str]:
    """Names that the student put in quotation marks."""
    found = ("".join(groups).strip() for groups in _NAMED.findall(brief.description))
    return list(dict.fromkeys(name for name in found if name))[:MOST_NAMES]


def _excerpt(text: str) -> str:
    """The student's first sentence, cut at a word, without marks that would end a quotation."""
    line = " ".join(re.sub(r"[\"`“”„«»<>]", "", text).split())
    first = re.split(r"(?<=[.!?])\s", line)[0].rstrip(".!? ")
    if len(first) <= LONGEST_EXCERPT:
        return first or line[:LONGEST_EXCERPT] or "the project"
    cut = first[:LONGEST_EXCERPT].rsplit(None, 1)[0].rstrip(",;:-")
    return cut or first[:LONGEST_EXCERPT]
