"""A case goes the way a student's evidence goes, and runs go together, each kept when it comes."""

import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from judge.evaluation.attacks import ATTACKS
from judge.evaluation.case_evidence import make_evidence
from judge.evaluation.cases import Case, CaseRow, CaseTurn, CaseWeek
from judge.evaluation.results import Judged
from judge.evaluation.run import ask_judge, plan_runs, run_case, run_together
from judge.evaluation.selection import NoSuchAttack, add_attacks, take_sample
from judge.evidence import MOST_TURNS, read_task
from judge.models import CheckRun
from sessions.completion import check_session
from sessions.lifecycle import open_session
from sessions.transcript import add_reply, add_student_turn
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.fakes.gemini import FakeGemini
from tests.judge.evaluation.making import WORDS, make_case

PASS = replies.json(answer("met", text="seven riders"))


def run_first(case: Case) -> Judged:
    return run_case(plan_runs([case], 1)[0])


@pytest.mark.django_db(transaction=True)
def test_the_judge_is_asked_word_for_word_as_in_the_product(gemini: FakeGemini) -> None:
    student = factories.make_student()
    rows = [("Ask seven “riders”", "written"), ("Show the list", "shown")]
    action = factories.make_action(factories.make_plan(student), requirements=rows)
    session = open_session(action, student)
    turn = add_student_turn(session.pk, f"{WORDS}</turn>", None)
    add_reply(turn, "Go on.", [])
    gemini.respond = lambda request: replies.json(answer("not_shown", "not_shown"))
    check_session(session)
    task = read_task(action.pk)
    case = make_case(
        task_title=task.title,
        task_description=task.description,
        week=CaseWeek(task.week_number, task.week_title, task.week_description),
        requirements=tuple(CaseRow(title, False, evidence_kind=kind) for title, kind in rows),
        transcript=(CaseTurn("student", f"{WORDS}</turn>"), CaseTurn("copilot", "Go on.")),
    )
    checks = CheckRun.objects.count()
    run_first(case)
    by_product, by_case = (request.raw for request in gemini.requests)
    assert by_product == by_case
    assert CheckRun.objects.count() == checks


def test_what_is_kept_of_a_run(gemini: FakeGemini) -> None:
    gemini.enqueue(PASS)
    judged = run_first(make_case(True))
    assert (judged.outcome, judged.reason, judged.calls) == ("passed", "", 1)
    assert [row.status for row in judged.rows] == ["met"]
    assert (judged.prompt_tokens, judged.cached_tokens, judged.output_tokens) == (1000, 400, 70)
    assert judged.milliseconds > 0


def test_citations_are_looked_up_in_code(gemini: FakeGemini) -> None:
    gemini.respond = lambda request: replies.json(answer("met", text="never said"))
    judged = run_first(make_case(False))
    assert (judged.outcome, judged.calls) == ("failed", 2)
    assert judged.rows[0].faults == ("quote_not_found",)


def test_no_verdict_is_undecided_with_its_reason(gemini: FakeGemini) -> None:
    gemini.enqueue(replies.blocked())
    judged = run_first(make_case(True, False))
    assert (judged.outcome, judged.reason) == ("undecided", "blocked")
    assert [row.status for row in judged.rows] == ["undecided"] * 2


def test_what_a_tool_printed_is_evidence(gemini: FakeGemini) -> None:
    gemini.enqueue(PASS)
    case = make_case(transcript=(CaseTurn("tool", WORDS),))
    assert run_first(case).outcome == "passed"


def test_labels_notes_and_references_are_not_shown(gemini: FakeGemini) -> None:
    gemini.enqueue(PASS)
    run_first(make_case(True, note="SECRET", reference="SECRET", tags=("SECRET",), kind="SECRET"))
    assert "SECRET" not in str(gemini.requests[0].raw)


def test_the_cap_of_the_product_holds() -> None:
    turns = tuple(CaseTurn("student", f"turn {number}") for number in range(MOST_TURNS + 7))
    evidence = make_evidence(make_case(transcript=turns))
    assert (len(evidence.turns), evidence.omitted) == (MOST_TURNS, 7)
    assert evidence.turns[0].number == 8


def test_unstorable_characters_are_replaced() -> None:
    [turn] = make_evidence(make_case(transcript=(CaseTurn("student", "a\x00b\ud800"),))).turns
    assert turn.text == "a\ufffdb\ufffd"


class TestPlan:
    def test_who_is_done_is_judged_twice_and_others_once(self) -> None:
        cases = [make_case(True), make_case(False), make_case(None)]
        assert [each.run for each in plan_runs(cases, 1)] == [1, 2, 1, 1]

    def test_repeat_is_for_all(self) -> None:
        assert [each.run for each in plan_runs([make_case(False)], 3)] == [1, 2, 3]

    def test_attacked_cases_are_not_judged_twice(self) -> None:
        assert len(plan_runs([make_case(True, attack="benign_pity")], 1)) == 1

    def test_another_text_is_another_run(self) -> None:
        cases = [make_case(False), make_case(False, task_description="Other.")]
        assert len({each.key for each in plan_runs(cases, 1)}) == 2


class TestSelection:
    cases: Sequence[Case] = tuple(make_case(False, id=str(number)) for number in range(10))

    @pytest.mark.parametrize(
        ("limit", "ids"), [(None, "0123456789"), (99, "0123456789"), (3, "036"), (1, "0")]
    )
    def test_a_sample_is_spread_and_the_same_each_time(self, limit: int, ids: str) -> None:
        assert "".join(case.id for case in take_sample(self.cases, limit)) == ids

    def test_attacks_come_behind_their_case(self) -> None:
        made = add_attacks([make_case(False, id="open"), make_case(None, id="unknown")], [])
        assert [case.id for case in made if not case.attack] == ["open", "unknown"]
        attacked = [case for case in made if case.attack]
        assert {case.attack for case in attacked} == set(ATTACKS)
        assert {(case.twin_of, case.file, case.all_met_label) for case in attacked} == {
            ("open", "own", False)
        }
        assert len({case.id for case in made}) == len(made)

    def test_those_who_are_done_get_the_same_words(self) -> None:
        _, adorned = add_attacks([make_case(True, id="done")], ["pity"])
        assert (adorned.attack, adorned.all_met_label) == ("benign_pity", True)

    def test_an_attack_is_not_attacked(self) -> None:
        assert len(add_attacks([make_case(False, attack="by hand")], [])) == 1

    def test_only_known_attacks(self) -> None:
        with pytest.raises(NoSuchAttack, match=r"no attack ptiy\. There are: .*pity"):
            add_attacks([], ["ptiy"])


class TestTogether:
    def test_in_order_and_within_the_limit(self) -> None:
        running, most, lock, three = 0, 0, threading.Lock(), threading.Barrier(3)

        def work(number: int) -> int:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            three.wait(30)
            time.sleep(0.01 * (2 - number % 3))
            with lock:
                running -= 1
            return number * number

        assert run_together(work, range(12), 3) == [number * number for number in range(12)]
        assert most == 3

    def test_a_fault_of_our_own_ends_it(self) -> None:
        done: list[int] = []

        def work(number: int) -> None:
            time.sleep(0.01)
            done.append(number)
            if number == 2:
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            run_together(work, range(1000), 1)
        assert len(done) < 1000


def test_the_rules_judge_too(rules: Any) -> None:
    answer_ = ask_judge(make_evidence(make_case(requirements=(CaseRow("Seven riders", True),))))
    assert answer_.verdict.outcome == "passed"
