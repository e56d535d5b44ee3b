"""Examples of plans for the API's documentation."""

NOON = "2026-03-02T12:00:00Z"
ROW_ID = "0b1f7a52-6c1e-4c39-9d0c-2f3f5b1e7a01"
ROW_TITLE = 'Sets the option "history-limit" to 50000'
CHECK_ID = "7d0a3f8e-51c2-4b7f-a6de-90c4b8f2d302"
ACTION_ID = "3c5e9f10-8a4b-4f6d-b2a7-1e0d9c8b7a03"

CHECKED = {
    "id": ACTION_ID,
    "title": "Configure the terminal",
    "description": "Give the terminal a history that is long enough to search.",
    "status": "completed",
    "specVersion": 2,
    "hours": 2,
    "topics": ["shell"],
    "dependsOn": [],
    "requirements": [{"id": ROW_ID, "title": ROW_TITLE, "evidenceKind": "shown", "origin": "plan"}],
    "completion": {
        "how": "checked",
        "judgeKind": "gemini",
        "byRules": False,
        "staffRows": 0,
        "confirmedAt": NOON,
        "checkId": CHECK_ID,
        "auditMissing": False,
        "label": "checked",
    },
}
SELF_REPORTED = {
    **CHECKED,
    "completion": {
        "how": "self_reported",
        "judgeKind": "",
        "byRules": False,
        "staffRows": 0,
        "confirmedAt": NOON,
        "checkId": None,
        "auditMissing": False,
        "label": "self-reported",
    },
}
PLAN = {
    "id": "9e8d7c6b-5a49-4838-a271-60f5e4d3c204",
    "title": "A tidy workshop",
    "goal": "Work in the terminal without looking things up.",
    "hoursPerWeek": 6,
    "targetDate": "2026-03-30",
    "completedAt": NOON,
    "createdAt": "2026-02-01T09:30:00Z",
    "progress": {"total": 1, "done": 1, "checked": 1, "selfReported": 0},
    "weeks": [
        {
            "id": "5f4e3d2c-1b0a-4998-8776-655443322105",
            "number": 1,
            "title": "Set up",
            "description": "",
            "completedAt": NOON,
            "actions": [CHECKED],
        }
    ],
}
CHANGE_STATUS = {"status": "completed", "confirmed": True}

OPEN = {**CHECKED, "status": "not_started", "completion": None}
EDITED = {**OPEN, "title": "Configure the shared terminal", "specVersion": 5}
EDIT_TASK = {
    "title": "Configure the shared terminal",
    "description": "Give it a history that is long enough to search.",
    "requirements": [{"id": ROW_ID, "title": ROW_TITLE, "evidenceKind": "shown"}],
    "specVersion": 4,
}
MOVE_TASK = {"after": None, "closeWeek": False}
ADD_TASK = {
    "title": "Label the cables",
    "description": "One label at each end.",
    "requirements": [{"title": "Shows both ends of one cable", "evidenceKind": "shown"}],
}
DROP_TASK = {"closeWeek": False}
EDIT = {
    "id": "8c7b6a59-4837-4625-9140-3f2e1d0c9b06",
    "kind": "edited",
    "at": NOON,
    "by": "student@example.org",
    "specVersion": 5,
    "changes": [
        {
            "what": "Title",
            "before": "Configure the terminal",
            "after": "Configure the shared terminal",
        }
    ],
}
DROPPED = {
    **EDIT,
    "kind": "dropped",
    "changes": [{"what": "Week", "before": "Week 1 — Set up", "after": ""}],
}
