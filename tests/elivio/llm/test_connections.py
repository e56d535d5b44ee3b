"""No transaction and no database connection may be held while a model thinks."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction

from elivio.llm import gateway
from elivio.llm.gateway import ModelCallInTransaction
from elivio.llm.messages import ChatReply
from tests.elivio.llm.asking import ask_copilot, ask_judge, catch
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini, FakeRequest
from tests.fakes.replies import Reply


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ask", [ask_judge, ask_copilot])
def test_call_inside_a_transaction_is_refused(fake: FakeGemini, ask: Any) -> None:
    with transaction.atomic(), pytest.raises(ModelCallInTransaction, match="default"):
        ask()
    assert fake.calls == 0
    ask()
    assert fake.calls == 1


@pytest.mark.django_db(transaction=True)
def test_rules_are_refused_inside_a_transaction_too(no_key: Any) -> None:
    """Else the offline demo would hide what breaks in production."""
    no_key.DEBUG = True
    with transaction.atomic(), pytest.raises(ModelCallInTransaction):
        ask_judge()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ask", [ask_judge, ask_copilot])
def test_connection_is_back_in_the_pool_while_the_model_thinks(fake: FakeGemini, ask: Any) -> None:
    fake.respond = count_taken_connections
    connection.ensure_connection()
    assert taken_connections() == 1
    assert ask().text == '{"taken": 0}'
    connection.ensure_connection()
    assert taken_connections() == 1


@pytest.mark.django_db(transaction=True)
def test_connection_stays_taken_without_the_guard(
    fake: FakeGemini, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the test above."""
    monkeypatch.setattr(gateway, "release_connections", lambda: None)
    fake.respond = count_taken_connections
    connection.ensure_connection()
    assert ask_judge().text == '{"taken": 1}'


@pytest.mark.django_db(transaction=True)
def test_connection_is_back_while_rules_answer_and_after_a_fault(
    fake: FakeGemini, settings: Any
) -> None:
    fake.enqueue(replies.error(503))
    connection.ensure_connection()
    catch(ask_judge)
    assert taken_connections() == 0
    settings.GEMINI_API_KEY, settings.DEBUG = "", True
    connection.ensure_connection()
    reply = ask_copilot(by_rules=lambda: ChatReply(str(taken_connections())))
    assert reply.text == "0"


def count_taken_connections(request: FakeRequest) -> Reply:
    return replies.json({"taken": taken_connections()})


def taken_connections() -> int:
    stats = connection.pool.get_stats()
    return stats["pool_size"] - stats["pool_available"]
