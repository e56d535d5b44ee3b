"""Examples of plan drafts for the API's documentation."""

from typing import Any

DRAFT_ID = "4b7c1d90-6e2f-4a85-9c13-d0e8f7a6b506"
BRIEF: dict[str, Any] = {
    "description": "A page for our garden club that shows what grows in which bed, with a form "
    "called “Report a pest”.",
    "hoursPerWeek": 4,
    "weeks": 1,
    "level": "beginner",
    "targetDate": "2027-03-30",
}
PROPOSAL: dict[str, Any] = {
    "title": "A page for the garden club",
    "goal": "Everybody in the club sees what grows where.",
    "weeks": [
        {
            "title": "From list to page",
            "description": "It ends in a page that lists the beds.",
            "tasks": [
                {
                    "key": "t1",
                    "title": "List the beds",
                    "description": "Write down every bed and what grows in it.",
                    "hours": 1,
                    "topics": ["tables"],
                    "dependsOn": [],
                    "requirements": [
                        {"title": "The list has at least five beds", "evidenceKind": "shown"}
                    ],
                },
                {
                    "key": "t2",
                    "title": "Build the form",
                    "description": "Make a page with the beds and a form for pests.",
                    "hours": 3,
                    "topics": ["forms"],
                    "dependsOn": ["t1"],
                    "requirements": [
                        {"title": "The form is called “Report a pest”", "evidenceKind": "shown"}
                    ],
                },
            ],
        }
    ],
}
REVIEW = {
    "outcome": "findings",
    "findings": [
        {
            "criterion": "checkable",
            "problem": "You could mean any list. Say which columns it has.",
            "week": 1,
            "task": 1,
            "requirement": 1,
            "quote": "at least five beds",
            "code": "",
        }
    ],
    "standings": {
        "checkable": "found",
        "platform": "held",
        "exact_names": "held",
        "load": "held",
        "builds": "held",
        "show": "held",
    },
    "judgeKind": "gemini",
    "reason": "",
    "isEdited": False,
}
ASKED = {"id": DRAFT_ID, "state": "asked"}
DRAFT = {
    "id": DRAFT_ID,
    "state": "ready",
    "sentence": "Your plan is ready. Change what you like, then accept it. The review left 1 point "
    "open.",
    "reason": "",
    "brief": {**BRIEF, "startsOn": "2027-03-01"},
    "round": 2,
    "version": 3,
    "proposal": PROPOSAL,
    "review": REVIEW,
    "madeBy": "gemini",
    "byRules": False,
    "planId": None,
    "createdAt": "2027-03-01T12:00:00Z",
    "updatedAt": "2027-03-01T12:01:30Z",
}
EDIT = {"version": 3, "proposal": PROPOSAL}
ACCEPTED = {"planId": "9e8d7c6b-5a49-4838-a271-60f5e4d3c204"}
DROPPED = {"id": DRAFT_ID, "dropped": True}
