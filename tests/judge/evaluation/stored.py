"""Stored checks for tests of replay and export: CheckRuns that are not in the database."""

import datetime
import uuid
from typing import Any

from django.contrib.auth.models import User

from judge.models import CheckRun

NOW = datetime.datetime(2026, 11, 30, 14, 32, tzinfo=datetime.UTC)


def make_evidence_json(
    *said: tuple[str, str], rows: tuple[str, ...] = ("Ask seven riders",), **changes: Any
) -> dict[str, Any]:
    """What a CheckRun keeps of its evidence."""
    task = {
        "title": "Ask riders",
        "description": "Ask seven riders what they miss.",
        "weekNumber": 2,
        "weekTitle": "Listen",
        "weekDescription": "",
        "rows": [
            {
                "key": f"r{place}",
                "id": str(uuid.uuid5(uuid.NAMESPACE_OID, title)),
                "title": title,
                "evidenceKind": "either",
                "origin": "plan",
            }
            for place, title in enumerate(rows, start=1)
        ],
    }
    turns = [
        {"number": number, "role": role, "text": text, "sentAt": NOW.isoformat()}
        for number, (role, text) in enumerate(said, start=1)
    ]
    return {"task": task, "turns": turns, "omitted": 0, "frames": [], **changes}


def make_run(evidence: dict[str, Any], *statuses: str, **changes: Any) -> CheckRun:
    """A check with these statuses of its rows."""
    rows = (evidence.get("task") or {}).get("rows", [])
    run = CheckRun(
        action_id=uuid.uuid4(),
        student=User(username="anna@example.org", email="anna@example.org", first_name="Anna"),
        trigger="check",
        outcome="passed" if set(statuses) == {"met"} else "failed",
        checklist=[
            {"id": row["id"], "title": row["title"], "status": status, "note": "", "evidence": []}
            for row, status in zip(rows, statuses, strict=False)
        ],
        spec_version=3,
        judge_kind="gemini",
        model="gemini-old",
        prompt_version=1,
        created_at=NOW,
    )
    run.evidence = evidence
    for name, value in changes.items():
        setattr(run, name, value)
    return run
