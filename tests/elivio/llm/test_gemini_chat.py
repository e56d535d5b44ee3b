"""A chat with Gemini through the gateway: tools, ids, thought signatures, turns."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from elivio.llm.messages import Message, ToolCall, Usage
from tests.elivio.llm.asking import ask_copilot, catch
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini

SIGNATURE = base64.b64encode(b"\xfb\xff-signature").decode()


def test_request_carries_system_history_and_tools(fake: FakeGemini) -> None:
    reply = ask_copilot(
        Message("user", "Hello"), Message("assistant", "What now?"), Message("user", "Begin.")
    )
    assert reply.text == "What have you tried so far?"
    assert (reply.kind, reply.model, reply.tool_calls) == ("gemini", "gemini-test", ())
    assert reply.usage == Usage(prompt=1000, cached=400, output=50, thoughts=20, total=1070)
    body = fake.requests[0].body
    assert fake.requests[0].system == "Be a kind copilot."
    assert [(each["role"], each["parts"]) for each in body["contents"]] == [
        ("user", [{"text": "Hello"}]),
        ("model", [{"text": "What now?"}]),
        ("user", [{"text": "Begin."}]),
    ]
    [tool] = body["tools"]
    started, done = tool["function_declarations"]
    assert (started["name"], done["name"]) == ("mark_started", "mark_done")
    assert started["parameters_json_schema"]["required"] == ["note"]
    assert "candidate_count" not in body["generation_config"]


def test_chat_role_without_a_class_talks_to_gemini(fake: FakeGemini, settings: Any) -> None:
    settings.MODELS["copilot"] = {"name": "gemini-plain"}
    assert ask_copilot().model == "gemini-plain"


def test_chat_without_tools_sends_none(fake: FakeGemini) -> None:
    ask_copilot(tools=())
    assert "tools" not in fake.requests[0].body


def test_tool_calls_go_round_with_ids_and_signatures(fake: FakeGemini) -> None:
    fake.enqueue(
        replies.tool_call(
            "mark_started", {"minutes": 3}, "call-7", say="Good.", signature=SIGNATURE
        )
    )
    first = ask_copilot(Message("user", "I start."))
    assert first.text == "Good."
    assert first.tool_calls == (ToolCall("call-7", "mark_started", {"minutes": 3}),)
    stored = json.loads(json.dumps(first.provider_data))

    fake.enqueue(replies.text("Go on."))
    second = ask_copilot(
        Message("user", "I start."),
        Message("assistant", first.text, first.tool_calls, provider_data=stored),
        Message("tool", '{"ok": true}', tool_call_id="call-7", tool_name="mark_started"),
    )
    assert second.text == "Go on."
    assert second.provider_data == {}
    _, model, answer = fake.requests[1].body["contents"]
    text, call = model["parts"]
    assert text == {"text": "Good."}
    assert call["function_call"] == {
        "id": "call-7",
        "name": "mark_started",
        "args": {"minutes": 3},
    }
    assert base64.urlsafe_b64decode(call["thought_signature"]) == b"\xfb\xff-signature"
    assert answer["role"] == "user"
    assert answer["parts"] == [
        {
            "function_response": {
                "id": "call-7",
                "name": "mark_started",
                "response": {"ok": True},
            }
        }
    ]


def test_calls_without_an_id_get_one_each(fake: FakeGemini) -> None:
    call = {"functionCall": {"name": "mark_done"}}
    fake.enqueue(replies.parts(call, call))
    first, second = ask_copilot().tool_calls
    assert first.id and second.id and first.id != second.id
    assert first.args == {}


def test_answers_of_parallel_calls_stand_in_one_turn(fake: FakeGemini) -> None:
    calls = (ToolCall("a", "mark_started", {}), ToolCall("b", "mark_done", {}))
    ask_copilot(
        Message("user", "Both."),
        Message("assistant", "", calls),
        Message("tool", "plain words", tool_call_id="a", tool_name="mark_started"),
        Message("tool", "[1]", tool_call_id="b", tool_name="mark_done"),
    )
    _, model, answers = fake.requests[0].body["contents"]
    assert [part["function_call"]["id"] for part in model["parts"]] == ["a", "b"]
    responses = [part["function_response"] for part in answers["parts"]]
    assert [(each["id"], each["response"]) for each in responses] == [
        ("a", {"result": "plain words"}),
        ("b", {"result": [1]}),
    ]


def test_thoughts_are_no_part_of_the_reply(fake: FakeGemini) -> None:
    fake.enqueue(replies.parts({"text": "Hm.", "thought": True}, {"text": "Try it."}))
    assert ask_copilot().text == "Try it."


def test_cut_off_call_is_not_made(fake: FakeGemini) -> None:
    call = {"functionCall": {"name": "mark_done", "args": {}}}
    fake.enqueue(replies.parts(call, finish="MAX_TOKENS"))
    error, _ = catch(ask_copilot)
    assert error.code == "cut_off"


def test_settings_may_add_request_fields(fake: FakeGemini, settings: Any) -> None:
    settings.MODELS["copilot"]["args"] = {"config": {"max_output_tokens": 77}}
    ask_copilot()
    assert fake.requests[0].body["generation_config"] == {"max_output_tokens": 77}


@pytest.mark.parametrize("args", [{"config": 5}, {"confg": {}}])
def test_arguments_that_do_not_fit_are_no_model(
    fake: FakeGemini, settings: Any, args: dict[str, Any]
) -> None:
    settings.MODELS["copilot"]["args"] = args
    error, _ = catch(ask_copilot)
    assert error.code == "no_model"
    assert "GeminiChat" in error.sentence
