"""A reply in pieces: emitted as they come, in the calling thread; without its end it is none."""

from __future__ import annotations

import base64
import threading
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from elivio.llm import deadline
from elivio.llm.errors import LLMError
from elivio.llm.messages import ChatReply, Message, ToolCall, Usage
from tests.elivio.llm.asking import SHORT, SLACK, ask_copilot, catch, stream_copilot
from tests.elivio.llm.test_failures import IDS
from tests.elivio.llm.test_langchain_chat import play
from tests.fakes import replies
from tests.fakes.faults import PROVIDER_FAULTS
from tests.fakes.gemini import FakeGemini
from tests.fakes.replies import Reply

SIGNATURE = base64.b64encode(b"\xfb\xff-signature").decode()
# What only a stream has, or says in another way.
CALL = {"functionCall": {"name": "mark_done", "args": {}}}
IN_STREAM = {"no finish reason": "cut_off"}
STREAM_FAULTS: list[tuple[str, Reply, str]] = [
    ("breaks off after words", replies.broken_stream("Half a "), "unreachable"),
    ("ends after words", replies.streamed("Half a ", finish=None), "cut_off"),
    ("cut off after words", replies.streamed("Half a ", finish="MAX_TOKENS"), "cut_off"),
    ("safety stop after words", replies.streamed("Half a ", finish="SAFETY"), "safety"),
    ("cut off after a call", replies.streamed(CALL, finish="MAX_TOKENS"), "cut_off"),
    ("blocked after words", Reply(steps=(*replies.streamed("Half a ").steps[:1],
        {"promptFeedback": {"blockReason": "OTHER"}})), "blocked"),
    ("an error after words", Reply(steps=(*replies.streamed("Half a ").steps[:1],
        {"error": {"code": 503, "message": "Busy.", "status": "UNAVAILABLE"}})), "overloaded"),
    ("goes on after its end", Reply(steps=(*replies.streamed("One.").steps,
        *replies.streamed("Two.").steps)), "bad_reply"),
    ("another candidate later", Reply(steps=(*replies.streamed("One.").steps[:1],
        replies.two_candidates("a", "b").body)), "bad_reply"),
    ("hangs after words", replies.streamed("Half a ", threading.Event()), "timeout"),
]  # fmt: skip


