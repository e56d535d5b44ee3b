"""How environment variables are read: blanks count as unset, odd values are refused by name."""

import pytest

from elivio import env

NAME = "ELIVIO_TEST_VALUE"


@pytest.mark.parametrize(("value", "expected"), [("a", "a"), (" a ", "a"), ("", "b"), ("  ", "b")])
def test_text_is_trimmed_and_blank_counts_as_unset(monkeypatch, value, expected):
    monkeypatch.setenv(NAME, value)
    assert env.text(NAME, "b") == expected


def test_unset_gives_the_default(monkeypatch):
    monkeypatch.delenv(NAME, raising=False)
    assert env.text(NAME) == ""
    assert env.flag(NAME, default=True) is True
    assert env.integer(NAME, 3) == 3
    assert env.number(NAME, 1.5) == 1.5
    assert env.items(NAME) == []


@pytest.mark.parametrize("value", ["1", "true", "YES", "On"])
def test_flag_on(monkeypatch, value):
    monkeypatch.setenv(NAME, value)
    assert env.flag(NAME, default=False) is True


@pytest.mark.parametrize("value", ["0", "false", "NO", "Off"])
def test_flag_off(monkeypatch, value):
    monkeypatch.setenv(NAME, value)
    assert env.flag(NAME, default=True) is False


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda: env.flag(NAME, default=False), "maybe"),
        (lambda: env.integer(NAME, 1), "8000a"),
        (lambda: env.number(NAME, 1.0), "fast"),
    ],
)
def test_odd_values_are_refused_with_name_and_value(monkeypatch, read, value):
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ValueError, match=f"{NAME} must be .*{value}"):
        read()


def test_numbers_and_items(monkeypatch):
    monkeypatch.setenv(NAME, "42")
    assert env.integer(NAME, 1) == 42
    assert env.number(NAME, 1.0) == 42.0
    monkeypatch.setenv(NAME, "a, b,,c ,")
    assert env.items(NAME) == ["a", "b", "c"]


def test_a_mapping(monkeypatch):
    monkeypatch.setenv(NAME, '{"base_url": "http://localhost:11434", "temperature": 0}')
    assert env.mapping(NAME) == {"base_url": "http://localhost:11434", "temperature": 0}
    monkeypatch.setenv(NAME, "")
    assert env.mapping(NAME) == {}


@pytest.mark.parametrize("value", ["[1]", "secret", '{"key": "secret"', "null"])
def test_an_odd_mapping_is_refused_without_its_value(monkeypatch, value):
    """What was meant to be an argument may be a key."""
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ValueError, match=f"{NAME} must be a JSON object") as refusal:
        env.mapping(NAME)
    assert "secret" not in str(refusal.value)


def test_set_default_keeps_what_is_set_and_fills_what_is_blank(monkeypatch):
    monkeypatch.setenv(NAME, "mine")
    env.set_default(NAME, "other")
    assert env.text(NAME) == "mine"
    monkeypatch.setenv(NAME, "")
    env.set_default(NAME, "other")
    assert env.text(NAME) == "other"


def test_copy_with_changes_only_the_copy(monkeypatch):
    monkeypatch.setenv(NAME, "mine")
    assert env.copy_with(**{NAME: "other"})[NAME] == "other"
    assert env.text(NAME) == "mine"
