"""Names are taken out as people write them, and nothing else is touched."""

import pytest
from django.contrib.auth.models import User

from judge.evaluation.names import make_cleaner

ANNA = {"first_name": "Anna", "last_name": "Berger-Li", "username": "anna.b42@example.org"}


def clean(text: str, task: str = "", **fields: str) -> str:
    return make_cleaner([User(**{"username": "", **fields})], task)(text)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Anna, ANNA and anna", "[name], [name] and [name]"),
        ("anna_notes.txt, Anna2, Anna's, Anna’s and Annas map", None),
        ("Anna Berger-Li and Berger-Li Anna", "[name] and [name]"),
        ("Berger and li, not Li", "[name] and li, not [name]"),
        ("annaberger-li and anna.berger-li", "[name] and [name]"),
        ("my login is Anna.B42", "my login is [name]"),
        ("anna.b42@example.org or other@mail.example.com", "[e-mail] or [e-mail]"),
        (
            "Hannah, Annabel, Joanna, Bergerac and Lille",
            "Hannah, Annabel, Joanna, Bergerac and Lille",
        ),
    ],
)
def test_as_people_write_them(text: str, cleaned: str | None) -> None:
    if cleaned is None:
        cleaned = "[name]_notes.txt, [name]2, [name]'s, [name]’s and [name]s map"
    assert clean(text, **ANNA) == cleaned


@pytest.mark.parametrize(
    ("name", "text", "cleaned"),
    [
        ("Jürgen", "Jürgen, Juergen, Jurgen, JÜRGEN, Ju\u0308rgen", ", ".join(["[name]"] * 5)),
        ("Juergen", "Jürgen and Juergen", "[name] and [name]"),
        ("Søren", "Søren, Soren, Soeren", "[name], [name], [name]"),
        ("Łukasz", "Łukasz and Lukasz", "[name] and [name]"),
        ("Zoë", "Zoe\u0308, ZOË and Zoe", "[name], [name] and [name]"),
        ("Weiß", "Weiß and Weiss, and what I weiss", "[name] and [name], and what I weiss"),
    ],
)
def test_in_another_spelling(name: str, text: str, cleaned: str) -> None:
    assert clean(text, first_name=name) == cleaned


@pytest.mark.parametrize(
    ("first", "last", "text", "cleaned"),
    [
        (
            "Mark",
            "Will",
            "Mark, will you mark it? Will will.",
            "[name], will you mark it? [name] will.",
        ),
        ("An", "Nguyen", "An Nguyen made an app. An example.", "[name] made an app. An example."),
        (
            "Ludwig",
            "von der Heide",
            "Die Karte von der Heide, von Ludwig",
            "Die Karte von der [name], von [name]",
        ),
        ("Maria", "de la Cruz", "de la casa de Maria de la Cruz", "de la casa de [name]"),
        ("Ben", "al Masri", "Ben al Masri, Ben, al dente", "[name], [name], al dente"),
        ("J.", "(Jo)", "J. and (Jo), so J and Jon", "J. and [name], so J and Jon"),
        ("", "", "nothing to take out", "nothing to take out"),
    ],
)
def test_words_that_are_no_name_stay(first: str, last: str, text: str, cleaned: str) -> None:
    assert clean(text, first_name=first, last_name=last) == cleaned


@pytest.mark.parametrize(
    ("login", "text", "cleaned"),
    [
        ("student@example.org", "The student asked a teacher.", "The student asked a teacher."),
        ("rose@example.org", "A rose, and Rose", "A rose, and Rose"),
        ("mberger@example.org", "mberger and MBerger wrote", "[name] and [name] wrote"),
        (
            "m.berger@example.org",
            "m.berger wrote, not m or berger",
            "[name] wrote, not m or berger",
        ),
        ("berger7@example.org", "berger7 wrote", "[name] wrote"),
    ],
)
def test_of_a_login_what_is_no_word_is_taken_out(login: str, text: str, cleaned: str) -> None:
    assert clean(text, username=login, email=login) == cleaned


class TestExactValues:
    """What the task quotes is looked for in the student's words, so both keep it."""

    @pytest.mark.parametrize("quotes", ["“{}”", "„{}“", '"{}"', "`{}`", "«{}»"])
    def test_a_quoted_value_stays_in_every_text(self, quotes: str) -> None:
        task = f"Name the page {quotes.format('Berger Street')}."
        assert clean(task, task, **ANNA) == task
        said = "It says Berger Street, Anna Berger."
        assert clean(said, task, **ANNA) == "It says Berger Street, [name] [name]."

    @pytest.mark.parametrize(
        "value", ["Anna", "Berger-Li", "By Anna Berger-Li", "anna.b42", "Ask a.b@example.org"]
    )
    def test_a_value_that_names_the_person_does_not(self, value: str) -> None:
        task = f"Write “{value}” below it."
        cleaned = clean(task, task, **ANNA)
        assert value not in cleaned and ("[name]" in cleaned or "[e-mail]" in cleaned)

    def test_an_unquoted_name_changes_alike_on_both_sides(self) -> None:
        task = "Make a page for the Berger Street."
        assert clean(task, task, **ANNA) == "Make a page for the [name] Street."
        assert clean("The Berger Street.", task, **ANNA) == "The [name] Street."


def test_several_people() -> None:
    people = [
        User(username="", first_name="Anna"),
        User(username="cy@example.org", first_name="Cy"),
    ]
    assert make_cleaner(people)("Anna told Cy and cyril.") == "[name] told [name] and cyril."
