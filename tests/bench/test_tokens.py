"""The table of tokens: exact where it says so, and silent about prices that nobody gave."""

import pytest

from judge.prompt import RULES
from tests.bench.tokens import (
    Prices,
    Request,
    estimate,
    measure_request,
    read_prices,
    write_tokens,
)

REQUEST = Request(
    60, 200, 0, rules=4000, task=800, transcript=60_000, form=1200, answer=800, kept=0
)


@pytest.mark.django_db
def test_the_characters_are_those_of_the_request():
    request = measure_request(turns=6, words=20)
    assert request.rules == len(RULES)
    assert request.transcript > 6 * 20 * 4
    assert request.omitted == 0
    # One more message stands at the end, so the turns before it are the same again.
    assert request.kept > request.rules + request.task + 6 * 20 * 4


@pytest.mark.django_db
def test_with_sixty_turns_the_oldest_leaves_and_only_rules_and_task_stay():
    request = measure_request(turns=60, words=2)
    assert 0 <= request.kept - request.rules - request.task < 40


def test_the_cost_of_a_completion():
    text = write_tokens(REQUEST, Prices(2.0, 10.0))
    # 66,000 characters are 16,500 tokens, twice; 800 are 200, twice.
    assert "33,000 tokens sent and 400 answered" in text
    assert "costs 0.0700" in text and "not known" not in text
    assert estimate(REQUEST.sent) == 16_500


def test_no_price_is_invented(monkeypatch):
    monkeypatch.delenv("PRICE_OUTPUT", raising=False)
    monkeypatch.setenv("PRICE_INPUT", "2")
    assert read_prices() is None
    assert "cost is not known: set PRICE_INPUT and PRICE_OUTPUT" in write_tokens(REQUEST, None)
    monkeypatch.setenv("PRICE_OUTPUT", "10")
    assert read_prices() == Prices(2.0, 10.0)
