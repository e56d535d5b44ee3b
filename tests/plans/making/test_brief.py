"""What a student may ask for, with a sentence for everything that cannot be taken."""

import pytest

from plans.making import brief
from plans.making.brief import Brief
from plans.making.errors import BriefRefused
from tests.plans.making.proposals import ANSWERS, TODAY, make_brief

WRONG = [
    ("description", "Too short.", "20 characters"),
    ("description", " " * 50, "20 characters"),
    ("description", "x" * 4001, "Shorten it"),
    ("description", "A page for our club\0 with a form", "cannot be stored"),
    ("hours_per_week", 0, "from 1 to 60"),
    ("hours_per_week", 61, "from 1 to 60"),
    ("weeks", 0, "from 1 to 26"),
    ("weeks", 27, "from 1 to 26"),
    ("level", "expert", "Choose beginner"),
    ("target_date", "30.3.2027", "as in 2026-03-30"),
    ("target_date", "2027-02-30", "as in 2026-03-30"),
    ("target_date", "2027-02-28", "in the past"),
    ("target_date", "2027-03-07", "The last of 2 weeks begins after your target date"),
]


@pytest.mark.parametrize(("field", "value", "sentence"), WRONG)
def test_a_fault_has_its_sentence(field, value, sentence):
    with pytest.raises(BriefRefused) as caught:
        brief.make_brief(**{**ANSWERS, field: value}, today=TODAY)
    assert list(caught.value.faults) == [field]
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("description", "x" * 20),
        ("description", "x" * 4000),
        ("hours_per_week", 60),
        ("weeks", 26),
        ("level", "experienced"),
        ("target_date", "2027-03-08"),
        ("target_date", ""),
    ],
)
def test_what_just_fits_is_taken(field, value):
    made = brief.make_brief(**{**ANSWERS, field: value}, today=TODAY)
    assert Brief.from_json(made.as_json()) == made


def test_every_fault_is_said_at_once():
    with pytest.raises(BriefRefused) as caught:
        brief.make_brief(
            description="", hours_per_week=0, weeks=0, level="", target_date="x", today=TODAY
        )
    assert len(caught.value.faults) == 5


def test_it_comes_back_from_json_as_it_was():
    assert Brief.from_json(make_brief(target_date=TODAY).as_json()).target_date == TODAY