class Listener:
    """Keeps what is emitted, and where; sets `heard` at the first words."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.threads: set[int] = set()
        self.heard = threading.Event()

    def __call__(self, piece: str) -> None:
        self.threads.add(threading.get_ident())
        if piece:
            self.pieces.append(piece)
            self.heard.set()


def test_words_are_heard_before_the_reply_ends(fake: FakeGemini) -> None:
    go_on = threading.Event()
    fake.enqueue(replies.streamed("What have ", go_on, "you tried?"))
    listener, got = Listener(), []
    asking = threading.Thread(target=lambda: got.append(ask_copilot(emit=listener)))
    asking.start()
    assert listener.heard.wait(SLACK)
    assert (listener.pieces, got) == (["What have "], [])
    go_on.set()
    asking.join(SLACK)
    [reply] = got
    assert listener.pieces == ["What have ", "you tried?"]
    assert (reply.text, reply.kind, reply.model) == (
        "What have you tried?",
        "gemini",
        "gemini-test",
    )
    assert reply.usage == Usage(prompt=1000, cached=400, output=50, thoughts=20, total=1070)
    assert listener.threads == {asking.ident}, "the loop that all calls share runs no emit"
    assert fake.requests[0].streaming


def test_tool_calls_thoughts_and_signatures(fake: FakeGemini) -> None:
    call = {"name": "mark_started", "args": {"note": "é", "minutes": 3}, "id": "call-7"}
    fake.enqueue(
        replies.streamed(
            {"text": "Hm.", "thought": True},
            "Good.",
            {"functionCall": call, "thoughtSignature": SIGNATURE},
            {"functionCall": {"name": "mark_done"}},
        )
    )
    listener = Listener()
    reply = ask_copilot(emit=listener)
    assert (reply.text, listener.pieces) == ("Good.", ["Good."])
    first, second = reply.tool_calls
    assert first == ToolCall("call-7", "mark_started", {"note": "é", "minutes": 3})
    assert (second.name, second.args, bool(second.id)) == ("mark_done", {}, True)
    ask_copilot(
        Message("user", "Hi"),
        Message("assistant", reply.text, reply.tool_calls, provider_data=reply.provider_data),
        Message("tool", "{}", tool_call_id="call-7", tool_name="mark_started"),
    )
    _, model, answers = fake.requests[1].body["contents"]
    assert base64.urlsafe_b64decode(model["parts"][1]["thought_signature"]) == b"\xfb\xff-signature"
    assert [part["function_response"]["id"] for part in answers["parts"]] == ["call-7", second.id]


@pytest.mark.filterwarnings("ignore:NEW_REASON is not a valid")
@pytest.mark.parametrize(
    ("reply", "code"),
    [(reply, IN_STREAM.get(name, code)) for name, reply, code in PROVIDER_FAULTS]
    + [row[1:] for row in STREAM_FAULTS],
    ids=[*IDS, *(name for name, _, _ in STREAM_FAULTS)],
)
def test_a_fault_has_its_code_while_streaming_too(
    fake: FakeGemini, reply: Reply, code: str
) -> None:
    fake.enqueue(reply)
    error, _ = catch(stream_copilot, deadline=SHORT if code == "timeout" else 30.0)
    assert error.code == code, error
    assert fake.calls == 1


@pytest.mark.parametrize("reply", [replies.hang(), replies.drip(0.05)], ids=["hang", "drip"])
def test_past_the_deadline_the_socket_is_closed(fake: FakeGemini, reply: Reply) -> None:
    fake.enqueue(reply)
    error, _ = catch(stream_copilot, deadline=SHORT)
    assert error.code == "timeout"
    assert fake.requests[0].closed.wait(SLACK)


class Enough(Exception):
    pass


def stop_at_words(piece: str) -> None:
    if piece:
        raise Enough


def stop_at_once(piece: str) -> None:
    raise Enough


@pytest.mark.parametrize("emit", [stop_at_words, stop_at_once])
def test_an_emit_that_raises_ends_the_call(fake: FakeGemini, emit: Any) -> None:
    """Also while the model thinks: an emit is asked now and then though nothing has come."""
    never = threading.Event()
    words = ["Some words. "] if emit is stop_at_words else []
    fake.enqueue(replies.streamed(*words, never, "And more."))
    with pytest.raises(Enough):
        ask_copilot(deadline=30.0, emit=emit)
    assert fake.requests[0].closed.wait(SLACK)


def test_a_slow_emit_holds_up_no_other_call(fake: FakeGemini) -> None:
    fake.enqueue(replies.text("Some words."))
    is_stuck, go_on = threading.Event(), threading.Event()

    def block(piece: str) -> None:
        is_stuck.set()
        assert go_on.wait(SLACK)

    slow = threading.Thread(target=ask_copilot, kwargs={"emit": block})
    slow.start()
    assert is_stuck.wait(SLACK)
    assert ask_copilot().text
    go_on.set()
    slow.join(SLACK)


def test_a_caller_that_is_slow_is_told_of_the_deadline() -> None:
    async def hand_out_for_ever(put: Any) -> None:
        while True:
            put("word ")
            await deadline.asyncio.sleep(0)

    with pytest.raises(LLMError) as caught:
        deadline.stream_until(
            deadline.time.monotonic() + 0.2, hand_out_for_ever, lambda piece: None
        )
    assert caught.value.code == "timeout"


def test_plain_rules_give_one_piece(no_key: Any) -> None:
    no_key.DEBUG = True
    listener = Listener()
    reply = ask_copilot(emit=listener, by_rules=lambda: ChatReply("By rules."))
    assert listener.pieces == [reply.text] == ["By rules."]


def test_another_provider_without_streaming_gives_one_piece(no_key: Any) -> None:
    call = {"id": "7", "name": "mark_done", "args": {"a": 1}}
    play(no_key, AIMessage("Well.", tool_calls=[call]), ConnectionResetError())
    listener = Listener()
    reply = ask_copilot(emit=listener)
    assert (reply.text, listener.pieces) == ("Well.", ["Well."])
    assert reply.tool_calls == (ToolCall("7", "mark_done", {"a": 1}),)
    error, _ = catch(stream_copilot)
    assert error.code == "unreachable"


class WordByWord(GenericFakeChatModel):
    """LangChain's own fake, which streams; the name is what settings give every model."""

    model: str


def test_another_provider_streams(no_key: Any) -> None:
    no_key.MODELS["copilot"] = {
        "name": "other-model",
        "class": f"{__name__}.WordByWord",
        "args": {"messages": iter([AIMessage("What have you tried?")])},
    }
    listener = Listener()
    reply = ask_copilot(emit=listener, tools=())
    assert "".join(listener.pieces) == reply.text == "What have you tried?"
    assert len(listener.pieces) > 3
    assert (reply.kind, reply.model) == ("other", "other-model")
