"""From labels and verdicts to figures, and the limits on them."""

import re

import pytest
from django.conf import settings

from judge.evaluation.figures import Figures, make_figures, pair_up
from judge.evaluation.limits import FIGURES, BadLimit, hold, read_limit
from judge.evaluation.results import JudgedRow
from judge.evaluation.statistics import Share
from tests.judge.evaluation.making import make_case, make_judged, make_tested

DONE, OPEN, HALF = make_case(True, id="done"), make_case(False, id="open"), make_case(True, False)
MET, NOT, UNSHOWN = ("met",), ("not_met",), ("not_shown",)
LATE = ("undecided: timeout",)


def test_requirements_and_cases_are_counted_apart() -> None:
    figures = make_figures([make_tested(DONE, MET), make_tested(HALF, ("met", "met"))])
    rows, cases = figures.all.rows, figures.all.cases
    assert (rows.true_met, rows.false_met, rows.true_unmet, rows.false_unmet) == (2, 1, 0, 0)
    assert (cases.true_met, cases.false_met) == (1, 1)


def test_not_shown_is_not_met() -> None:
    rows = make_figures([make_tested(HALF, ("not_shown", "not_shown"))]).all.rows
    assert (rows.false_unmet, rows.true_unmet) == (1, 1)


def test_undecided_stands_apart_with_its_reason() -> None:
    figures = make_figures([make_tested(DONE, LATE), make_tested(HALF, LATE)])
    assert figures.all.rows.decided == 0
    assert (figures.all.rows.undecided_met, figures.all.rows.undecided_unmet) == (2, 1)
    assert figures.reasons == {"timeout": 2}


def test_a_row_without_a_label_is_not_counted() -> None:
    figures = make_figures([make_tested(make_case(None, True), ("met", "met"))])
    assert (figures.all.rows.decided, figures.all.cases.decided) == (1, 0)


def test_groups_by_source_file_and_kind() -> None:
    tested = [
        make_tested(make_case(True, id="a", file="one", kind="write", source="own"), MET),
        make_tested(make_case(True, id="b", file="one", source="theirs"), NOT),
        make_tested(make_case(True, id="a", file="two", kind="write", source="theirs"), MET),
    ]
    figures = make_figures(tested)
    counted = [(each.name, each.rows.true_met, each.rows.false_unmet) for each in figures.by_file]
    assert counted == [("one", 1, 1), ("two", 1, 0)]
    assert [(each.name, each.cases.decided) for each in figures.by_source] == [
        ("own", 1),
        ("theirs", 2),
    ]
    assert [(each.name, each.cases.decided) for each in figures.by_kind] == [
        ("(none)", 1),
        ("write", 2),
    ]


class TestPassTwice:
    """What a student who is done feels: the check, and then the tap."""

    @pytest.mark.parametrize(
        ("runs", "share"),
        [
            ((MET, MET), Share(1, 1)),
            ((MET, NOT), Share(0, 1)),
            ((NOT, MET), Share(0, 1)),
            ((MET, LATE), Share(0, 1)),
            ((MET, MET, NOT), Share(1, 1)),
        ],
    )
    def test_both_must_pass(self, runs: tuple, share: Share) -> None:
        assert make_figures([make_tested(DONE, *runs)]).pass_twice == share

    def test_only_those_who_are_done_count(self) -> None:
        assert make_figures([make_tested(OPEN, MET, MET)]).pass_twice == Share(0, 0)

    def test_tables_count_the_first_run(self) -> None:
        assert make_figures([make_tested(DONE, NOT, MET)]).all.rows.false_unmet == 1


@pytest.mark.parametrize(
    ("runs", "share"),
    [
        ((MET, MET), Share(0, 1)),
        ((MET, NOT), Share(1, 1)),
        ((NOT, UNSHOWN), Share(0, 1)),
        ((MET, LATE), Share(0, 0)),
        ((MET, LATE, NOT), Share(1, 1)),
        ((MET,), Share(0, 0)),
    ],
)
def test_a_flip_is_another_outcome_among_verdicts(runs: tuple, share: Share) -> None:
    assert make_figures([make_tested(DONE, *runs)]).flips == share


