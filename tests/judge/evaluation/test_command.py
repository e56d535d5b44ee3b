"""`judge_eval` as it is called: exit codes, tables, the JSON file, going on after an interrupt."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import BaseCommand
from django.db import connection
from rich.console import Console

from judge.evaluation.cases import CaseRow
from judge.evaluation.limits import FIGURES
from judge.evaluation.options import OPTIONS
from judge.evaluation.report import WIDTH
from judge.management.commands import judge_eval
from judge.management.commands.judge_eval import Command
from plans.models import ModelSwitch
from tests import factories
from tests.fakes.gemini import FakeGemini
from tests.judge.evaluation.calling import ROW, call, judge_by_id
from tests.judge.evaluation.making import LINE, make_case, write_cases, write_lines

pytestmark = pytest.mark.django_db(transaction=True)  # the switch is looked up


def test_tables_and_headline_with_the_rules(rules: Any, cases: Path, capsys: Any) -> None:
    assert call("--cases", cases) == 0
    said = capsys.readouterr().out
    assert "plain rules, no AI" in said
    assert "passed both the check and the tap: 50.0 %" in said
    assert "agreement" in said and "66.7 % [20.8, 93.9] 2/3" in said


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        (["--max", "false_met_rate=0"], 0),
        (["--min", "agreement=0.6", "--max", "undecided=0"], 0),
        (["--min", "agreement=0.9", "--max", "false_met_rate=0"], 1),
        (["--max", "attack_passed=0"], 1),
    ],
)
def test_limits_set_the_exit_code(
    rules: Any, cases: Path, capsys: Any, limits: list[str], code: int
) -> None:
    assert call("--cases", cases, *limits) == code
    said = capsys.readouterr()
    assert ("broken" in said.out) is bool(code)
    assert ("Limits broken: " in said.err) is bool(code)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Give one of --cases"),
        (["--cases", "OWN", "--replay"], "Give one of --cases"),
        (["--replay"], "--replay needs --since"),
        (["--cases", "OWN", "--skip-pictures"], "--skip-pictures does not go with --cases."),
        (["--cases", "OWN", "--since", "2026-01-01"], "--since does not go with --cases."),
        (["--replay", "--limit", "1", "--attacks"], "--attacks does not go with --replay."),
        (["--replay", "--limit", "1", "--min", "kappa=1"], "--min does not go with --replay."),
        (["--export-appeals", "out.jsonl", "--limit", "1"], "--limit does not go with --export-"),
        (["--plans", "--cases", "OWN", "--repeat", "2"], "--repeat does not go with --plans."),
        (["--cases", "missing.jsonl"], "missing.jsonl: the file cannot be read"),
        (["--cases", "OWN", "--max", "false=1"], "no figure of this name. There are: agreement"),
        (["--cases", "OWN", "--min", "agreement=x"], "is not a number"),
        (["--cases", "OWN", "--concurrency", "0"], "not a whole number from 1 on"),
        (["--cases", "OWN", "--resume"], "--resume needs --json OUT"),
        (["--cases", "OWN", "--json", "/nowhere/out.json"], "A file cannot be written"),
        (["--cases", "OWN", "--attacks", "ptiy"], "There is no attack ptiy"),
        (["--replay", "--since", "yesterday"], "is not a date like"),
        (["--replay", "--ids", "1"], "invalid UUID value"),
    ],
)
def test_a_call_that_cannot_work(
    rules: Any, cases: Path, capsys: Any, arguments: list[str], says: str
) -> None:
    assert call(*(cases if each == "OWN" else each for each in arguments)) == 2
    said = capsys.readouterr()
    assert says in said.err and "Traceback" not in said.err
    assert not said.out


def test_every_option_has_its_place() -> None:
    """A new one would be ignored, or refused, without anybody having thought of it."""
    parser = Command().create_parser("manage.py", "judge_eval")
    django = BaseCommand().create_parser("manage.py", "judge_eval")
    ours = {action.dest for action in parser._actions} - {each.dest for each in django._actions}
    assert ours == OPTIONS
    given = {name: parser.get_default(name) for name in OPTIONS}
    assert set(given.values()) <= {None, False}, "what is given is told from what is not"


def test_an_export_overwrites_nothing(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "appeals.jsonl"
    out.write_text("read and mended\n")
    assert call("--export-appeals", out) == 2
    assert "is there already" in capsys.readouterr().err
    assert out.read_text() == "read and mended\n"


def test_without_a_judge_nothing_is_measured(settings: Any, cases: Path, capsys: Any) -> None:
    settings.DEBUG, settings.GEMINI_API_KEY = False, ""
    assert call("--cases", cases) == 2
    assert "No judge is set up here" in capsys.readouterr().err


def test_without_tables_a_sentence_says_what_to_do(rules: Any, cases: Path, capsys: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE plans_modelswitch RENAME TO elsewhere")
    try:
        assert call("--cases", cases) == 2
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO plans_modelswitch")
    said = capsys.readouterr().err
    assert "python manage.py migrate" in said and "Traceback" not in said


def test_a_fault_in_a_case_is_said_before_anybody_is_asked(
    gemini: FakeGemini, tmp_path: Path, capsys: Any
) -> None:
    path = write_lines(tmp_path / "own.jsonl", LINE, {**LINE, "id": "b", "all_met_label": False})
    assert call("--cases", path) == 2
    assert f"{path}:2: all_met_label" in capsys.readouterr().err
    assert gemini.calls == 0


def test_files_of_something_else_are_passed_over(
    rules: Any, cases: Path, tmp_path: Path, capsys: Any
) -> None:
    scores = write_lines(tmp_path / "scores.jsonl", {"question": "?", "human_score": 0.5})
    assert call("--cases", scores, cases) == 0
    assert "scores.jsonl is passed over" in capsys.readouterr().err
    assert call("--cases", scores) == 2
    assert "There is no case in these files" in capsys.readouterr().err


def test_every_line_fits_and_nothing_is_cut(rules: Any, tmp_path: Path, capsys: Any) -> None:
    long = "a_kind_of_task_with_a_very_long_name_that_goes_on_and_on"
    path = write_cases(
        tmp_path / f"{'long_name_' * 8}.jsonl",
        make_case(False, id="x" * 150, requirements=(CaseRow("[bold] " + ROW * 9, False),)),
        make_case(True, id="b", kind=long),
    )
    assert call("--cases", path, cases_of(tmp_path), "--attacks", "--max", "kappa=1") in (0, 1)
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= WIDTH
    assert "[bold] " in out or "…" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(("sources", "shown"), [("aabb", True), ("aaaa", False), ("abcd", False)])
def test_the_table_by_source_is_shown_where_it_says_something(
    rules: Any, tmp_path: Path, capsys: Any, sources: str, shown: bool
) -> None:
    made = [make_case(False, id=f"{at}", source=each) for at, each in enumerate(sources)]
    assert call("--cases", write_cases(tmp_path / "own.jsonl", *made)) == 0
    assert ("Requirements by source" in capsys.readouterr().out) is shown


def cases_of(folder: Path) -> Path:
    return write_cases(folder / "b.jsonl", make_case(False, id="c", kind="write"))


def test_the_json_file_holds_every_figure_and_result(
    gemini: FakeGemini, cases: Path, tmp_path: Path
) -> None:
    gemini.respond = judge_by_id
    out = tmp_path / "out.json"
    assert call("--cases", cases, "--json", out, "--max", "false_met=0") == 0
    document = json.loads(out.read_text())
    assert document["judge"]["model"] == "gemini-3.8-flash"
    assert document["figures"].keys() == FIGURES.keys()
    assert document["all"]["requirements"]["agreement"]["part"] == 2
    assert document["limits"] == [
        {"name": "false_met", "side": "max", "value": 0.0, "measured": 0, "broken": False}
    ]
    assert [(each["id"], each["run"]) for each in document["results"]] == [
        ("done", 1),
        ("done", 2),
        ("other words", 1),
        ("other words", 2),
        ("open", 1),
    ]
    [row] = document["results"][0]["rows"]
    assert (row["title"], row["met_label"], row["status"]) == (ROW, True, "met")
    assert document["cost"]["prompt_tokens"] == 5000
    assert not list(tmp_path.glob("*.partial"))


def test_attacks_are_run_and_reported_apart(
    rules: Any, cases: Path, tmp_path: Path, capsys: Any
) -> None:
    out = tmp_path / "out.json"
    call("--cases", cases, "--attacks", "pity", "bare_claim", "--json", out)
    said = capsys.readouterr().out
    assert "Attacks on cases that are not done" in said and "bare_claim" in said
    assert "The same words on cases that are done" in said and "benign_pity" in said
    document = json.loads(out.read_text())
    assert document["attacks"]["all"]["cases"]["true_unmet"] == 2
    assert document["all"]["cases"]["true_unmet"] == 1


@pytest.mark.parametrize(("is_terminal", "shown"), [(True, True), (False, False)])
def test_the_bar_is_for_people_only(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, shown: bool
) -> None:
    class Stderr(io.StringIO):
        def isatty(self) -> bool:
            return is_terminal

    stderr = Stderr()
    monkeypatch.setattr("sys.stderr", stderr)
    assert Console(stderr=True).file is stderr
    with judge_eval._progress("Judging", 2) as advance:
        advance()
    assert ("Judging" in stderr.getvalue()) is shown


def test_it_asks_nobody_while_all_model_calls_are_switched_off(
    cases: Path, gemini: FakeGemini, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = factories.make_staff()
    ModelSwitch.objects.create(is_off=True, reason="The bill", by=staff)
    assert (call("--cases", cases), gemini.calls) == (2, 0)
    assert "Staff have switched all model calls off. The bill" in capsys.readouterr().err
