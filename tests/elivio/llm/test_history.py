"""A history that a provider takes: each call with its answer."""

from __future__ import annotations

from elivio.llm.history import LOST, complete_calls
from elivio.llm.messages import Message, ToolCall
from tests.elivio.llm.asking import ask_copilot
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini, FakeRequest
from tests.fakes.replies import Reply

HELLO, BYE = Message("user", "Hello"), Message("user", "Bye")
ASKS = Message("assistant", "", (ToolCall("a", "mark_done", {}), ToolCall("b", "mark_started", {})))


def answer(ident: str, text: str = "{}") -> Message:
    return Message("tool", text, tool_call_id=ident, tool_name="mark_done")


def test_a_whole_history_stays_as_it_is() -> None:
    history = (HELLO, ASKS, answer("a"), answer("b"), BYE)
    assert complete_calls(history) == history


def test_what_is_missing_is_made_and_what_answers_nothing_is_left_out() -> None:
    odd = (
        answer("x"),
        HELLO,
        ASKS,
        answer("b", "first"),
        answer("b"),
        answer("y"),
        BYE,
        answer("a"),
    )
    first, asks, lost, told, last = complete_calls(odd)
    assert (first, asks, told, last) == (HELLO, ASKS, answer("b", "first"), BYE)
    assert (lost.tool_call_id, lost.tool_name, lost.text) == ("a", "mark_done", LOST)


def refuse_unanswered(request: FakeRequest) -> Reply:
    """As Gemini does: a call is followed by as many answers."""
    open_calls = 0
    for content in request.body["contents"]:
        answers = sum("function_response" in part for part in content["parts"])
        if answers != open_calls:
            return replies.error(400, message="function response parts do not match calls")
        open_calls = sum("function_call" in part for part in content["parts"])
    return replies.text("Fine.") if not open_calls else replies.error(400)


def test_a_call_without_its_answer_breaks_no_later_call(fake: FakeGemini) -> None:
    fake.respond = refuse_unanswered
    assert ask_copilot(HELLO, ASKS, BYE).text == "Fine."
    assert ask_copilot(HELLO, ASKS).text == "Fine."
