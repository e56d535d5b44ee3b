"""Proposals, judge's answers and briefs for the tests of plan making."""

import copy
import datetime
import json
from typing import Any

from plans.making.brief import Brief, Level
from plans.making.proposal import Proposal
from plans.making.review import JUDGED

TODAY = datetime.date(2027, 3, 1)
ANSWERS: dict[str, Any] = {
    "description": "A sign-out sheet for our film club, with a form called “Borrow an item”.",
    "hours_per_week": 6,
    "weeks": 2,
    "level": "beginner",
    "target_date": None,
}


def make_brief(**changes: Any) -> Brief:
    values = {**ANSWERS, "level": Level.BEGINNER, "starts_on": TODAY, **changes}
    return Brief(**values)


def make_task(key: str, title: str, *rows: str, **changes: Any) -> dict[str, Any]:
    return {
        "key": key,
        "title": title,
        "description": f"About {key}.",
        "hours": 3,
        "topics": ["forms"],
        "dependsOn": [],
        "requirements": [{"title": row, "evidenceKind": "shown"} for row in rows],
        **changes,
    }


def make_data() -> dict[str, Any]:
    """A plan in which nothing is wrong: two weeks, three tasks."""
    first = make_task("t1", "List the items", "The list has at least ten items")
    second = make_task("t2", "Ask two members", "You write what each of them borrows")
    third = make_task("t3", "Build the form", "The form is called “Borrow an item”")
    third["dependsOn"] = ["t1"]
    weeks = [
        {"title": "Know what there is", "description": "", "tasks": [first, second]},
        {"title": "The form", "description": "It ends in a form.", "tasks": [third]},
    ]
    return {"title": "A sign-out sheet", "goal": "Nothing gets lost.", "weeks": weeks}


def plant_three_faults() -> dict[str, Any]:
    """The same plan with an uncheckable requirement, a platform mechanic and an overloaded week."""
    data = make_data()
    first, second = data["weeks"][0]["tasks"]
    first["requirements"][0]["title"] = "You understand why lists matter"
    second["requirements"][0]["title"] = "You ran the completion check and tapped Mark complete"
    second["hours"] = 14
    return data


def make_proposal(data: dict[str, Any] | None = None) -> Proposal:
    return Proposal.model_validate(data or make_data())


def change(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with the value at a path such as "weeks.0.tasks.0.hours"; ... takes it out."""
    made = copy.deepcopy(data)
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    holder = made
    for part in way:
        holder = holder[part]
    if value is ...:
        del holder[last]
    else:
        holder[last] = value
    return made


def find(week: Any, task: Any, requirement: Any, quote: str, problem: str = "") -> dict[str, Any]:
    return {
        "week": week,
        "task": task,
        "requirement": requirement,
        "quote": quote,
        "problem": problem or "You could put this right.",
    }


def answer(**findings: list[dict[str, Any]]) -> dict[str, Any]:
    """A judge's answer with these findings by criterion; every other one holds."""
    lines = [
        {"id": str(one), "findings": findings.get(one, []), "holds": not findings.get(one)}
        for one in JUDGED
    ]
    return {"criteria": lines}


def as_text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
