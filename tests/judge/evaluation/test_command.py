"""`judge_eval` as it is called: exit codes, tables, the JSON file, going on after an interrupt."""

import io
import json
import signal
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from judge.evaluation.cases import CaseRow, CaseTurn
from judge.evaluation.limits import FIGURES
from judge.evaluation.report import WIDTH
from judge.management.commands import judge_eval
from plans.models import ModelSwitch
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer
from tests.fakes.gemini import FakeGemini, FakeRequest
from tests.fakes.replies import Reply
from tests.judge.evaluation.calling import call
from tests.judge.evaluation.making import LINE, WORDS, make_case, write_cases, write_lines

pytestmark = pytest.mark.django_db(transaction=True)  # the switch is looked up
PASS = replies.json(answer("met", text="seven riders"))
FAIL = replies.json(answer("not_met"))
ROW = "Ask seven riders what they miss"


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """Two that are done, one of them in words that the rules find, and one that is not."""
    words = (CaseRow(ROW, True),)
    return write_cases(
        tmp_path / "own.jsonl",
        make_case(id="done", requirements=words, kind="write"),
        make_case(
            id="other words",
            requirements=words,
            transcript=(CaseTurn("student", "They would like a roof."),),
        ),
        make_case(False, id="open", transcript=(CaseTurn("student", "I will do it."),)),
    )


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


def test_without_a_judge_nothing_is_measured(settings: Any, cases: Path, capsys: Any) -> None:
    settings.DEBUG, settings.GEMINI_API_KEY = False, ""
    assert call("--cases", cases) == 2
    assert "No judge is set up here" in capsys.readouterr().err


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


def judge_by_id(request: FakeRequest) -> Reply:
    return PASS if WORDS in request.text else FAIL


class TestResume:
    @pytest.fixture
    def out(self, tmp_path: Path) -> Path:
        return tmp_path / "out.json"

    def interrupt_after(self, gemini: FakeGemini, calls: int) -> None:
        def respond(request: FakeRequest) -> Reply:
            if gemini.calls == calls:
                signal.raise_signal(signal.SIGINT)
            return judge_by_id(request)

        gemini.respond = respond

    def test_after_an_interrupt_only_what_is_missing_is_asked(
        self, gemini: FakeGemini, cases: Path, out: Path, capsys: Any
    ) -> None:
        self.interrupt_after(gemini, 3)
        assert call("--cases", cases, "--json", out, "--concurrency", 1) == 130
        asked = gemini.calls
        assert "go on with --resume" in capsys.readouterr().err
        assert asked < 5 and not out.exists()
        gemini.respond = judge_by_id
        assert call("--cases", cases, "--json", out, "--resume") == 0
        assert gemini.calls == 5
        assert f"{asked} results are there already" in capsys.readouterr().err
        assert len(json.loads(out.read_text())["results"]) == 5

    def test_without_resume_all_is_asked_again(
        self, gemini: FakeGemini, cases: Path, out: Path
    ) -> None:
        gemini.respond = judge_by_id
        for _ in range(2):
            assert call("--cases", cases, "--json", out) == 0
        assert gemini.calls == 10

    def test_a_finished_run_is_gone_on_with_too(
        self, gemini: FakeGemini, cases: Path, out: Path
    ) -> None:
        gemini.respond = judge_by_id
        call("--cases", cases, "--json", out)
        write_cases(cases, make_case(id="done", requirements=(CaseRow(ROW, True),), kind="write"))
        with cases.open("a") as file:
            file.write(json.dumps({**LINE, "id": "new"}) + "\n")
        assert call("--cases", cases, "--json", out, "--resume") == 0
        assert gemini.calls == 5 + 2

    def test_a_case_that_changed_is_asked_again(
        self, gemini: FakeGemini, cases: Path, out: Path
    ) -> None:
        gemini.respond = judge_by_id
        call("--cases", cases, "--json", out)
        write_cases(cases, make_case(id="done", requirements=(CaseRow("Another", True),)))
        call("--cases", cases, "--json", out, "--resume")
        assert gemini.calls == 5 + 2

    def test_what_the_provider_refused_is_asked_again_and_what_it_blocked_is_not(
        self, gemini: FakeGemini, tmp_path: Path, out: Path
    ) -> None:
        path = write_cases(tmp_path / "own.jsonl", make_case(False, id="a"), make_case(False))
        gemini.enqueue(replies.blocked(), replies.error(403))
        call("--cases", path, "--json", out, "--concurrency", 1)
        gemini.respond = judge_by_id
        call("--cases", path, "--json", out, "--resume")
        assert gemini.calls == 3
        reasons = [each["reason"] for each in json.loads(out.read_text())["results"]]
        assert reasons == ["blocked", ""]

    def test_a_line_cut_off_by_a_killed_process_is_left_out(
        self, gemini: FakeGemini, cases: Path, out: Path
    ) -> None:
        self.interrupt_after(gemini, 3)
        call("--cases", cases, "--json", out, "--concurrency", 1)
        before, partial = gemini.calls, out.with_name("out.json.partial")
        partial.write_text(partial.read_text()[:-20])
        gemini.respond = judge_by_id
        assert call("--cases", cases, "--json", out, "--resume") == 0
        assert gemini.calls == before + (5 - before) + 1

    def test_another_model_is_not_mixed_in(
        self, gemini: FakeGemini, settings: Any, cases: Path, out: Path, capsys: Any
    ) -> None:
        gemini.respond = judge_by_id
        call("--cases", cases, "--json", out)
        settings.MODELS = {**settings.MODELS, "judge": {"name": "another"}}
        assert call("--cases", cases, "--json", out, "--resume") == 2
        assert "another model or with another prompt" in capsys.readouterr().err
        assert gemini.calls == 5

    @pytest.mark.parametrize("name", ["out.json", "out.json.partial"])
    @pytest.mark.parametrize(
        "text", ["", "[]\n", "no JSON\n", '{"judge": {}, "results": [1]}\n1\n']
    )
    def test_a_file_of_something_else_is_no_start(
        self, gemini: FakeGemini, cases: Path, out: Path, capsys: Any, name: str, text: str
    ) -> None:
        out.with_name(name).write_text(text)
        assert call("--cases", cases, "--json", out, "--resume") == 2
        assert "cannot be read" in capsys.readouterr().err


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
