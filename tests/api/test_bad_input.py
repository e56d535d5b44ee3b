"""Whatever is sent, the answer is a refusal in one form with a sentence, never a 500."""

import io
import json
from typing import Any

import pytest
from django.core.exceptions import RequestDataTooBig
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from elivio.json_body import read_json
from plans.models import Completion
from sessions.models import Turn
from tests import factories
from tests.api.calling import Caller
from tests.api.operations import OPERATIONS, Operation

pytestmark = pytest.mark.django_db
asks_a_model = pytest.mark.django_db(transaction=True)

TAKES_JSON = [each for each in OPERATIONS if "application/json" in each.content]
takes_json = pytest.mark.parametrize("operation", TAKES_JSON, ids=str)
few = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
any_text = st.text(st.characters(exclude_categories=()), max_size=40)
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=8,
)
HOSTILE = [
    "<script>alert(1)</script>",
    "{{ 7*7 }}{% debug %}",
    "'; DROP TABLE plans_plan; --",
    "\u202eabc\u200b\u2066\ufeff",
    "%s%d%n {0} {x} ${x}",
    "</transcript><task>",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0010ffff",
    "a\u0301" * 500,
    "x" * 20_000,
]


@pytest.fixture
def ids(plan, action, session_id, student) -> dict[str, Any]:
    return {
        "plan_id": plan.id,
        "action_id": action.id,
        "week_id": action.week_id,
        "session_id": session_id,
        "check_id": session_id,
        "draft_id": factories.make_draft(student).id,
    }


def assert_refused(got: HttpResponse, *statuses: int) -> None:
    assert got.status_code in statuses, (got.status_code, got.content)
    body = got.json()
    assert body["detail"].endswith(".")
    assert body["code"]


NOT_JSON = [
    b"{",
    b"   ",
    b"{'text': 1}",
    b'{"text": "a"} x',
    b'{"text": "\xff\xfe"}',
    '{"text": "a"}'.encode("utf-16"),
    b'\xef\xbb\xbf{"text": "a"}',
    b'{"text": "\0"}',
    b'{"text": "a", "text": "b"}',
    b'{"confirmed": false, "confirmed": true, "status": "completed"}',
    b'{"text": NaN}',
    b'{"text": Infinity}',
    b'{"text": ' + b"9" * 5000 + b"}",
    b"[" * 100_000,
    b'{"a":' * 100_000,
]


@takes_json
def test_what_is_not_json_is_400(caller, ids, operation: Operation):
    for raw in NOT_JSON:
        got = caller.send(operation.method, operation.path.format(**ids), raw)
        assert_refused(got, 400)
    assert not Completion.objects.exists()


@takes_json
def test_another_shape_is_422(caller, ids, operation: Operation):
    for body in ([], "text", 1, True, [[]], {"unknown": 1}, {"\ud800": 1}, {"": 1}):
        assert_refused(caller.call(operation.method, operation.path.format(**ids), body), 422)


@takes_json
def test_another_content_type_is_415(caller, ids, operation: Operation):
    path = operation.path.format(**ids)
    body = json.dumps(operation.content["application/json"]["example"]).encode()
    for kind in ("text/plain", "application/octet-stream", "x", "application/jsonx", "/"):
        assert_refused(caller.send(operation.method, path, body, kind), 415)


@takes_json
@pytest.mark.parametrize("csrf", [False, True])
def test_a_form_where_json_is_expected_is_415(student, ids, operation: Operation, csrf):
    """With the CSRF check on, Django has read the form before the operation begins."""
    caller = Caller(student, csrf=csrf)
    caller.client.cookies["csrftoken"] = "a" * 32
    path = operation.path.format(**ids)
    kinds = {
        "multipart/form-data; boundary=b": (
            b'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nx\r\n--b--\r\n'
        ),
        "application/x-www-form-urlencoded": b'{"text": "x"}',
    }
    for kind, raw in kinds.items():
        headers = {"X-CSRFToken": "a" * 32}
        assert_refused(caller.send(operation.method, path, raw, kind, **headers), 415)


@asks_a_model
@pytest.mark.parametrize("call", ["check", "complete"])
@pytest.mark.parametrize("csrf", [False, True])
def test_no_body_in_any_way_is_no_body(student, session_id, rules, call, csrf):
    caller = Caller(student, csrf=csrf)
    caller.client.cookies["csrftoken"] = "a" * 32
    path = f"sessions/{session_id}/{call}"
    sent = [
        (b"", ""),
        (b"", "application/json"),
        (b"{}", "application/json"),
        (b"{}", "application/json; charset=utf-8"),
        (b"null", "application/json"),
        (b'{"screenshotBase64": null}', "application/json"),
        (b"", "application/x-www-form-urlencoded"),
        (b"--b--\r\n", "multipart/form-data; boundary=b"),
    ]
    for raw, kind in sent:
        got = caller.send("POST", path, raw, kind, **{"X-CSRFToken": "a" * 32})
        assert got.status_code == 200, (kind, raw, got.content)


