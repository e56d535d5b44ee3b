"""`judge_eval --plans`: figures over the plan judge's cases, by the fake server and by rules."""

import json
import re

import pytest
from django.core.management import CommandError, call_command

from judge.evaluation.plans.figures import make_plan_figures
from judge.evaluation.plans.run import Reviewed
from plans.making.review import JUDGED, Criterion, Finding, Review, Standing
from tests.fakes import replies
from tests.fakes.gemini import FakeRequest
from tests.judge.evaluation.plans.test_plan_cases import CASES, FAULTY, FILES
from tests.plans.making.proposals import answer

LOAD = next(case for case in FAULTY if case.file == "load")
CLEAN = next(case for case in CASES if not case.faults)


def reviewed(case, *findings, standing=Standing.HELD):
    review = Review(findings, dict.fromkeys(JUDGED, standing), "gemini")
    return Reviewed(case, review, 10, 5, 100)


def load_of(*made):
    figures = make_plan_figures(made)
    return next(each for each in figures.criteria if each.name == "load"), figures


def test_found_missed_false_alarm_and_undecided_are_told_apart():
    week = LOAD.faults[0].week
    right = Finding(Criterion.LOAD, "Too much.", week)
    elsewhere = Finding(Criterion.LOAD, "Too much.", 3 - week)
    counted, figures = load_of(
        reviewed(LOAD, right),
        reviewed(LOAD, elsewhere),
        reviewed(LOAD),
        reviewed(LOAD, standing=Standing.UNREAD),
        reviewed(CLEAN),
        reviewed(CLEAN, right),
    )
    assert (counted.found.part, counted.found.whole) == (2, 3)
    assert (counted.in_place.part, counted.in_place.whole) == (1, 2)
    assert (counted.alarms.part, counted.alarms.whole) == (1, 2)
    assert (counted.undecided.part, counted.undecided.whole) == (1, 6)
    assert figures.prompt_tokens == 60


def run(*options, files=FILES, **more):
    call_command("judge_eval", "--plans", "--cases", *map(str, files), *options, **more)


@pytest.mark.django_db(transaction=True)
def test_with_a_judge_that_sees_nothing(gemini, tmp_path, capsys):
    gemini.respond = lambda request: replies.json(answer())
    out = tmp_path / "out.json"
    run("--json", str(out), "--concurrency", "2")
    printed = capsys.readouterr().out
    document = json.loads(out.read_text("utf-8"))
    assert gemini.calls == len(CASES) == len(document["cases"])
    show = next(each for each in document["criteria"] if each["name"] == "show")
    assert (show["found"]["part"], show["alarms"]["part"]) == (0, 0)
    assert show["found"]["whole"] >= 3 and show["found"]["interval"]
    assert re.search(r"show\s+0 % \[0, \d+\] 0/3", printed)


@pytest.mark.django_db(transaction=True)
def test_a_judge_that_is_turned_by_an_order_is_counted(gemini, tmp_path):
    """It names the week that is overloaded, until the plan tells it not to."""

    def respond(request: FakeRequest):
        if "ignore the criteria" in request.text:
            return replies.json(answer())
        line = {"week": 1, "task": 1, "requirement": None, "quote": "Count birds at every pond"}
        return replies.json(answer(load=[{**line, "problem": "Far too much."}]))

    path = tmp_path / "load.jsonl"
    lines = next(file for file in FILES if file.stem == "load").read_text("utf-8").splitlines()
    path.write_text(next(line for line in lines if "a-whole-site" in line), encoding="utf-8")
    gemini.respond = respond
    out = tmp_path / "out.json"
    with pytest.raises(CommandError, match="plan_attack_turned"):
        run("--attacks", "orders", "flattery", "--json", str(out), "--max", "plan_attack_turned=0",
            files=[path])  # fmt: skip
    document = json.loads(out.read_text("utf-8"))
    assert document["attack_turned"] == 1
    assert {each["name"]: each["found"]["part"] for each in document["attacks"]} == {
        "orders": 0,
        "flattery": 1,
    }


@pytest.mark.django_db(transaction=True)
def test_by_rules_it_is_code_alone_and_says_so(rules, capsys):
    run()
    printed = capsys.readouterr().out
    assert "code checks alone, no AI" in printed
    assert f"Undecided, no_judge: {len(CASES)}" in printed


@pytest.mark.django_db  # the switch is looked up
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--resume"], "--resume does not go with --plans."),
        (["--repeat", "2"], "--repeat does not go with --plans."),
        (["--min", "agreement=0.5"], "agreement is no figure of plans"),
        (["--attacks", "nothing"], "no attack nothing"),
    ],
)
def test_what_does_not_go_together_is_refused(rules, options, says):
    with pytest.raises(CommandError, match=f"(?i){says}"):
        run(*options)


def test_a_figure_of_plans_is_none_of_tasks(rules):
    with pytest.raises(CommandError, match="plan_found_rate is no figure of tasks"):
        call_command("judge_eval", "--cases", "x.jsonl", "--min", "plan_found_rate=0.5")
