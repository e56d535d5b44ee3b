"""Every way a provider can fail, through the real client: one reason code, one call, in time."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from elivio.llm.errors import RETRYABLE, SENTENCES
from tests.elivio.llm.asking import ask_copilot, ask_judge, catch
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini
from tests.fakes.replies import Reply

BOTH: list[tuple[str, Reply, str]] = [
    ("prompt blocked", replies.blocked(), "blocked"),
    ("block reason unheard of", replies.blocked("NEW_REASON"), "blocked"),
    ("safety stop", replies.safety(), "safety"),
    ("recitation", replies.safety("RECITATION"), "safety"),
    ("model armor", replies.safety("MODEL_ARMOR"), "safety"),
    ("cut off, partial text", replies.max_tokens('{"rows": ['), "cut_off"),
    ("cut off, parseable", replies.max_tokens('{"rows": []}'), "cut_off"),
    ("cut off while thinking", replies.max_tokens(), "cut_off"),
    ("to be continued", replies.text("{}", "CONTINUATION"), "cut_off"),
    ("to be continued, with a token", replies.to_be_continued("{}"), "cut_off"),
    ("ended for other reasons", replies.text("{}", "OTHER"), "unknown"),
    ("finish reason unheard of", replies.text("{}", "NEW_REASON"), "unknown"),
    ("no finish reason", replies.text("{}", None), "unknown"),
    ("malformed call", replies.safety("MALFORMED_FUNCTION_CALL"), "tool_call"),
    ("malformed response", replies.safety("MALFORMED_RESPONSE"), "bad_reply"),
    ("no candidates", replies.no_candidates(), "empty"),
    ("no parts", replies.empty(), "empty"),
    ("blank text", replies.text(" \n"), "empty"),
    ("thoughts only", replies.thought_only(), "empty"),
    ("two candidates", replies.two_candidates("{}", '{"rows": []}'), "bad_reply"),
    ("200 with a login page", replies.not_json_http(), "bad_reply"),
    ("200 with nothing", Reply(b""), "empty"),
    ("200 with half a JSON", Reply(b'{"candidates": [{"content'), "bad_reply"),
    ("200 with bytes", Reply(b"\xff\xfe\x00"), "bad_reply"),
    ("200 with a list", Reply(b"[1, 2]"), "empty"),
    ("200 with wrong types", Reply({"candidates": "many"}), "bad_reply"),
    ("200 with wrong parts", Reply({"candidates": [{"content": {"parts": 1}}]}), "bad_reply"),
    ("204", Reply(b"", status=204), "bad_reply"),
    ("redirect", Reply(b"", 302, {"Location": "/elsewhere"}), "bad_reply"),
    ("400", replies.error(400), "rejected"),
    ("404", replies.error(404), "rejected"),
    ("413 with a page", replies.not_json_http(413), "rejected"),
    ("401", replies.error(401), "not_authorised"),
    ("403", replies.error(403), "not_authorised"),
    (
        "bad key as Google says it",
        replies.error(400, message="API key not valid. [API_KEY_INVALID]"),
        "not_authorised",
    ),
    ("429", replies.error(429, retry_after=7), "rate_limited"),
    ("408", replies.error(408), "overloaded"),
    ("500", replies.error(500), "overloaded"),
    ("502 with a page", replies.not_json_http(502), "overloaded"),
    ("503", replies.error(503), "overloaded"),
    ("504", replies.error(504), "overloaded"),
    ("connection closed", replies.close_connection(), "unreachable"),
    ("closed half-way", replies.close_connection(b'{"cand'), "unreachable"),
    ("stops half-way", Reply(b'{"cand', headers={"Content-Length": "90"}), "timeout"),
    ("hangs", replies.hang(), "timeout"),
    ("drips", replies.drip(0.02), "timeout"),
    ("late", replies.delay(3, replies.json({})), "timeout"),
]
IDS = [name for name, _, _ in BOTH]


@pytest.mark.filterwarnings("ignore:NEW_REASON is not a valid")
@pytest.mark.parametrize("ask", [ask_judge, ask_copilot])
@pytest.mark.parametrize(("reply", "code"), [row[1:] for row in BOTH], ids=IDS)
def test_fault_has_its_code_within_the_deadline(
    fake: FakeGemini, ask: Any, reply: Reply, code: str
) -> None:
    fake.enqueue(reply)
    late = code == "timeout"
    error, seconds = catch(ask, deadline=0.3 if late else 3.0)
    assert error.code == code, error
    assert error.retryable is (code in RETRYABLE)
    assert 0.25 < seconds < 0.55 if late else seconds < 1.0
    assert fake.calls == 1


def test_faultless_reply_is_no_fault(fake: FakeGemini) -> None:
    """The control of the table above: the same calls, with a good reply."""
    fake.enqueue(replies.json({}), replies.text("Hello."))
    assert ask_judge().text == "{}"
    assert ask_copilot().text == "Hello."


def test_function_call_in_a_structured_reply_is_refused(fake: FakeGemini) -> None:
    fake.enqueue(replies.tool_call("mark_completed", {}, say='{"rows": []}'))
    error, _ = catch(ask_judge)
    assert error.code == "tool_call"


@pytest.mark.parametrize(
    "part",
    [
        {"executableCode": {"language": "PYTHON", "code": "1"}},
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
    ],
)
def test_other_parts_in_a_structured_reply_are_refused(fake: FakeGemini, part: Any) -> None:
    fake.enqueue(replies.parts({"text": '{"rows": []}'}, part))
    error, _ = catch(ask_judge)
    assert error.code == "bad_reply"


@pytest.mark.parametrize("ask", [ask_judge, ask_copilot])
def test_connection_refused_is_unreachable_at_once(
    fake: FakeGemini, settings: Any, ask: Any
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    settings.GEMINI_BASE_URL = f"http://127.0.0.1:{port}"
    error, seconds = catch(ask, deadline=2.0)
    assert error.code == "unreachable"
    assert seconds < 1.0


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "http://[bad"])
def test_useless_address_is_an_error_with_a_code(fake: FakeGemini, settings: Any, url: str) -> None:
    settings.GEMINI_BASE_URL = url
    error, _ = catch(ask_judge)
    assert error.code in ("unreachable", "bad_reply", "unknown")


def test_redirect_does_not_carry_the_key_away(fake: FakeGemini) -> None:
    with FakeGemini() as elsewhere:
        place = f"{elsewhere.url}/v1/models/gemini-test:generateContent"
        fake.enqueue(Reply(b"", 307, {"Location": place}))
        catch(ask_judge)
        assert elsewhere.calls == 0


def test_error_keeps_what_staff_need(fake: FakeGemini) -> None:
    fake.enqueue(replies.max_tokens('{"rows": ['), replies.error(503, message="Try later."))
    cut_off, _ = catch(ask_judge)
    assert cut_off.raw == '{"rows": ['
    assert cut_off.usage.total == 1070
    overloaded, _ = catch(ask_judge)
    assert overloaded.sentence.startswith(SENTENCES["overloaded"])
    assert "HTTP 503: Try later." in overloaded.sentence
    assert "test-key" not in str(overloaded)


@pytest.mark.parametrize(
    ("reply", "seconds"),
    [
        (replies.error(429, retry_after=7), 7.0),
        (replies.error(503, retry_after=1.5), 1.5),
        (Reply({"error": {"details": [{"retryDelay": "9s"}]}}, 429), 9.0),
        (Reply({"error": {}}, 429, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}), None),
        (Reply({"error": {"details": [{"retryDelay": "soon"}]}}, 429), None),
        (Reply({"error": "no"}, 429), None),
        (Reply(b"[]", 429), None),
    ],
)
def test_retry_after_is_read_where_it_is_given(
    fake: FakeGemini, reply: Reply, seconds: float | None
) -> None:
    fake.enqueue(reply)
    error, _ = catch(ask_judge)
    assert (error.code, error.retry_after) == ("rate_limited", seconds) or reply.status == 503
    assert error.retry_after == seconds
