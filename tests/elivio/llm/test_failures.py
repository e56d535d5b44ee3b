"""Every way a provider can fail, through the real client: one reason code, one call, in time."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from elivio.llm.errors import RETRYABLE, SENTENCES
from tests.elivio.llm.asking import SHORT, SLACK, ask_copilot, ask_judge, catch
from tests.fakes import replies
from tests.fakes.faults import PROVIDER_FAULTS
from tests.fakes.gemini import FakeGemini
from tests.fakes.replies import Reply

IDS = [name for name, _, _ in PROVIDER_FAULTS]


@pytest.mark.filterwarnings("ignore:NEW_REASON is not a valid")
@pytest.mark.parametrize("ask", [ask_judge, ask_copilot])
@pytest.mark.parametrize(("reply", "code"), [row[1:] for row in PROVIDER_FAULTS], ids=IDS)
def test_fault_has_its_code_within_the_deadline(
    fake: FakeGemini, ask: Any, reply: Reply, code: str
) -> None:
    fake.enqueue(reply)
    late = code == "timeout"
    error, seconds = catch(ask, deadline=SHORT if late else 30.0)
    assert error.code == code, error
    assert error.retryable is (code in RETRYABLE)
    assert 0.9 * SHORT < seconds < SHORT + SLACK if late else seconds < SLACK
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
    error, seconds = catch(ask, deadline=30.0)
    assert error.code == "unreachable"
    assert seconds < SLACK


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