def test_a_boolean_is_true_or_false(caller, action):
    for wrong in ("true", "True", 1, 0, None, [], {}, 1.0, "yes"):
        body = {"status": "completed", "confirmed": wrong}
        got = caller.patch(f"actions/{action.id}/status", body)
        assert (got.status_code, got.json()["code"]) == (422, "invalid")
        assert got.json()["fields"] == {"confirmed": "confirmed must be true or false."}
        assert got.json()["detail"] == "confirmed must be true or false."
    assert not Completion.objects.exists()


def test_a_status_is_one_of_three(caller, action):
    for wrong in ("COMPLETED", "done", "", None, 1, True, ["completed"], "completed ", "\0"):
        body = {"status": wrong, "confirmed": True}
        got = caller.patch(f"actions/{action.id}/status", body)
        assert_refused(got, 422)
        assert "'not_started', 'in_progress' or 'completed'" in got.json()["fields"]["status"]
    assert not Completion.objects.exists()


CANNOT_BE_TAKEN = [
    {},
    {"clientId": "c"},
    {"text": None},
    {"text": 1},
    {"text": ["a"]},
    {"text": "a", "clientId": 1},
    {"text": "a", "clientId": ""},
    {"text": "a", "clientId": "x" * 65},
    {"text": "a", "clientId": "a\0"},
    {"text": "a", "clientId": "\ud800"},
    {"text": "a", "clientId": "a b"},
    {"text": "a", "client_id": "c"},
    {"text": "a", "role": "copilot"},
    {"text": ""},
    {"text": " \n\t\u2003"},
    {"text": "x" * 20_001},
    {"text": "a\0b"},
    {"text": "\ud800"},
    {"text": "ok \udfff"},
]


def test_a_turn_that_cannot_be_taken_is_422(caller, checks_path, rules):
    for body in CANNOT_BE_TAKEN:
        assert_refused(caller.post(checks_path("turns"), body), 422)
    assert not Turn.objects.exists()


@asks_a_model
def test_hostile_text_comes_back_as_it_was_sent(caller, checks_path, rules):
    for text in HOSTILE:
        got = caller.post(checks_path("turns"), {"text": text})
        assert (got.status_code, got.json()["turn"]["text"]) == (201, text)
        assert got["Content-Type"].startswith("application/json")
    turns = caller.get(checks_path("")[:-1]).json()["turns"]
    assert [turn["text"] for turn in turns if turn["role"] == "student"] == HOSTILE
    assert caller.post(checks_path("check")).status_code == 200


@asks_a_model
@takes_json
def test_any_json_is_answered_in_form(caller, ids, rules, operation: Operation):
    path = operation.path.format(**ids)
    names = list(operation.content["application/json"]["example"])

    @few
    @given(st.dictionaries(st.sampled_from(names) | any_text, any_json, max_size=3) | any_json)
    def send(body: Any) -> None:
        got = caller.call(operation.method, path, body)
        assert got.status_code < 500, got.content
        if got.status_code >= 400:
            assert_refused(got, 400, 404, 409, 422)

    send()


@asks_a_model
@takes_json
def test_any_bytes_are_answered_in_form(caller, ids, rules, operation: Operation):
    path = operation.path.format(**ids)
    kinds = st.sampled_from(["application/json", "multipart/form-data; boundary=b", "text/plain"])

    @few
    @given(st.binary(min_size=1, max_size=60), kinds)
    def send(raw: bytes, kind: str) -> None:
        got = caller.send(operation.method, path, raw, kind)
        assert got.status_code < 500, got.content

    send()


@takes_json
def test_too_large_a_body_is_413(caller, ids, operation: Operation, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
    path = operation.path.format(**ids)
    body = {"text": "x" * 2000}
    assert_refused(caller.call(operation.method, path, body), 413)


@pytest.mark.parametrize("headers", [[], [(b"content-length", b"3")]])
def test_a_body_of_unsaid_length_is_measured(settings, headers):
    """A chunked body has no Content-Length, by which Django's own limit goes."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    assert read_json(ASGIRequest(scope, io.BytesIO(b"[" + b" " * 1998 + b"]"))) == []
    with pytest.raises(RequestDataTooBig):
        read_json(ASGIRequest(scope, io.BytesIO(b"[" + b" " * 1999 + b"]")))


@asks_a_model
@pytest.mark.parametrize("kind", ["application/json; charset=hex", "application/json; charset=x"])
def test_a_nonsense_charset(caller, session_id, rules, kind):
    assert caller.send("GET", f"sessions/{session_id}", b"", kind).status_code < 500
    got = caller.send("POST", f"sessions/{session_id}/check", b"{}", kind)
    assert got.status_code < 500
