"""Case files: what is read, what is refused and where; what was written is read again."""

import base64
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image, ImageDraw

from judge.evaluation.cases import (
    BadCases,
    Case,
    CaseFrame,
    CaseRow,
    CaseTurn,
    CaseWeek,
    read_cases,
    write_case,
)
from judge.evaluation.pictures import read_picture
from sessions.images import clean_image
from tests.judge.evaluation.making import LINE, make_case, write_lines


def draw(
    size: tuple[int, int] = (60, 40), colour: str = "white", mode: str = "RGB", kind: str = "PNG"
) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, colour).save(out, kind)
    return out.getvalue()


def read_one(folder: Path, **changes: object) -> Case:
    [case] = read_cases([write_lines(folder / "own.jsonl", {**LINE, **changes})])
    return case


def refuse(folder: Path, *lines: dict | str) -> str:
    """What is said of a file with these lines."""
    with pytest.raises(BadCases) as caught:
        read_cases([write_lines(folder / "own.jsonl", *lines)])
    return str(caught.value)


def test_the_shared_form_is_read(tmp_path: Path) -> None:
    case = read_one(tmp_path, reference="a model answer")
    assert (case.id, case.file, case.reference) == ("riders", "own", "a model answer")
    assert case.transcript == (CaseTurn("student", LINE["transcript"][0]["text"]),)
    assert case.requirements == (CaseRow("Ask seven riders", True, "", "either", "plan"),)
    assert (case.week, case.frames, case.all_met_label) == (None, (), True)


def test_every_field_comes_back_as_it_was_written(tmp_path: Path) -> None:
    case = make_case(
        requirements=(
            CaseRow("Shows “Open”", False, "r1", "shown", "agreed"),
            CaseRow("Says why", None, "r2", "written"),
        ),
        transcript=(CaseTurn("tool", "a\u2028b\x85c"), CaseTurn("copilot", "")),
        week=CaseWeek(3, "Third", "About it"),
        frames=(CaseFrame(draw(), 20), CaseFrame(draw(), 700, is_black=True)),
        kind="build",
        tags=("hard", "frames"),
        twin_of="other",
        attack="pity",
        note="A note",
        reference="A reference",
    )
    path = tmp_path / "own.jsonl"
    path.write_text(write_case(case) + write_case(replace(case, id="second")), encoding="utf-8")
    assert read_cases([path]) == [case, replace(case, id="second")]


@pytest.mark.parametrize(
    ("labels", "done"),
    [
        ((True, True), True),
        ((True, False), False),
        ((True, None), None),
        ((None, False), False),
    ],
)
def test_done_is_what_the_labels_add_up_to(labels: tuple, done: bool | None) -> None:
    assert make_case(*labels).all_met_label is done


@pytest.mark.parametrize(
    ("week", "read"),
    [
        ("Second steps", CaseWeek(1, "Second steps")),
        ({"number": 2, "title": "Second"}, CaseWeek(2, "Second")),
    ],
)
def test_a_week_is_a_title_or_an_object(tmp_path: Path, week: object, read: CaseWeek) -> None:
    assert read_one(tmp_path, week=week).week == read


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"id": 7}, "id: Input should be a valid string"),
        ({"id": ""}, "id: String should have at least 1 character"),
        ({"transcript": [{"role": "teacher", "text": ""}]}, "transcript.0.role"),
        ({"transcript": [{"role": "student"}]}, "transcript.0.text: Field required"),
        ({"transcript": [{"role": "student", "text": "", "at": 1}]}, "transcript.0.at: Extra"),
        ({"requirements": []}, "requirements: List should have at least 1 item"),
        ({"requirements": [{"title": "a", "met_label": 1}]}, "met_label"),
        ({"requirements": [{"title": "a", "met_label": True, "kind": "b"}]}, "kind: Extra"),
        ({"all_met_label": False}, "all_met_label is not what the labels"),
        ({"all_met_label": None}, "all_met_label is not what the labels"),
        ({"frames": [{"age_seconds": 5}]}, "either data (base64) or a path"),
        ({"frames": [{"data": "not base64"}]}, "the picture of a frame cannot be read"),
        ({"frames": [{"data": "AAAA"}]}, "the picture of a frame cannot be read"),
        ({"frames": [{"path": "missing.png"}]}, "the picture of a frame cannot be read"),
        ({"frames": [{"path": "../own.png"}]}, "outside the folder"),
        ({"frames": [{"data": "AAAA", "age_seconds": -1}]}, "frames.0.age_seconds"),
        ({"week": 3}, "week"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, changes: dict, says: str) -> None:
    said = refuse(tmp_path, LINE, {**LINE, "id": "second", **changes})
    assert f"{tmp_path / 'own.jsonl'}:2: " in said
    assert says in said


@pytest.mark.parametrize("field", sorted(LINE))
def test_no_field_may_be_missing(tmp_path: Path, field: str) -> None:
    line = {name: value for name, value in LINE.items() if name != field}
    assert f":1: {field}: Field required" in refuse(tmp_path, line)


