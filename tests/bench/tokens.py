"""What a check of a long conversation sends to the model: characters exactly, tokens by estimate.

No model is asked and no price is invented: prices come from whoever runs it.
"""

import json
from dataclasses import dataclass
from itertools import cycle, islice, takewhile

from elivio import env
from elivio.llm.messages import StructuredRequest, Text
from judge.evidence import Evidence, read_task
from judge.prompt import build_request
from sessions.models import CopilotSession, Turn
from sessions.transcript import read_evidence_turns
from tests.bench import rows

CHARACTERS_A_TOKEN = 4  # a rule of thumb for English; the page of judge health has what was counted
CALLS = 2  # of a completion: the check, and the tap that checks again
PER = 1_000_000
PRICES = ("PRICE_INPUT", "PRICE_OUTPUT")


@dataclass(frozen=True)
class Request:
    """Characters of one request, part by part, and of an answer to it. `kept` are those that a
    request after one more message begins with too."""

    turns: int
    words: int
    omitted: int
    rules: int
    task: int
    transcript: int
    form: int
    answer: int
    kept: int

    @property
    def sent(self) -> int:
        return self.rules + self.task + self.transcript + self.form


@dataclass(frozen=True)
class Prices:
    """Per million tokens, in any currency."""

    input: float
    output: float


def read_prices() -> Prices | None:
    """From the environment; None unless both are set."""
    if not all(env.text(name) for name in PRICES):
        return None
    return Prices(*(env.number(name, 0.0) for name in PRICES))


def measure_request(turns: int = 60, words: int = 200) -> Request:
    """A task of three rows after so many turns of so many words, as the product would ask."""
    action = rows.actions_of(rows.make_plan(1))[0]
    session = CopilotSession.objects.create(action=action, student=action.week.plan.owner)
    for number in range(1, turns + 1):
        add_turn(session, number, words)
    first, omitted = read_request(session)
    add_turn(session, turns + 1, words)
    later, _ = read_request(session)
    task, transcript, closing = [len(text) for text in texts_of(first)]
    return Request(
        turns,
        words,
        omitted,
        rules=len(first.system),
        task=task,
        transcript=transcript,
        form=closing + len(json.dumps(first.schema)),
        answer=len(json.dumps(make_answer())),
        kept=count_common(whole(first), whole(later)),
    )


def add_turn(session: CopilotSession, number: int, words: int) -> None:
    role, text = ("student", rows.WORK) if number % 2 else ("copilot", rows.REPLY)
    said = " ".join(islice(cycle(text.split()), words))
    Turn.objects.create(session=session, number=number, role=role, text=said)


def read_request(session: CopilotSession) -> tuple[StructuredRequest, int]:
    """The request for the session's check, and how many turns it leaves out."""
    turns, omitted = read_evidence_turns(session.action_id)
    evidence = Evidence(read_task(session.action_id), turns, omitted)
    return build_request(evidence, dict), omitted


def texts_of(request: StructuredRequest) -> list[str]:
    return [part.text for part in request.parts if isinstance(part, Text)]


def whole(request: StructuredRequest) -> str:
    return "".join([request.system, *texts_of(request)])


def count_common(one: str, other: str) -> int:
    """How many characters both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def make_answer() -> dict:
    """An answer of usual length: a quote of twenty words and a note of twenty for each row."""
    twenty = " ".join(rows.WORK.split()[:20])
    row = {"evidence": [{"turn": 59, "quote": twenty}], "note": twenty, "status": "met"}
    return {"rows": [{"id": f"r{at}", **row} for at in (1, 2, 3)], "allMet": True}


def estimate(characters: int) -> int:
    return round(characters / CHARACTERS_A_TOKEN)


def write_tokens(request: Request, prices: Prices | None) -> str:
    """The table for the report, with the cost of a completion or what to set for it."""
    parts = [
        ("Rules", request.rules),
        ("Task with three rows", request.task),
        (f"{request.turns - request.omitted} turns of {request.words} words", request.transcript),
        ("Form of the answer", request.form),
        ("**A check, in all**", request.sent),
        ("Answer, without thoughts", request.answer),
    ]
    lines = ["| part of a check | characters | tokens, about |", "|---|---|---|"]
    lines += [f"| {name} | {size:,} | {estimate(size):,} |" for name, size in parts]
    share = 100 * request.kept / request.sent
    stands = request.rules + request.task
    return "\n".join(
        [
            *lines,
            "",
            f"- The first {request.kept:,} characters ({share:.1f} %) are the same, byte for byte, "
            f"after one more message; {stands:,} of them are rules and task, which no message "
            "changes. A tap right after a check, without pictures, sends the same request again.",
            f"- {say_cost(request, prices)}",
        ]
    )


def say_cost(request: Request, prices: Prices | None) -> str:
    sent, answered = CALLS * estimate(request.sent), CALLS * estimate(request.answer)
    text = (
        f"A completion takes a check and a tap: about {sent:,} tokens sent and {answered:,} "
        "answered, when neither has to ask twice."
    )
    if prices is None:
        return f"{text} Its cost is not known: set {' and '.join(PRICES)} (per million tokens)."
    cost = (sent * prices.input + answered * prices.output) / PER
    return (
        f"{text} At {prices.input:g} and {prices.output:g} per million tokens it costs "
        f"{cost:.4f}, with nothing cached and no thoughts counted."
    )