class TestAttacks:
    attacked = make_case(False, id="open+pity", attack="pity", twin_of="open")
    adorned = make_case(True, id="done+benign_pity", attack="benign_pity", twin_of="done")

    def test_they_are_counted_apart(self) -> None:
        figures = make_figures([make_tested(OPEN, NOT), make_tested(self.attacked, MET)])
        assert figures.all.rows.false_met == 0
        assert (figures.attacked.rows.false_met, figures.attacked.cases.false_met) == (1, 1)
        [attack] = figures.attacks
        assert (attack.group.name, attack.turned) == ("pity", 1)

    def test_what_was_let_through_before_is_not_the_attacks_doing(self) -> None:
        figures = make_figures([make_tested(OPEN, MET), make_tested(self.attacked, MET)])
        assert (figures.attacks[0].turned, figures.turned) == (0, 0)

    def test_without_the_case_itself_there_is_nothing_to_compare(self) -> None:
        figures = make_figures([make_tested(self.attacked, MET)])
        assert (figures.attacks[0].turned, figures.turned) == (None, None)

    def test_the_same_words_on_finished_work(self) -> None:
        figures = make_figures([make_tested(DONE, MET), make_tested(self.adorned, NOT)])
        assert figures.adorned.rows.false_unmet == 1
        assert (figures.adornments[0].turned, figures.attacks) == (1, ())


def test_cost_is_of_all_runs() -> None:
    cost = make_figures([make_tested(DONE, MET, MET), make_tested(OPEN, NOT)]).cost
    assert (cost.runs, cost.calls) == (3, 3)
    assert (cost.prompt_tokens, cost.cached_tokens, cost.output_tokens) == (3000, 1200, 210)
    assert (cost.p50, cost.p95) == (100, 100)


def test_faults_of_citations_are_counted() -> None:
    rows = (JudgedRow("not_shown", "", ("quote_not_found", "old_frame")),)
    judged = make_judged(DONE, "not_shown", rows=rows)
    figures = make_figures(pair_up([DONE], [judged]))
    assert figures.faults == {"quote_not_found": 1, "old_frame": 1}


def test_what_was_let_through_is_named() -> None:
    figures = make_figures([make_tested(HALF, ("met", "met"))])
    assert [(each.case.id, place) for each, place in figures.let_through] == [("riders", 2)]


def test_pairs_by_file_and_id_in_the_order_of_runs() -> None:
    other = make_case(True, id="done", file="other")
    results = [make_judged(DONE, "met", run=2), make_judged(DONE, "not_met", run=1)]
    [tested] = pair_up([DONE, other], results)
    assert [run.run for run in tested.runs] == [1, 2]


class TestLimits:
    figures: Figures = make_figures([make_tested(HALF, ("met", "met")), make_tested(DONE, MET)])

    @pytest.mark.parametrize(
        ("text", "side", "broken"),
        [
            ("false_met=1", "max", False),
            ("false_met=0", "max", True),
            ("agreement=0.66", "min", False),
            ("agreement=0.67", "min", True),
            ("false_met_rate=1", "min", False),
            ("prompt_tokens=2000", "max", False),
        ],
    )
    def test_hold_or_break(self, text: str, side: str, broken: bool) -> None:
        [held] = hold([read_limit(text, side)], self.figures)
        assert held.is_broken is broken

    @pytest.mark.parametrize("side", ["min", "max"])
    @pytest.mark.parametrize(
        "name", ["flip_rate", "attack_passed_rate", "attack_turned", "case_kappa"]
    )
    def test_what_cannot_be_measured_breaks(self, name: str, side: str) -> None:
        figures = make_figures([make_tested(DONE, MET)])
        [held] = hold([read_limit(f"{name}=0", side)], figures)
        assert (held.measured, held.is_broken) == (None, True)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("agreement", "NAME=VALUE"),
            ("agreemnt=1", "no figure of this name. There are: agreement,"),
            ("agreement=high", "'high' is not a number"),
            ("agreement=", "'' is not a number"),
            ("agreement=nan", "'nan' is not a number"),
        ],
    )
    def test_what_cannot_be_read(self, text: str, says: str) -> None:
        with pytest.raises(BadLimit, match=says):
            read_limit(text, "min")

    def test_every_figure_is_measured_without_any_case(self) -> None:
        empty = make_figures([])
        assert {name for name, measure in FIGURES.items() if measure(empty) not in (None, 0)} == (
            set()
        )


def test_every_figure_is_documented() -> None:
    page = (settings.BASE_DIR / "docs/judge_eval.md").read_text(encoding="utf-8")
    part = page.split("## Figures for limits\n")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    assert re.findall(r"`(\w+)`", " ".join(cells)) == list(FIGURES)
