"""A judge that always says met, at both calls, through the API and the real client: no row is met
by what is not there, and the same call passes on evidence that is."""

import base64
import json
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from elivio.valkey import connect
from judge import policy
from judge.models import CheckRun
from plans.models import Action, Completion, FollowUp, Status
from sessions import frames
from sessions.images import clean_upload
from sessions.lifecycle import open_session
from sessions.transcript import add_reply, add_student_turn
from tests import factories
from tests.api.calling import Caller, make_picture
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini, FakeRequest
from tests.fakes.replies import Reply

pytestmark = pytest.mark.django_db(transaction=True)
WORK = "I asked seven riders, and all of them miss the evening bus."
COPILOT = (
    "You could say that most riders of the line would rather wait for a bus that is late than "
    "walk home in the rain."
)
PASTED = f"My answer: {COPILOT}"
LAST = "That is all for today."
QUOTES = (("Asks seven riders", "written"), ("Shows the answers", "shown"), ("Sums up", "either"))
PICTURES = (("Shows the map", "shown"), ("Shows or tells the colours", "either"))
STALE, BLACK, CURRENT = 1, 2, 3  # the session's pictures, oldest first
TRUE_QUOTE: dict[str, Any] = {"turn": 1, "quote": "seven riders"}
TRUE_PICTURE: dict[str, Any] = {"frame": CURRENT}


@dataclass(frozen=True)
class Lie:
    """Citations that every row is called met on, what code must find wrong with them, and the
    honest citation for the very same rows."""

    name: str
    citations: list[dict[str, Any]]
    fault: str
    rows: tuple[tuple[str, str], ...] = QUOTES
    truth: dict[str, Any] = field(default_factory=lambda: TRUE_QUOTE)


def lie_about_pictures(name: str, number: int, fault: str) -> Lie:
    return Lie(name, [{"frame": number}], fault, PICTURES, TRUE_PICTURE)


INVENTED = {"turn": 1, "quote": "I have finished all of it, and here is the proof"}
LIES = [
    Lie("an invented quote", [INVENTED], "quote_not_found"),
    Lie("a true quote and an invented one", [TRUE_QUOTE, INVENTED], "quote_not_found"),
    Lie("a word more", [{"turn": 1, "quote": "seven riders today"}], "quote_not_found"),
    Lie("half a word", [{"turn": 1, "quote": "seven rid"}], "quote_not_found"),
    Lie("other words in between", [{"turn": 1, "quote": "I asked riders"}], "quote_not_found"),
    Lie("words of another turn", [{"turn": 4, "quote": "seven riders"}], "quote_not_found"),
    Lie("words of another task", [{"turn": 1, "quote": "forty stations"}], "quote_not_found"),
    Lie("the row's own words", [{"turn": 1, "quote": "Asks seven riders"}], "quote_not_found"),
    Lie("a turn that is not there", [{"turn": 9, "quote": "seven riders"}], "no_such_turn"),
    Lie("the copilot's turn", [{"turn": 2, "quote": "most riders"}], "not_the_students_turn"),
    Lie("the copilot's words as the student's", [{"turn": 1, "quote": "most riders"}],
        "quote_not_found"),
    Lie("the copilot's words, pasted back", [{"turn": 3, "quote": COPILOT}], "copilots_words"),
    Lie("few of them", [{"turn": 3, "quote": "would rather wait for a bus"}], "copilots_words"),
    Lie("them and what stands around", [{"turn": 3, "quote": PASTED}], "copilots_words"),
    Lie("a full stop", [{"turn": 1, "quote": "."}], "empty_quote"),
    Lie("nothing", [], "no_evidence"),
    lie_about_pictures("a stale picture", STALE, "old_frame"),
    lie_about_pictures("a black picture", BLACK, "black_frame"),
    lie_about_pictures("a picture that is not there", 4, "no_such_frame"),
    Lie("a picture where words are asked for", [{"frame": CURRENT}], "frame_for_written_row",
        QUOTES[:1]),
]  # fmt: skip


