"""Strict parsing: what is not exactly an answer to the question is refused."""

import json

import pytest

from judge.answer import BadAnswer, parse_answer
from tests.fakes.brain import answer
from tests.judge.evidence import make_task

TASK = make_task(("First", "written"), ("Second", "shown"))
GOOD = answer("met", "not_shown", text="words")


def test_a_good_answer():
    parsed = parse_answer(json.dumps(GOOD), TASK)
    assert [row.status for row in parsed.rows] == ["met", "not_shown"]


def altered(path, value):
    data = json.loads(json.dumps(GOOD))
    *steps, last = path
    inner = data
    for step in steps:
        inner = inner[step]
    inner[last] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    "path, value",
    [
        (["allMet"], "true"),
        (["allMet"], 1),
        (["allMet"], None),
        (["extra"], True),
        (["rows"], {}),
        (["rows"], None),
        (["rows", 0, "status"], "done"),
        (["rows", 0, "status"], "MET"),
        (["rows", 0, "status"], True),
        (["rows", 0, "status"], None),
        (["rows", 0, "note"], None),
        (["rows", 0, "note"], 7),
        (["rows", 0, "id"], 1),
        (["rows", 0, "evidence"], None),
        (["rows", 0, "evidence"], "words"),
        (["rows", 0, "evidence"], [{"turn": "1", "quote": "words"}]),
        (["rows", 0, "evidence"], [{"turn": True, "quote": "words"}]),
        (["rows", 0, "evidence"], [{"turn": 1.0, "quote": "words"}]),
        (["rows", 0, "evidence"], [{"turn": 1, "quote": ""}]),
        (["rows", 0, "evidence"], [{"turn": 1}]),
        (["rows", 0, "evidence"], [{"turn": 1, "quote": "words", "frame": 1}]),
        (["rows", 0, "met"], True),
    ],
)
def test_wrong_types_and_fields(path, value):
    with pytest.raises(BadAnswer) as refusal:
        parse_answer(altered(path, value), TASK)
    assert refusal.value.code == "wrong_form"


@pytest.mark.parametrize(
    "keys", [["r1"], ["r1", "r1"], ["r1", "r2", "r3"], ["r1", "r2", "r2"], ["r1", "R2"], []]
)
def test_unknown_doubled_and_missing_rows(keys):
    rows = [{"id": key, "evidence": [], "note": "", "status": "not_shown"} for key in keys]
    with pytest.raises(BadAnswer) as refusal:
        parse_answer(json.dumps({"rows": rows, "allMet": False}), TASK)
    assert refusal.value.code == "wrong_rows"


@pytest.mark.parametrize(
    "text, code",
    [
        ("", "not_json"),
        ("You are done.", "not_json"),
        (json.dumps(GOOD)[:-1], "not_json"),
        (json.dumps(GOOD) * 2, "not_json"),
        (f"```json\n{json.dumps(GOOD)}\n```", "not_json"),
        (json.dumps(GOOD).replace("false", "NaN"), "not_json"),
        ("[" * 100_000, "not_json"),
        *(("[" * depth + "]" * depth, "not_json") for depth in (950, 700, 20_000)),
        ("null", "wrong_form"),
        (json.dumps([GOOD]), "wrong_form"),
        (json.dumps(GOOD)[:-1] + ', "allMet": true}', "doubled_key"),
        (
            json.dumps(GOOD).replace('"status": "met"', '"status": "not_met", "status": "met"'),
            "doubled_key",
        ),
    ],
)
def test_not_one_json_object(text, code):
    with pytest.raises(BadAnswer) as refusal:
        parse_answer(text, TASK)
    assert refusal.value.code == code


def test_control_the_usual_parser_keeps_the_last_of_doubled_keys():
    text = json.dumps(GOOD)[:-1] + ', "allMet": true}'
    assert json.loads(text)["allMet"] is True


def test_unstorable_characters_are_replaced():
    text = altered(["rows", 0, "note"], "a\x00b\ud800c")
    assert parse_answer(text, TASK).rows[0].note == "a\ufffdb\ufffdc"
