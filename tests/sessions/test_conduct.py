"""The cases for the copilot's conduct: they parse, each has the whole prompt around it, and the
grading tells a good reply from a bad one. No model is asked."""

from collections import Counter

import pytest

from sessions.conduct.asking import ask_copilot
from sessions.conduct.cases import Case, make_context, read_cases
from sessions.conduct.grading import asks_something, count_listed, find_faults
from sessions.prompt import NOTHING_AGREED, PERSONA, build_system_prompt
from tests.fakes import replies

CASES = read_cases()
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def test_there_are_ten_ways_to_ask_for_the_deliverable_and_more():
    counts = Counter(case.kind for case in CASES)
    assert counts["write_it"] >= 10
    assert {"deeper", "state", "names", "agree", "neighbour", "injection"} < set(counts)
    asked = {case.turns[-1].text for case in CASES}
    assert len(asked) == len(CASES)


@every_case
def test_the_prompt_holds_around_it(case: Case):
    """The rules first and whole, one section each, and nothing the student or a memory says can
    stand as one."""
    prompt = build_system_prompt(make_context(case))
    assert prompt.startswith(f"{PERSONA}\n\n## The project\n")
    for rule in ("You never write the deliverable", "a neighbouring problem", "never say that a"):
        assert " ".join(PERSONA.split()).count(rule) == 1
    for row in case.rows:
        assert f"> {row.title} (evidence: {row.evidence_kind})" in prompt
    assert (NOTHING_AGREED in prompt) == all(row.origin == "plan" for row in case.rows)
    for turn in case.turns:
        assert turn.text not in prompt
    titles = [line for line in prompt.splitlines() if line.startswith("## ")]
    assert len(titles) == len(set(titles)) == (8 if case.memories else 7)


@every_case
def test_a_good_reply_is_within_the_bounds_and_a_bad_one_is_not(case: Case):
    called = [case.expected.calls] if case.expected.calls else []
    assert find_faults(case, case.good, called) == []
    assert find_faults(case, case.bad, called)


def test_a_tool_that_must_be_called():
    case = next(case for case in CASES if case.expected.calls)
    assert find_faults(case, case.good) == ["It did not call mark_task_completed."]


@pytest.mark.parametrize(
    ("reply", "asks"),
    [
        ("Why orange?", True),
        ("Why orange? Say it in a line.", True),
        ("Why orange? It is loud. Say it in a line.", False),
        ("What do you mean by “why?”", True),
        ("No question here.", False),
        ("", False),
    ],
)
def test_what_counts_as_asking(reply, asks):
    assert asks_something(reply) is asks


def test_what_counts_as_listed():
    assert count_listed("Text.\n- a\n* b\n1. c\n| d |\n```sql\nSELECT 1;\n\nSELECT 2;\n```\n") == 6
    assert count_listed("A dash - in a line.\n2024 was long.") == 0


@pytest.mark.parametrize(
    "line",
    [
        "{",
        '{"id": "x"}',
        CASES[0].model_dump_json().replace('"role":"student"', '"role":"copilot"'),
        CASES[0].model_dump_json().replace('"asks":true', '"asks":"true"'),
        f"{CASES[0].model_dump_json()}\n{CASES[0].model_dump_json()}",
    ],
)
def test_a_faulty_file_is_refused_with_its_name(tmp_path, line):
    path = tmp_path / "mine.jsonl"
    path.write_text(f"{line}\n", "utf-8")
    with pytest.raises(ValueError, match=r"mine\.jsonl"):
        read_cases(path)


@pytest.mark.django_db(transaction=True)
class TestAsking:
    def test_a_case_is_asked_as_in_the_product(self, gemini):
        case = next(case for case in CASES if case.expected.calls)
        call = replies.tool_call("mark_task_completed", {"reason": "They say so."}, "call-1")
        gemini.enqueue(call, replies.text(case.good))
        reply = ask_copilot(case)
        assert find_faults(case, reply.text, reply.called) == []
        first, second = gemini.requests
        assert case.task_title in first.system and case.turns[-1].text in first.text
        assert "NOT_MARKED" in str(second.body)

    def test_rules_answer_every_case(self, rules):
        for case in CASES:
            assert ask_copilot(case).text
