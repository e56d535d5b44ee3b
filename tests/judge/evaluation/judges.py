"""Judges that need no model, as pure functions: an honest one that knows the labels and where the
proof stands, and hostile ones that call every row met."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import judge
from judge.answer import parse_answer
from judge.evaluation.cases import Case
from judge.evidence import Evidence, Turn
from judge.policy import Verdict, decide
from judge.prompt import neutralise

OWN_FILES = sorted((Path(judge.__file__).parent / "cases").glob("*.jsonl"))
INVENTED = "here is the finished work with everything that this row asks for in full"

LONG_RUN = 12  # so many words of the copilot's in a row are its work

Citations = list[dict[str, Any]]
Attempts = list[Citations]
Hostile = Callable[[Evidence], Attempts]


def read_proofs() -> dict[str, dict[str, Citations]]:
    """Where the proof of each met row stands, by case: written by the author of the case."""
    lines = (json.loads(line) for path in OWN_FILES for line in path.read_text().splitlines())
    return {line["id"]: line.get("metadata", {}).get("proofs", {}) for line in lines}


def rule_on(evidence: Evidence, rows: list[tuple[str, Citations]]) -> Verdict:
    """What the product decides when its model says these statuses with these citations."""
    said = [
        {"id": row.key, "evidence": citations, "note": "", "status": status}
        for row, (status, citations) in zip(evidence.task.rows, rows, strict=True)
    ]
    all_met = all(status == "met" for status, _ in rows)
    return decide(
        parse_answer(json.dumps({"rows": said, "allMet": all_met}), evidence.task), evidence
    )


def ask_honest(
    case: Case, original: Case, evidence: Evidence, proofs: dict[str, Citations], way: str = "words"
) -> Verdict:
    """A judge that is right, and quotes from what it was shown: the proving "words", the whole
    "lines" they stand in, or the whole "turn"."""
    rows = []
    for place, row in enumerate(case.requirements, start=1):
        if row.met_label:
            found = [_cite(proof, case, original, evidence, way) for proof in proofs[f"r{place}"]]
            rows.append(("met", found))
        else:
            rows.append(("not_met", []))
    return rule_on(evidence, rows)


def ask_hostile(evidence: Evidence, hostile: Hostile) -> int:
    """How many rows a hostile judge gets through, each of its attempts counted on its own."""
    verdicts = [
        rule_on(evidence, [("met", citations) for _ in evidence.task.rows])
        for citations in hostile(evidence)
    ]
    return sum(row.status == "met" for verdict in verdicts for row in verdict.rows)


def _cite(
    proof: dict[str, Any], case: Case, original: Case, evidence: Evidence, way: str
) -> dict[str, Any]:
    if "frame" in proof:
        data = original.frames[proof["frame"] - 1].data
        return {"frame": [frame.data for frame in case.frames].index(data) + 1}
    shown = neutralise(evidence.turn(proof["turn"]).text)
    quotes = {"words": proof["quote"], "turn": shown[:2000]}
    return {
        "turn": proof["turn"],
        "quote": quotes.get(way) or _find_lines(proof["quote"], shown),
    }


def _find_lines(quote: str, text: str) -> str:
    """The fewest whole lines of the text that hold the quote; the quote when none do."""
    lines = text.split("\n")
    wanted = _flat(neutralise(quote))
    spans = (
        "\n".join(lines[start : start + many])
        for many in range(1, len(lines) + 1)
        for start in range(len(lines) - many + 1)
    )
    return next((span for span in spans if wanted in _flat(span)), quote)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _student_turns(evidence: Evidence) -> list[Turn]:
    """The first two and the last four, among which are all that an attack adds."""
    turns = [turn for turn in evidence.turns if turn.role == "student"]
    return turns if len(turns) <= 6 else turns[:2] + turns[-4:]


def _copilot_turns(evidence: Evidence) -> list[Turn]:
    return [turn for turn in evidence.turns if turn.role == "copilot"]


def _words(turn: Turn, most: int = 6) -> str:
    return " ".join(turn.text.split()[:most])


def cite_truly(evidence: Evidence) -> Attempts:
    """Words that do stand there, whatever they prove: what only a judge's sense can refuse."""
    return [[{"turn": turn.number, "quote": _words(turn)}] for turn in _student_turns(evidence)]


def invent_quotes(evidence: Evidence) -> Attempts:
    return [[{"turn": turn.number, "quote": INVENTED}] for turn in _student_turns(evidence)]


def cite_turns_that_do_not_exist(evidence: Evidence) -> Attempts:
    words = _words(_student_turns(evidence)[-1])
    return [[{"turn": number, "quote": words}] for number in (-1, 0, len(evidence.turns) + 1)]


def add_a_word(evidence: Evidence) -> Attempts:
    return [
        [{"turn": turn.number, "quote": f"{_words(turn)} perfectly"}]
        for turn in _student_turns(evidence)
    ]


def cite_the_copilot(evidence: Evidence) -> Attempts:
    return [[{"turn": turn.number, "quote": _words(turn)}] for turn in _copilot_turns(evidence)]


def cite_the_copilot_as_the_student(evidence: Evidence) -> Attempts:
    """The copilot's words with the number of a student's turn."""
    first = _student_turns(evidence)[0].number
    return [[{"turn": first, "quote": _words(turn)}] for turn in _copilot_turns(evidence)]


def cite_frames_that_do_not_count(evidence: Evidence) -> Attempts:
    numbers = [frame.number for frame in evidence.frames if not frame.is_current]
    return [[{"frame": number}] for number in (*numbers, 0, 99)]


def add_an_invented_quote_to_a_true_one(evidence: Evidence) -> Attempts:
    pairs = zip(cite_truly(evidence), invent_quotes(evidence), strict=True)
    return [true + invented for true, invented in pairs]


def cite_nothing(evidence: Evidence) -> Attempts:
    return [[]]


def find_pasted_back(evidence: Evidence, words: int) -> Iterator[dict[str, Any]]:
    """Quotes of so many words out of what a student sent after the copilot had said it, in a run
    that is long enough to be the copilot's work and no part of a requirement."""
    task = [f" {_flat(row.title)} " for row in evidence.task.rows]
    for turn in _student_turns(evidence):
        said = turn.text.split()
        before = [
            f" {_flat(copilot.text)} "
            for copilot in evidence.turns
            if copilot.role == "copilot" and copilot.number < turn.number
        ]
        for start in range(len(said) - LONG_RUN + 1):
            run = f" {' '.join(said[start : start + LONG_RUN])} "
            if any(run in text for text in before) and not any(run in row for row in task):
                yield {"turn": turn.number, "quote": " ".join(said[start : start + words])}


HOSTILE: dict[str, Hostile] = {
    hostile.__name__: hostile
    for hostile in (
        invent_quotes,
        cite_turns_that_do_not_exist,
        add_a_word,
        cite_the_copilot,
        cite_the_copilot_as_the_student,
        cite_frames_that_do_not_count,
        add_an_invented_quote_to_a_true_one,
        cite_nothing,
    )
}
