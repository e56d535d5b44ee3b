"""Evidence made from a case, as the product makes it from a session: same cap, same form."""

import datetime
import uuid

from elivio.text import clean_text
from judge.evaluation.cases import Case, CaseFrame
from judge.evaluation.pictures import read_picture
from judge.evidence import Evidence, Frame, Row, Task, Turn, cap_turns

BEGAN_AT = datetime.datetime(2026, 1, 5, 9, 0, tzinfo=datetime.UTC)
TURN = datetime.timedelta(minutes=1)


def make_evidence(case: Case) -> Evidence:
    """What a judge is given of a case. Labels, note and reference are not in it."""
    turns = tuple(
        Turn(number, turn.role, clean_text(turn.text), BEGAN_AT + number * TURN)
        for number, turn in enumerate(case.transcript, start=1)
    )
    kept, omitted = cap_turns(turns, total=len(turns))
    frames = tuple(_make_frame(number, frame) for number, frame in enumerate(case.frames, start=1))
    return Evidence(task=_make_task(case), turns=kept, omitted=omitted, frames=frames)


def _make_task(case: Case) -> Task:
    action_id = uuid.uuid5(uuid.NAMESPACE_URL, f"judge-case:{case.file}/{case.id}")
    rows = tuple(
        Row(
            key=f"r{place}",
            id=uuid.uuid5(action_id, row.id or str(place)),
            title=clean_text(row.title),
            evidence_kind=row.evidence_kind,
            origin=row.origin,
        )
        for place, row in enumerate(case.requirements, start=1)
    )
    return Task(
        action_id=action_id,
        spec_version=1,
        title=clean_text(case.task_title),
        description=clean_text(case.task_description),
        week_number=case.week.number if case.week else 1,
        week_title=clean_text(case.week.title) if case.week else "",
        week_description=clean_text(case.week.description) if case.week else "",
        rows=rows,
    )


def _make_frame(number: int, frame: CaseFrame) -> Frame:
    picture = read_picture(frame.data)
    is_black = picture.is_black if frame.is_black is None else frame.is_black
    return Frame(number, picture.jpeg, frame.age_seconds, is_black)
