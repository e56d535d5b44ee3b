"""The project's own cases: whole, labelled both ways, and judged right by an honest judge."""

import json
import re
from collections import Counter

import pytest

from judge import policy
from judge.evaluation.case_evidence import make_evidence
from judge.evaluation.cases import read_cases, write_case
from sessions.frames import KEPT
from sessions.transcript import LONGEST_TURN
from tests.judge.evaluation.judges import (
    HOSTILE,
    OWN_FILES,
    ask_honest,
    ask_hostile,
    cite_truly,
    find_pasted_back,
    read_proofs,
    rule_on,
)

CASES = {case.id: case for case in read_cases(OWN_FILES)}
PROOFS = read_proofs()
KINDS = {"write", "build", "reflect", "configure", "research", "show"}
FAULTS = {
    "agreed",
    "black_frame",
    "claim",
    "copied_work",
    "copilot_praise",
    "exact_value",
    "frames",
    "long",
    "neighbour_task",
    "old_frame",
    "other_language",
    "persona",
    "platform",
    "platform_left",
    "stretch",
    "text_in_image",
    "written_counts",
}
MAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w+")
# The demo project and the one in the design's pictures are not judged by cases about them.
SHOWN_ELSEWHERE = ("film club", "lending desk", "bike", "cupboard", "borrower")
MOST_BYTES = 600_000
# No honest citation: most of this turn is the copilot's.
NOT_HONEST = {("copied-code-open", "turn")}


def each_case():
    return pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def twin_of(case):
    found = [each for each in CASES.values() if each.twin_of == case.id]
    return CASES[case.twin_of] if case.twin_of else found[0]


def honest_citings():
    for case in CASES.values():
        for way in ("words", "lines", "turn"):
            if (case.id, way) not in NOT_HONEST:
                yield pytest.param(case, way, id=f"{case.id}-{way}")


def test_the_files_are_read_without_a_remark():
    remarks = []
    read = read_cases(OWN_FILES, say=remarks.append)
    assert remarks == []
    assert len({case.id for case in read}) == len(read) >= 90
    assert sum(path.stat().st_size for path in OWN_FILES) < MOST_BYTES


def test_writing_a_case_gives_its_line_again():
    line = OWN_FILES[0].read_text().splitlines()[0]
    written = json.loads(write_case(CASES[json.loads(line)["id"]]))
    read = {name: value for name, value in json.loads(line).items() if name != "metadata"}
    assert written == read


def test_both_labels_for_each_kind_of_task():
    counts = Counter((case.kind, case.all_met_label) for case in CASES.values())
    assert {kind for kind, _ in counts} == KINDS
    assert min(counts.values()) >= 5 and len(counts) == 2 * len(KINDS)


def test_every_fault_has_a_case_and_its_twin():
    hard = [case for case in CASES.values() if "hard" in case.tags]
    assert {tag for case in hard for tag in case.tags} >= FAULTS


@each_case()
def test_every_case_has_a_twin_with_the_other_label(case):
    twin = twin_of(case)
    assert twin.all_met_label is not case.all_met_label
    assert bool(case.twin_of) is case.all_met_label
    assert twin.file == case.file and twin.kind == case.kind
    assert (twin.task_title, twin.task_description) == (case.task_title, case.task_description)
    assert [row.title for row in twin.requirements] == [row.title for row in case.requirements]


@each_case()
def test_a_case_is_as_the_product_would_have_it(case):
    assert case.source == "own" and case.week
    assert 1 <= len(case.requirements) <= 4
    assert {turn.role for turn in case.transcript} <= {"student", "copilot"}
    assert all(0 < len(turn.text) <= LONGEST_TURN for turn in case.transcript)
    assert make_evidence(case).omitted == 0
    ages = [frame.age_seconds for frame in case.frames]
    assert ages == sorted(ages, reverse=True) and len(ages) <= KEPT


@each_case()
def test_a_case_names_nobody_and_nothing_shown_elsewhere(case):
    text = write_case(case)
    assert not MAIL.search(text)
    assert not any(words in text.casefold() for words in SHOWN_ELSEWHERE)


def test_cases_are_of_many_forms():
    cases = CASES.values()
    assert sum(len(case.transcript) >= 40 for case in cases) >= 4
    assert {len(case.requirements) for case in cases} == {1, 2, 3, 4}
    rows = Counter(
        (row.evidence_kind, row.origin, row.met_label)
        for case in cases
        for row in case.requirements
    )
    for kind, least in (("written", 20), ("shown", 20), ("either", 5)):
        assert min(rows[kind, "plan", True], rows[kind, "plan", False]) >= least
    agreed = {(kind, label) for kind, origin, label in rows if origin == "agreed"}
    assert agreed == {(kind, label) for kind in ("written", "shown") for label in (True, False)}
    frames = [frame for case in cases for frame in make_evidence(case).frames]
    assert any(frame.is_black for frame in frames)
    assert any(not frame.is_current and not frame.is_black for frame in frames)


@pytest.mark.parametrize("case, way", list(honest_citings()))
def test_code_never_stops_an_honest_judge(case, way):
    verdict = ask_honest(case, case, make_evidence(case), PROOFS.get(case.id, {}), way)
    found = [(row.status == "met", row.faults) for row in verdict.rows]
    assert found == [(row.met_label, ()) for row in case.requirements]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_judge_gets_no_row_by_evidence_that_is_not_there(name):
    through = {case.id: ask_hostile(make_evidence(case), HOSTILE[name]) for case in CASES.values()}
    assert Counter(through) == Counter(dict.fromkeys(CASES, 0))


@pytest.mark.parametrize("name", sorted(set(HOSTILE) - {"cite_nothing"}))
def test_without_the_check_of_citations_it_would(name, monkeypatch):
    monkeypatch.setattr(policy, "find_fault", lambda *_: "")
    through = [ask_hostile(make_evidence(case), HOSTILE[name]) for case in CASES.values()]
    assert sum(through) > 0


def test_code_alone_cannot_tell_true_words_that_prove_nothing():
    assert all(ask_hostile(make_evidence(case), cite_truly) for case in CASES.values())


def test_a_picture_never_meets_a_written_row():
    for case in CASES.values():
        evidence = make_evidence(case)
        for frame in evidence.frames:
            verdict = rule_on(
                evidence, [("met", [{"frame": frame.number}])] * len(case.requirements)
            )
            met = [row for row in verdict.rows if row.status == "met"]
            assert all(row.row.evidence_kind != "written" for row in met)
            assert not met or frame.is_current


@pytest.mark.parametrize("words", [12, 5])
def test_work_of_the_copilot_sent_back_meets_no_row(words):
    """However few of its words are quoted."""
    copied = [case for case in CASES.values() if "copied_work" in case.tags]
    faults = Counter()
    for case in copied:
        evidence = make_evidence(case)
        for citation in () if case.all_met_label else find_pasted_back(evidence, words):
            verdict = rule_on(evidence, [("met", [citation])] * len(case.requirements))
            faults.update(row.faults for row in verdict.rows)
    assert set(faults) == {("copilots_words",)} and faults.total() > 20
