"""Going on with an evaluation that was interrupted, finished, or of which a part was run."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judge.evaluation.cases import CaseRow
from tests.fakes import replies
from tests.fakes.gemini import FakeGemini, FakeRequest
from tests.fakes.replies import Reply
from tests.judge.evaluation.calling import ROW, call, judge_by_id
from tests.judge.evaluation.making import LINE, make_case, write_cases

pytestmark = pytest.mark.django_db(transaction=True)  # the switch is looked up


class TestResume:
    @pytest.fixture(autouse=True)
    def interruptible(self) -> Iterator[None]:
        """A job in the background is started without interrupts."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

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

    def test_a_part_of_the_cases_throws_no_result_of_the_others_away(
        self, gemini: FakeGemini, cases: Path, out: Path
    ) -> None:
        gemini.respond = judge_by_id
        assert call("--cases", cases, "--json", out) == 0
        assert call("--cases", cases, "--json", out, "--resume", "--limit", 1) == 0
        document = json.loads(out.read_text())
        assert (len(document["results"]), len(document["others"])) == (2, 3)
        assert document["all"]["cases"]["true_met"] == 1, "figures are of this call's cases"
        assert call("--cases", cases, "--json", out, "--resume") == 0
        assert gemini.calls == 5
        assert len(json.loads(out.read_text())["results"]) == 5

    def test_nor_does_one_that_is_interrupted(
        self, gemini: FakeGemini, cases: Path, out: Path
    ) -> None:
        self.interrupt_after(gemini, 3)
        assert call("--cases", cases, "--json", out, "--concurrency", 1) == 130
        asked = gemini.calls
        gemini.respond = judge_by_id
        assert call("--cases", cases, "--json", out, "--resume", "--limit", 1) == 0
        assert call("--cases", cases, "--json", out, "--resume") == 0
        assert gemini.calls == 5 and asked < 5

    def test_what_was_interrupted_is_not_overwritten(
        self, gemini: FakeGemini, cases: Path, out: Path, capsys: Any
    ) -> None:
        self.interrupt_after(gemini, 3)
        assert call("--cases", cases, "--json", out, "--concurrency", 1) == 130
        asked, partial = gemini.calls, out.with_name("out.json.partial")
        before = partial.read_text()
        assert call("--cases", cases, "--json", out) == 2
        assert "Go on from them with --resume, or remove the file" in capsys.readouterr().err
        assert (gemini.calls, partial.read_text()) == (asked, before)

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
