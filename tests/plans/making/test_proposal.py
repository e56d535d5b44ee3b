"""The planner's reply and the student's edits: what fits the form is taken, all else refused."""

import pytest

from plans.making.proposal import SCHEMA, BadProposal, Proposal, parse_proposal
from tests.plans.making.proposals import as_text, change, make_data

GOOD = as_text(make_data())
TASK = "weeks.0.tasks.0"
WRONG_FORM = [
    ("title", ...),
    ("title", " \n "),
    ("title", "x" * 201),
    ("title", 5),
    ("goal", None),
    ("goal", "x" * 2001),
    ("approved", True),
    ("weeks", []),
    ("weeks", {}),
    ("weeks", [make_data()["weeks"][0]] * 27),
    ("weeks.0.tasks", None),
    ("weeks.0.tasks", [make_data()["weeks"][0]["tasks"][0]] * 13),
    ("weeks.0.number", 1),
    (f"{TASK}.key", "T 1"),
    (f"{TASK}.key", ""),
    (f"{TASK}.hours", 0),
    (f"{TASK}.hours", 61),
    (f"{TASK}.hours", "3"),
    (f"{TASK}.hours", 2.5),
    (f"{TASK}.hours", True),
    (f"{TASK}.topics", "forms"),
    (f"{TASK}.topics", [1]),
    (f"{TASK}.topics", ["x"] * 9),
    (f"{TASK}.dependsOn", [None]),
    (f"{TASK}.depends_on", []),
    (f"{TASK}.status", "completed"),
    (f"{TASK}.description", "x" * 4001),
    (f"{TASK}.requirements.0.evidenceKind", "seen"),
    (f"{TASK}.requirements.0.evidenceKind", ...),
    (f"{TASK}.requirements.0.title", "x" * 301),
    (f"{TASK}.requirements.0.met", True),
    (f"{TASK}.requirements", [make_data()["weeks"][0]["tasks"][0]["requirements"][0]] * 11),
]
NOT_JSON = [
    "",
    "Here is your plan.",
    f"```json\n{GOOD}\n```",
    f"{GOOD} {GOOD}",
    GOOD[:-1],
    GOOD.replace("3", "NaN", 1),
    "[" * 100_000,
]


def test_a_good_one_is_taken_as_it_is():
    assert parse_proposal(GOOD).as_json() == make_data()


@pytest.mark.parametrize(("path", "value"), WRONG_FORM)
def test_another_form_is_refused(path, value):
    with pytest.raises(BadProposal) as caught:
        parse_proposal(as_text(change(make_data(), path, value)))
    assert caught.value.code == "wrong_form"


@pytest.mark.parametrize("text", NOT_JSON)
def test_what_is_not_json_is_refused(text):
    with pytest.raises(BadProposal) as caught:
        parse_proposal(text)
    assert caught.value.code == "not_json"


def test_a_doubled_key_is_refused():
    with pytest.raises(BadProposal) as caught:
        parse_proposal(GOOD.replace('"hours": 3', '"hours": 3, "hours": 9', 1))
    assert caught.value.code == "doubled_key"


def test_hostile_text_is_fit_to_be_stored():
    data = change(make_data(), "title", "a\0b \ud800\n c")
    assert parse_proposal(as_text(data)).title == "a\ufffdb \ufffd c"


def test_the_schema_that_the_model_gets_has_every_field_of_the_form():
    names = set(Proposal.model_validate(make_data()).as_json())
    assert set(SCHEMA["properties"]) == names
    task = SCHEMA["properties"]["weeks"]["items"]["properties"]["tasks"]["items"]
    assert set(task["properties"]) == set(make_data()["weeks"][0]["tasks"][0])
