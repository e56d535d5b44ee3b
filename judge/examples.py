"""Examples of checks for the API's documentation."""

from plans.examples import CHECK_ID, NOON, ROW_ID, ROW_TITLE

_NOTE = "You have not shown the line in your configuration yet."

FAILED = {
    "id": CHECK_ID,
    "outcome": "failed",
    "reason": "",
    "requirements": [
        {
            "id": ROW_ID,
            "title": ROW_TITLE,
            "status": "not_shown",
            "met": False,
            "note": _NOTE,
            "evidence": [],
        }
    ],
    "allMet": False,
    "blockers": [f"{ROW_TITLE}: {_NOTE}"],
    "summary": "Not there yet.",
    "specVersion": 2,
    "createdAt": NOON,
    "isStuck": False,
    "judgeKind": "gemini",
}
PASSED = {
    **FAILED,
    "outcome": "passed",
    "requirements": [
        {
            "id": ROW_ID,
            "title": ROW_TITLE,
            "status": "met",
            "met": True,
            "note": "You have shown the line.",
            "evidence": [{"turn": 3, "quote": "set -g history-limit 50000", "sentAt": NOON}],
        }
    ],
    "allMet": True,
    "blockers": [],
    "summary": "Everything is there. Tap Mark complete to finish this task.",
}
LATEST = {**FAILED, "stale": False}

_REPORTED = {"requirementId": ROW_ID, "message": "The line stands in my third message."}
REPORT_ASKED = {**_REPORTED, "sharePictures": False}
REPORT = {
    "id": "1a2b3c4d-5e6f-4708-8192-a3b4c5d6e706",
    "checkId": CHECK_ID,
    "createdAt": NOON,
    "picturesShared": 0,
    **_REPORTED,
}
