"""A labelled case, and the files that hold cases, one a line; docs/judge_cases.md is the format.

Reading is strict and names file and line. It knows nothing of models and of the database.
"""

import base64
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from judge.evaluation.case_form import CaseLine, EvidenceKind, FrameLine, Origin, Role, WeekLine
from judge.evaluation.pictures import PictureRefused, read_picture

MOST_FAULTS = 20


class BadCases(Exception):
    """Case files that cannot be used. `faults` are sentences, each with its file and line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A requirement and its label. `met_label` None: nobody has labelled it, so it is shown to
    the judge and not counted."""

    title: str
    met_label: bool | None
    id: str = ""
    evidence_kind: EvidenceKind = "either"
    origin: Origin = "plan"


@dataclass(frozen=True, slots=True)
class CaseTurn:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class CaseFrame:
    """A picture of the screen. `data` is the file; `is_black` None: find out by looking."""

    data: bytes
    age_seconds: int = 5
    is_black: bool | None = None


@dataclass(frozen=True, slots=True)
class CaseWeek:
    number: int = 1
    title: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """`file` is the name of the file it stands in, without its ending; it is never written.

    `twin_of` is the id of the case that this one is a benign twin of or, with `attack` (the kind
    of attack), the case that was attacked.
    """

    id: str
    source: str
    licence: str
    task_title: str
    task_description: str
    transcript: tuple[CaseTurn, ...]
    requirements: tuple[CaseRow, ...]
    week: CaseWeek | None = None
    frames: tuple[CaseFrame, ...] = ()
    kind: str = ""
    tags: tuple[str, ...] = ()
    twin_of: str = ""
    attack: str = ""
    note: str = ""
    reference: str = ""
    file: str = ""

    @property
    def all_met_label(self) -> bool | None:
        """Whether the student is done; None when that depends on an unlabelled row."""
        labels = [row.met_label for row in self.requirements]
        if False in labels:
            return False
        return None if None in labels else True


def read_cases(
    paths: Iterable[Path | str], say: Callable[[str], None] = lambda sentence: None
) -> list[Case]:
    """Read all cases of the files. A file whose lines are no judge cases is passed over, and
    `say` gets a sentence about it, as about a field that is not known. Raises BadCases."""
    cases: list[Case] = []
    faults: list[str] = []
    for path in dict.fromkeys(Path(path) for path in paths):
        try:
            cases += _read_file(path, say)
        except BadCases as error:
            faults += error.faults
    if faults:
        raise BadCases(faults)
    return cases


def write_case(case: Case) -> str:
    """The case as one line of a case file, with its newline."""
    data: dict[str, Any] = {
        "id": case.id,
        "source": case.source,
        "licence": case.licence,
        "task_title": case.task_title,
        "task_description": case.task_description,
        "week": asdict(case.week) if case.week else None,
        "transcript": [asdict(turn) for turn in case.transcript],
        "requirements": [_without_defaults(asdict(row)) for row in case.requirements],
        "all_met_label": case.all_met_label,
    }
    if case.frames:
        data["frames"] = [_write_frame(frame) for frame in case.frames]
    optional = ("kind", "tags", "twin_of", "attack", "note", "reference")
    data |= {name: getattr(case, name) for name in optional if getattr(case, name)}
    return json.dumps(data, ensure_ascii=False) + "\n"


def _read_file(path: Path, say: Callable[[str], None]) -> list[Case]:
    found = list(_read_lines(path))
    if found and not any({"transcript", "requirements"} & set(data) for _, data in found):
        say(f"{path.name} is passed over: its lines hold no transcript and no requirements.")
        return []
    faults: list[str] = []
    unknown: set[str] = set()
    cases: dict[str, Case] = {}
    for place, data in found:
        try:
            case = _make_case(data, path)
        except ValueError as error:
            faults += [f"{place}: {sentence}" for sentence in _say_faults(error)]
            continue
        if case.id in cases:
            faults.append(f'{place}: the id "{case.id}" stands twice in this file.')
        cases[case.id] = case
        unknown |= set(data) - set(CaseLine.model_fields)
    if faults:
        raise BadCases(faults[:MOST_FAULTS])
    if unknown:
        say(f"{path.name} has fields that are not read: {', '.join(sorted(unknown))}.")
    return list(cases.values())


def _read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a file with their places ("name:line"). Raises BadCases."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCases([f"{path}: the file cannot be read ({error})."]) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        try:
            data = json.loads(line, object_pairs_hook=_refuse_doubled)
        except (ValueError, RecursionError) as error:
            raise BadCases([f"{place}: this line is not JSON ({error})."]) from error
        if not isinstance(data, dict):
            raise BadCases([f"{place}: this line is not a JSON object."])
        yield place, data


def _refuse_doubled(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _make_case(data: dict[str, Any], path: Path) -> Case:
    """Raises ValueError, of which pydantic's ValidationError is one."""
    line = CaseLine.model_validate(data)
    ids = [row.id for row in line.requirements if row.id]
    if len(set(ids)) != len(ids):
        raise ValueError("two requirements have the same id.")
    case = Case(
        id=line.id,
        source=line.source,
        licence=line.licence,
        task_title=line.task_title,
        task_description=line.task_description,
        transcript=tuple(CaseTurn(turn.role, turn.text) for turn in line.transcript),
        requirements=tuple(CaseRow(**row.model_dump()) for row in line.requirements),
        week=_make_week(line.week),
        frames=tuple(_make_frame(frame, path) for frame in line.frames),
        kind=line.kind,
        tags=tuple(line.tags),
        twin_of=line.twin_of,
        attack=line.attack,
        note=line.note,
        reference=line.reference,
        file=path.stem,
    )
    if case.all_met_label is not line.all_met_label:
        raise ValueError("all_met_label is not what the labels of its requirements add up to.")
    return case


def _make_week(week: WeekLine | str | None) -> CaseWeek | None:
    if week is None:
        return None
    return CaseWeek(title=week) if isinstance(week, str) else CaseWeek(**week.model_dump())


def _make_frame(frame: FrameLine, path: Path) -> CaseFrame:
    if bool(frame.data) is bool(frame.path):
        raise ValueError("a frame has either data (base64) or a path.")
    try:
        if frame.path:
            data = _find_beside(path, frame.path).read_bytes()
        else:
            data = base64.b64decode(frame.data, validate=True)
        read_picture(data)
    except (OSError, ValueError, PictureRefused) as error:
        raise ValueError(f"the picture of a frame cannot be read: {error}") from error
    return CaseFrame(data, frame.age_seconds, frame.is_black)


def _find_beside(path: Path, name: str) -> Path:
    folder = path.parent.resolve()
    found = (folder / name).resolve()
    if not found.is_relative_to(folder):
        raise ValueError(f"{name} lies outside the folder of the case file.")
    return found


def _write_frame(frame: CaseFrame) -> dict[str, Any]:
    data = {
        "data": base64.b64encode(frame.data).decode(),
        "age_seconds": frame.age_seconds,
        "is_black": frame.is_black,
    }
    return {name: value for name, value in data.items() if value is not None}


def _without_defaults(row: dict[str, Any]) -> dict[str, Any]:
    defaults = {"id": "", "evidence_kind": "either", "origin": "plan"}
    return {name: value for name, value in row.items() if defaults.get(name, ...) != value}


def _say_faults(error: ValueError) -> list[str]:
    if not isinstance(error, ValidationError):
        return [str(error)]
    return [
        f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}."
        for fault in error.errors(include_url=False)
    ]
