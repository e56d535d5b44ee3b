"""Every way a judge can fail, at both calls that ask it, through the API and the real client.

For each: nothing is completed, the answer is a 200 in time with a reason code, and no more calls
are made than can help.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import pytest

from elivio.llm.errors import RETRYABLE
from judge import run
from judge.answer import Answer
from judge.models import CheckRun
from plans.models import Action, Completion, FollowUp, Status
from sessions.lifecycle import open_session
from sessions.transcript import add_student_turn
from tests import factories
from tests.api.calling import Caller
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.fakes.faults import PROVIDER_FAULTS
from tests.fakes.replies import Reply

pytestmark = pytest.mark.django_db(transaction=True)
LONG, SHORT = 30.0, 0.6  # seconds: more than an answer takes, and time enough to ask
SLACK = 20.0
WORDS = "I asked seven riders what they miss."
MET = answer("met", text="seven riders")
PASS = replies.json(MET)
JSON = replies.json(MET).body["candidates"][0]["content"]["parts"][0]["text"]


@dataclass(frozen=True)
class Fault:
    """A reply that is always given, and what has to come of it: reason and number of calls."""

    name: str
    reply: Reply
    reason: str
    calls: int
    deadline: float = LONG
    least: float = run.LEAST_SECONDS


def row(**changes: Any) -> dict[str, Any]:
    return {**MET, "rows": [{**MET["rows"][0], **changes}]}


PROVIDER = [
    Fault(
        name,
        reply,
        code,
        2 if code in RETRYABLE else 1,
        SHORT if code == "timeout" else LONG,
    )
    for name, reply, code in PROVIDER_FAULTS
    if name != "429"  # it asks to wait, see below
]
WAITING = [
    Fault("429 for a moment", replies.error(429, retry_after=0.2), "rate_limited", 2),
    Fault("429 for a minute", replies.error(429, retry_after=60), "rate_limited", 1),
    Fault(
        "503 for longer than there is",
        replies.error(503, retry_after=4.5),
        "overloaded",
        1,
        deadline=5.0,
    ),
    Fault("503 when no time is left", replies.error(503), "overloaded", 1, least=LONG),
    Fault("a good answer, late", replies.delay(SHORT + SLACK, PASS), "timeout", 1, deadline=SHORT),
    Fault("a good answer, drip-fed", replies.drip(0.02, PASS), "timeout", 1, deadline=SHORT),
]
ANSWERS = [
    Fault("praise", replies.text("You are done."), "not_json", 2),
    Fault("fenced", replies.text(f"```json\n{JSON}\n```"), "not_json", 2),
    Fault("two objects", replies.text(f"{JSON}\n{JSON}"), "not_json", 2),
    Fault("words around it", replies.text(f"Here it is: {JSON}"), "not_json", 2),
    Fault("truncated", replies.text(JSON[:-1]), "not_json", 2),
    Fault("not a number", replies.text(JSON.replace("true", "NaN")), "not_json", 2),
    Fault("too deep for the library", replies.text("[" * 100_000), "unknown", 1),
    Fault("cut off but parseable", replies.max_tokens(JSON), "cut_off", 2),
    Fault("a tool call beside it", replies.tool_call("mark", {}, say=JSON), "tool_call", 2),
    Fault(
        "doubled key",
        replies.text(JSON.replace('"allMet"', '"allMet": false, "allMet"')),
        "doubled_key",
        2,
    ),
    Fault(
        "doubled key in a row",
        replies.text(JSON.replace('"status"', '"status": "not_met", "status"')),
        "doubled_key",
        2,
    ),
    Fault("a list", replies.json([MET]), "wrong_form", 2),
    Fault("nothing", replies.json(None), "wrong_form", 2),
    Fault("rows as a word", replies.json({**MET, "rows": "met"}), "wrong_form", 2),
    Fault("allMet as a word", replies.json({**MET, "allMet": "true"}), "wrong_form", 2),
    Fault("no allMet", replies.json({"rows": MET["rows"]}), "wrong_form", 2),
    Fault("a field too many", replies.json({**MET, "completed": True}), "wrong_form", 2),
    Fault("a status unheard of", replies.json(row(status="complete")), "wrong_form", 2),
    Fault("status as a truth value", replies.json(row(status=True)), "wrong_form", 2),
    Fault("turn as a word", replies.json(row(evidence=[{"turn": "1", "quote": "seven"}])),
          "wrong_form", 2),
    Fault("evidence as a word", replies.json(row(evidence="turn 1")), "wrong_form", 2),
    Fault("no rows", replies.json({"rows": [], "allMet": True}), "wrong_rows", 2),
    Fault("a row too many", replies.json(answer("met", "met", text="seven riders")),
          "wrong_rows", 2),
    Fault("a doubled row", replies.json({**MET, "rows": MET["rows"] * 2}), "wrong_rows", 2),
    Fault("another's row", replies.json(row(id="r2")), "wrong_rows", 2),
]  # fmt: skip
FAULTS = [*PROVIDER, *WAITING, *ANSWERS]


@pytest.fixture
def path() -> tuple[Caller, str]:
    """A student's open session on a task with one requirement, and the words that meet it."""
    student = factories.make_student()
    plan = factories.make_plan(student)
    action = factories.make_action(plan, requirements=[("Ask seven riders", "written")])
    session = open_session(action, student)
    add_student_turn(session.pk, WORDS, None)
    return Caller(student), f"sessions/{session.pk}"