def test_two_requirements_with_one_id_are_refused(tmp_path: Path) -> None:
    row = {**LINE["requirements"][0], "id": "r1"}
    assert "same id" in refuse(tmp_path, {**LINE, "requirements": [row, row]})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "this line is not JSON"),
        ("[]", "not a JSON object"),
        ('{"id": "a", "id": "b"}', "a name stands twice"),
    ],
)
def test_a_line_that_is_no_object_is_refused(tmp_path: Path, line: str, says: str) -> None:
    said = refuse(tmp_path, LINE, "", line)
    assert ":3: " in said and says in said


def test_an_id_stands_once_in_a_file(tmp_path: Path) -> None:
    assert ':2: the id "riders" stands twice' in refuse(tmp_path, LINE, LINE)
    one, two = (write_lines(tmp_path / name, LINE) for name in ("a.jsonl", "b.jsonl"))
    assert [case.file for case in read_cases([one, two, one])] == ["a", "b"]


def test_all_faults_of_all_files_are_said_at_once(tmp_path: Path) -> None:
    files = [write_lines(tmp_path / f"{name}.jsonl", {**LINE, "id": 1}) for name in "ab"]
    with pytest.raises(BadCases) as caught:
        read_cases([*files, tmp_path / "missing.jsonl"])
    places = [fault.split(": ")[0] for fault in caught.value.faults]
    assert [Path(place).name for place in places] == ["a.jsonl:1", "b.jsonl:1", "missing.jsonl"]


def test_a_file_of_something_else_is_passed_over_with_a_sentence(tmp_path: Path) -> None:
    other = write_lines(tmp_path / "scores.jsonl", {"id": "a", "question": "?", "human_score": 1})
    cases, said = write_lines(tmp_path / "own.jsonl", LINE), []
    assert len(read_cases([other, cases], said.append)) == 1
    assert said == [
        "scores.jsonl is passed over: its lines hold no transcript and no requirements."
    ]


def test_an_unknown_field_is_said_and_metadata_is_not(tmp_path: Path) -> None:
    said: list[str] = []
    line = {**LINE, "score": 1, "metadata": {"page": 4}}
    read_cases([write_lines(tmp_path / "own.jsonl", line)], said.append)
    assert said == ["own.jsonl has fields that are not read: score."]


def test_the_example_of_the_documentation_is_a_case(tmp_path: Path) -> None:
    page = (settings.BASE_DIR / "docs/judge_cases.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / "own.jsonl"
    path.write_text(example, encoding="utf-8")
    said: list[str] = []
    [case] = read_cases([path], said.append)
    assert case.kind == "configure" and not said


def test_every_field_is_documented() -> None:
    page = (settings.BASE_DIR / "docs/judge_cases.md").read_text(encoding="utf-8")
    marked = set(re.findall(r"`(\w+)`", page)) | set(re.findall(r'"(\w+)":', page))
    values = (Case, CaseRow, CaseTurn, CaseFrame, CaseWeek)
    fields = {name for value in values for name in value.__dataclass_fields__}
    assert fields - {"file"} | {"all_met_label", "metadata", "path"} <= marked


class TestPictures:
    def test_from_a_file_beside_the_cases(self, tmp_path: Path) -> None:
        (tmp_path / "pictures").mkdir()
        (tmp_path / "pictures" / "one.png").write_bytes(draw())
        case = read_one(tmp_path, frames=[{"path": "pictures/one.png", "age_seconds": 9}])
        assert case.frames == (CaseFrame(draw(), 9, None),)

    def test_from_the_line_itself(self, tmp_path: Path) -> None:
        data = base64.b64encode(draw()).decode()
        case = read_one(tmp_path, frames=[{"data": data, "is_black": True}])
        assert case.frames == (CaseFrame(draw(), 5, True),)

    @pytest.mark.parametrize(
        "data",
        [
            draw(),
            draw(colour="black"),
            draw(kind="JPEG", colour="red"),
            draw((2000, 300), kind="WEBP"),
            draw(mode="RGBA", colour="#00000000"),
            draw(mode="1", colour=0),
            draw(mode="P", colour=0),
        ],
    )
    def test_they_become_what_the_product_makes_of_them(self, data: bytes) -> None:
        ours, products = read_picture(data), clean_image(data)
        assert ours.is_black is products.is_black
        sizes = [Image.open(io.BytesIO(jpeg)).size for jpeg in (ours.jpeg, products.jpeg)]
        assert sizes[0] == sizes[1]

    def test_one_line_of_a_terminal_is_not_black(self) -> None:
        image = Image.new("RGB", (800, 600), "black")
        ImageDraw.Draw(image).line((10, 10, 200, 10), fill="white")
        out = io.BytesIO()
        image.save(out, "PNG")
        assert not read_picture(out.getvalue()).is_black
        assert not clean_image(out.getvalue()).is_black
