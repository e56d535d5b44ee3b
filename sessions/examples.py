"""Examples of sessions for the API's documentation."""

from judge.examples import LATEST, PASSED
from plans.examples import ACTION_ID, CHECKED, NOON, ROW_ID

SESSION_ID = "c0ffee00-1234-4abc-9def-0123456789ab"
TURN_ASKED = {"text": "set -g history-limit 50000", "clientId": "a1f0c3"}
TURN = {
    "id": "2b3c4d5e-6f70-4819-92a3-b4c5d6e7f807",
    "number": 1,
    "role": "student",
    "channel": "text",
    "pinnedAt": None,
    "createdAt": NOON,
    **TURN_ASKED,
}
PINNED = {**TURN, "pinnedAt": NOON}
REPLY = {
    **TURN,
    "id": "3c4d5e6f-7081-492a-a3b4-c5d6e7f80918",
    "number": 2,
    "role": "copilot",
    "text": "Which file does this line stand in, and how do you make it take effect?",
    "clientId": None,
}
TURN_ANSWER = {"turn": TURN, "reply": REPLY, "reason": "", "sentence": ""}

OPENED = {"id": SESSION_ID}
OPEN = {
    "id": SESSION_ID,
    "actionId": ACTION_ID,
    "status": "open",
    "endReason": "",
    "startedAt": NOON,
    "endedAt": None,
}
ENDED = {**OPEN, "status": "ended", "endReason": "student", "endedAt": NOON}
PAGE = {**OPEN, "turns": [TURN, REPLY], "nextBefore": None, "latestCheck": LATEST}

FRAME_ASKED = {"image": "(a JPEG, PNG or WebP file)"}
FRAME = {"receivedAt": NOON}
PICTURE_ASKED = {"image": "(a JPEG, PNG or WebP file)", "requirementId": ROW_ID}
PICTURE_ID = "4d5e6f70-8192-4a3b-b4c5-d6e7f8091a2b"
PICTURE = {
    "id": PICTURE_ID,
    "requirementId": ROW_ID,
    "createdAt": NOON,
    "url": f"/sessions/{SESSION_ID}/pictures/{PICTURE_ID}/",
}
SCREENSHOT_ASKED = {"screenshotBase64": None}
COMPLETED = {"completed": True, "check": PASSED}
CANCELLED = {"completed": False}

AGREED_LINE = {"title": "You show one line you found by searching", "evidenceKind": "shown"}
AGREEMENT_ASKED = {"rows": [AGREED_LINE]}
AGREED = {
    **CHECKED,
    "status": "in_progress",
    "completion": None,
    "requirements": [
        *CHECKED["requirements"],
        {"id": ROW_ID, "origin": "agreed", **AGREED_LINE},
    ],
}
PROPOSAL = {"rows": [AGREED_LINE], "sentence": "", "reason": ""}
MEMORY = {
    "sessionId": SESSION_ID,
    "actionId": ACTION_ID,
    "title": "Configure the terminal",
    "made": "A configuration with a long history.",
    "decided": "history-limit is 50000.",
    "leftOpen": "",
    "createdAt": NOON,
}