def ask(path: tuple[Caller, str], call: str) -> tuple[dict[str, Any], float]:
    """The check card of a call, and the seconds it took. A 5xx or an exception fails the test."""
    caller, session = path
    started = time.monotonic()
    response = caller.post(f"{session}/{call}", {})
    seconds = time.monotonic() - started
    assert response.status_code == 200, response.content
    data = response.json()
    if call == "complete":
        assert data["completed"] is False
        data = data["check"]
    return data, seconds


def assert_nothing_completed() -> None:
    assert not Completion.objects.exists()
    assert not FollowUp.objects.exists()
    assert Action.objects.get().status == Status.NOT_STARTED


@pytest.mark.filterwarnings("ignore:NEW_REASON is not a valid")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_completes_nothing(
    path: Any, gemini: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    settings.JUDGE_DEADLINE_SECONDS = fault.deadline
    monkeypatch.setattr(run, "LEAST_SECONDS", fault.least)
    gemini.respond = lambda request: fault.reply
    for call in ("check", "complete"):
        gemini.requests.clear()
        card, seconds = ask(path, call)
        assert (card["outcome"], card["reason"]) == ("undecided", fault.reason)
        assert (card["allMet"], card["blockers"]) == (False, [])
        assert [each["status"] for each in card["requirements"]] == ["undecided"]
        assert card["summary"].endswith(".") and "self-reported" in card["summary"]
        assert gemini.calls == fault.calls
        assert seconds < fault.deadline + SLACK
    assert_nothing_completed()
    runs = CheckRun.objects.values_list("trigger", "outcome", "reason")
    assert set(runs) == {
        ("check", "undecided", fault.reason),
        ("tap", "undecided", fault.reason),
    }


@pytest.mark.parametrize("call", ["check", "complete"])
def test_control_the_same_calls_with_a_good_judge(path: Any, gemini: Any, call: str) -> None:
    gemini.enqueue(PASS)
    caller, session = path
    data = caller.post(f"{session}/{call}", {}).json()
    assert (data if call == "check" else data["check"])["allMet"]
    assert gemini.calls == 1
    assert Completion.objects.exists() is (call == "complete")


def test_control_a_lenient_reader_would_complete(
    path: Any, gemini: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first brace to the last, as is often done: then a fenced answer goes through."""

    def parse_leniently(text: str, task: Any) -> Answer:
        return Answer.model_validate_json(text[text.index("{") : text.rindex("}") + 1])

    monkeypatch.setattr(run, "parse_answer", parse_leniently)
    fenced = next(fault for fault in ANSWERS if fault.name == "fenced")
    gemini.respond = lambda request: fenced.reply
    caller, session = path
    assert caller.post(f"{session}/complete", {}).json()["completed"]
    assert Completion.objects.exists()
