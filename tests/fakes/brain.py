"""A believable model for the fake server: judges by words, chats in a sentence, summarises.

It sees only the request, as a model would: it reads the judge's prompt.
"""

import re
from typing import Any

from tests.fakes import replies
from tests.fakes.gemini import FakeRequest
from tests.fakes.replies import Reply

_TURN = re.compile(r'<turn number="(\d+)" by="student"[^>]*>\n(.*?)\n</turn>', re.DOTALL)
_ROW = re.compile(r"^(r\d+) \(evidence (\w+)\): (.*)$", re.MULTILINE)
_WORD = re.compile(r"\w{4,}")


def think(request: FakeRequest) -> Reply:
    properties = (request.schema or {}).get("properties", {})
    if "rows" in properties:
        return replies.json(judge(request.text))
    if "made" in properties:
        return replies.json({"made": "A first version.", "decided": "", "left_open": ""})
    if "lines" in properties:
        line = {"title": "You show what you found in one picture", "evidence_kind": "shown"}
        return replies.json({"lines": [line]})
    return chat(request)


def judge(text: str) -> dict[str, Any]:
    """Met when one student turn holds half of the longer words of the row."""
    turns = [(int(number), words) for number, words in _TURN.findall(text)]
    rows = [_judge_row(key, title, turns) for key, _, title in _ROW.findall(text)]
    return {"rows": rows, "allMet": all(row["status"] == "met" for row in rows)}


def answer(*statuses: str, text: str = "", all_met: bool | None = None) -> dict[str, Any]:
    """An answer with these statuses for r1, r2, ...; met rows cite `text` as turn 1."""
    rows = [
        {
            "id": f"r{number}",
            "evidence": [{"turn": 1, "quote": text}] if status == "met" else [],
            "note": f"A note on row {number}.",
            "status": status,
        }
        for number, status in enumerate(statuses, start=1)
    ]
    says = all(status == "met" for status in statuses) if all_met is None else all_met
    return {"rows": rows, "allMet": says}


def chat(request: FakeRequest) -> Reply:
    """Signals when the student says "done", as models love to; then says a sentence."""
    contents = request.body.get("contents", [])
    last = contents[-1]["parts"] if contents else []
    if any("done" in part.get("text", "").lower() for part in last):
        return replies.tool_call("mark_task_completed", {"reason": "They say so."}, "call-1")
    if any("function_response" in part for part in last):
        return replies.text("That looks ready. Run the completion check, then tap Mark complete.")
    return replies.text("What did you find so far? Paste what you have.")


def _judge_row(key: str, title: str, turns: list[tuple[int, str]]) -> dict[str, Any]:
    wanted = set(_WORD.findall(title.lower()))
    for number, words in reversed(turns):
        if len(wanted & set(_WORD.findall(words.lower()))) * 2 >= len(wanted) > 0:
            quote = words.strip().splitlines()[0]
            evidence = [{"turn": number, "quote": quote}]
            return {"id": key, "evidence": evidence, "note": "You wrote it.", "status": "met"}
    return {"id": key, "evidence": [], "note": "You have not shown this.", "status": "not_shown"}