def make_session(rows: tuple[tuple[str, str], ...]) -> tuple[Caller, str]:
    """A student's session with four turns and three pictures, beside another task's session."""
    student = factories.make_student()
    plan = factories.make_plan(student)
    other = open_session(factories.make_action(plan), student)
    add_student_turn(other.pk, "I counted forty stations.", None)
    action = factories.make_action(plan, "Ask the riders", requirements=rows)
    session = open_session(action, student)
    add_reply(add_student_turn(session.pk, WORK, None), COPILOT, [])
    for words in (PASTED, LAST):
        add_student_turn(session.pk, words, None)
    now = time.time()
    for colour, received_at in (("red", now - 700), ("black", now - 30), ("blue", now - 15)):
        image = clean_upload(make_picture(colour=colour))
        frame = frames.StoredFrame(image.jpeg, image.is_black, received_at)
        connect().lpush(frames._key(session.pk), frames._pack(frame))
    return Caller(student), f"sessions/{session.pk}"


def say_met(citations: list[dict[str, Any]]) -> Any:
    """Every row that the request names, met on these citations, whenever it is asked."""

    def respond(request: FakeRequest) -> Reply:
        keys = request.text.rpartition("Rows, each exactly once: ")[2].splitlines()[0].split(", ")
        row = {"evidence": citations, "note": "All of it is there.", "status": "met"}
        return replies.json({"rows": [{"id": key, **row} for key in keys], "allMet": True})

    return respond


def ask(caller: Caller, session: str, call: str, body: dict[str, Any]) -> tuple[bool, Any]:
    """Whether the task was completed, and the card."""
    response = caller.post(f"{session}/{call}", body)
    assert response.status_code == 200, response.content
    data = response.json()
    return (data["completed"], data["check"]) if call == "complete" else (False, data)


def assert_nothing_is_met(completed: bool, card: Any, fault: str) -> None:
    assert (completed, card["allMet"], card["outcome"]) == (False, False, "failed")
    assert {row["status"] for row in card["requirements"]} == {"not_shown"}
    stored = CheckRun.objects.get(pk=card["id"])
    assert all(row["faults"] == [fault] for row in stored.checklist)
    assert not Completion.objects.exists() and not FollowUp.objects.exists()
    assert not Action.objects.filter(status=Status.COMPLETED).exists()


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.name)
def test_no_row_is_met_and_the_honest_citation_passes(gemini: FakeGemini, lie: Lie) -> None:
    caller, session = make_session(lie.rows)
    gemini.respond = say_met(lie.citations)
    for call in ("check", "complete"):
        gemini.requests.clear()
        assert_nothing_is_met(*ask(caller, session, call, {}), lie.fault)
        assert gemini.calls == 2  # asked again once, and it insisted
        assert not any(
            {"tools", "tool_config"} & request.body.keys() for request in gemini.requests
        )
    gemini.respond = say_met([lie.truth])
    assert ask(caller, session, "check", {})[1]["allMet"]
    assert not Completion.objects.exists()
    completed, card = ask(caller, session, "complete", {})
    assert completed and card["allMet"] and Completion.objects.count() == 1


@pytest.mark.parametrize(
    "lie",
    {lie.fault: lie for lie in LIES if lie.citations}.values(),
    ids=lambda lie: lie.name,
)
def test_control_without_the_look_up_it_would_complete(
    gemini: FakeGemini, lie: Lie, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "find_fault", lambda *_: "")
    caller, session = make_session(lie.rows)
    gemini.respond = say_met(lie.citations)
    assert ask(caller, session, "complete", {})[0] and Completion.objects.exists()


@pytest.mark.parametrize(("colour", "is_shown"), [("black", False), ("green", True)])
def test_a_picture_sent_with_the_call(gemini: FakeGemini, colour: str, is_shown: bool) -> None:
    """It is the newest of three then, so the stale one has left."""
    caller, session = make_session(PICTURES)
    gemini.respond = say_met([{"frame": 3}])
    body = {"screenshotBase64": base64.b64encode(make_picture(colour=colour).read()).decode()}
    completed, card = ask(caller, session, "complete", body)
    assert completed is is_shown
    if not is_shown:
        assert_nothing_is_met(completed, card, "black_frame")


def test_a_passed_check_alone_completes_nothing(gemini: FakeGemini) -> None:
    """However often, and whatever it is told to say: only the student's tap does."""
    caller, session = make_session(QUOTES)
    gemini.respond = say_met([TRUE_QUOTE])
    for _ in range(3):
        assert ask(caller, session, "check", {})[1]["allMet"]
    assert not Completion.objects.exists()
    text = json.dumps([request.raw for request in gemini.requests])
    assert "mark_task_completed" not in text
