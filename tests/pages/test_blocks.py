"""Which parts of a message are shown in even columns."""

import time

import pytest

from sessions.blocks import split_blocks


def kinds(text):
    return [("pasted" if block.is_pasted else "words", block.text) for block in split_blocks(text)]


def test_a_table_between_sentences():
    table = "status | count\n-------+------\nOpen   |    51"
    assert kinds(f"here it is\n\n{table}\nIs it right?") == [
        ("words", "here it is"),
        ("pasted", table),
        ("words", "Is it right?"),
    ]


def test_a_fence_holds_whatever_is_in_it():
    text = "before\n```sql\nany words\n\n  at all\n```\nafter"
    assert kinds(text) == [
        ("words", "before"),
        ("pasted", "any words\n\n  at all"),
        ("words", "after"),
    ]


def test_a_fence_that_is_not_closed_goes_to_the_end():
    assert kinds("look\n```\na\nb") == [("words", "look"), ("pasted", "a\nb")]


@pytest.mark.parametrize(
    "pasted",
    [
        "SELECT status\nFROM stations",
        "def count(rows):\n    return len(rows)",
        "a\tb\n1\t2",
        "id,name,status\n1,Park,Open",
        "$ ls\n$ pwd",
        "<ul>\n  <li>",
        "total = 3\nopen = 2",
    ],
)
def test_code_and_tables(pasted):
    assert kinds(pasted) == [("pasted", pasted)]


@pytest.mark.parametrize(
    "words",
    [
        "One sentence.\nAnother one, with a comma, and more.",
        "- first point\n- second point",
        "status | count",
        "I chose red, green, blue\nbecause they differ.",
        "from where I stand it is fine",
    ],
)
def test_sentences_stay_words(words):
    assert kinds(words) == [("words", words)]


def test_nothing_is_dropped_and_indents_stay():
    text = "one\r\n\r\n  a = 1\r\n  b = 2\r\n\r\ntwo"
    assert kinds(text) == [("words", "one"), ("pasted", "  a = 1\n  b = 2"), ("words", "two")]


@pytest.mark.parametrize(
    "unit", ["|", " ", "\n", "`", "```\n", ";", "; ", ",a", "- ", "a\n  b\n", "=\t"]
)
def test_a_hostile_message_takes_no_time(unit):
    started = time.thread_time()  # of this thread alone, whatever else the machine does
    split_blocks((unit * 20_000)[:20_000])
    assert time.thread_time() - started < 0.5
