"""`manage.py judge_eval`: runs labelled cases through the judge of the product, and compares.

Exit code 0; 1 when a limit is broken; 2 when it was called in a way that cannot work; 130 when it
was interrupted.
"""

import json
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone
from rich.console import Console
from rich.progress import Progress

from elivio.llm import gateway
from elivio.llm.errors import LLMError
from judge.evaluation.cases import BadCases, Case, read_cases, write_case
from judge.evaluation.document import make_document
from judge.evaluation.export import export_appeals
from judge.evaluation.figures import make_figures, pair_up
from judge.evaluation.limits import Held, hold
from judge.evaluation.options import find_misplaced, limit_reader, read_date, read_positive
from judge.evaluation.plans.evaluate import evaluate_plans, read_planned
from judge.evaluation.plans.figures import FIGURES as PLAN_FIGURES
from judge.evaluation.replay import choose_checks, replay_checks
from judge.evaluation.replay_report import make_replay_document, render_replay
from judge.evaluation.report import render_report
from judge.evaluation.results import CannotResume, Judged, ResultFile, describe_judge
from judge.evaluation.run import Planned, plan_runs, run_case, run_together, sort_out
from judge.evaluation.selection import NoSuchAttack, add_attacks, take_sample
from plans.spending import require_switched_on

BROKEN, WRONG_CALL, INTERRUPTED = 1, 2, 130
NO_TABLES = "The database cannot be read. Make its tables: python manage.py migrate."
READ_THEM = (
    "Names of the student and the staff are taken out, and e-mail addresses; names of others are "
    "not. Read each case before you keep it."
)
USUAL: dict[str, Any] = {"concurrency": 4, "repeat": 1, "min": [], "max": [], "ids": []}
_MODES = {True: "plans", False: "tasks"}
_WORSE = {"min": "less than", "max": "more than"}


class Command(BaseCommand):
    help = (
        "Run labelled cases through the judge of the product, with the configured model. "
        "docs/judge_cases.md has the case format, docs/judge_eval.md says how to read the tables."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--cases", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--plans", action="store_true", help="the cases are plans, for the review of plans"
        )
        parser.add_argument("--json", type=Path, metavar="OUT", help="write everything here")
        parser.add_argument(
            "--resume", action="store_true", help="go on from the results in OUT, made before"
        )
        for side in ("min", "max"):
            parser.add_argument(
                f"--{side}",
                action="append",
                type=limit_reader(side),
                metavar="NAME=VALUE",
                help=f"exit with {BROKEN} when this figure is {_WORSE[side]} VALUE",
            )
        parser.add_argument("--concurrency", type=read_positive, metavar="N")
        parser.add_argument("--repeat", type=read_positive, metavar="N")
        parser.add_argument(
            "--limit", type=read_positive, metavar="N", help="at most N cases or checks"
        )
        parser.add_argument(
            "--attacks",
            nargs="*",
            metavar="NAME",
            help="also attack the cases, with these or all attacks",
        )
        other = parser.add_argument_group("instead of --cases")
        other.add_argument("--replay", action="store_true", help="judge stored checks again")
        other.add_argument("--since", type=read_date, metavar="DATE")
        other.add_argument("--ids", nargs="+", type=uuid.UUID, metavar="ID")
        other.add_argument(
            "--skip-pictures", action="store_true", help="leave out checks that had pictures"
        )
        other.add_argument("--export-appeals", type=Path, metavar="OUT")

    def handle(self, *args: Any, **options: Any) -> None:
        if misplaced := find_misplaced(options):
            raise _refuse(misplaced)
        options |= {name: options[name] or usual for name, usual in USUAL.items()}
        if not options["export_appeals"] and gateway.active_kind() == "none":
            raise _refuse(
                "No judge is set up here. Set GEMINI_API_KEY; or DEBUG=1, and plain rules judge."
            )
        _check_limits(options)
        try:
            if not options["export_appeals"]:
                require_switched_on()
        except LLMError as error:
            raise _refuse(error.sentence) from error
        except DatabaseError as error:
            raise _refuse(f"{NO_TABLES} ({error})") from error
        try:
            if options["plans"]:
                self._review_plans(options)
            elif options["cases"]:
                self._evaluate(options)
            elif options["replay"]:
                self._replay(options)
            else:
                self._export(options["export_appeals"])
        except OSError as error:
            raise _refuse(f"A file cannot be written: {error}") from error

    def _evaluate(self, options: dict[str, Any]) -> None:
        cases = self._read(options)
        planned = plan_runs(cases, options["repeat"])
        file = ResultFile(options["json"])
        known = self._read_known(file, is_resumed=options["resume"])
        kept, others = sort_out(known, planned)
        results = self._run(planned, kept, others, file, options["concurrency"])
        tested = pair_up(cases, results)
        figures = make_figures(tested)
        held = hold(options["min"] + options["max"], figures)
        judge = describe_judge()
        self.stdout.write(render_report(figures, held, judge))
        document = make_document(
            figures,
            held,
            tested,
            judge=judge,
            created_at=timezone.now().isoformat(),
            options=_options_as_json(options),
        )
        file.finish(document, others)
        _end_by_limits(held)

    def _review_plans(self, options: dict[str, Any]) -> None:
        try:
            cases = read_planned(
                options["cases"], limit=options["limit"], attacks=options["attacks"]
            )
        except (BadCases, NoSuchAttack) as error:
            raise _refuse(str(error)) from error
        with _progress("Reviewing", len(cases)) as advance:
            text, held = evaluate_plans(
                cases,
                limits=options["min"] + options["max"],
                concurrency=options["concurrency"],
                out=options["json"],
                advance=advance,
            )
        self.stdout.write(text)
        _end_by_limits(held)

    def _read(self, options: dict[str, Any]) -> list[Case]:
        try:
            cases = read_cases(options["cases"], say=self.stderr.write)
        except BadCases as error:
            raise _refuse(str(error)) from error
        if not cases:
            raise _refuse("There is no case in these files.")
        cases = take_sample(cases, options["limit"])
        if options["attacks"] is None:
            return cases
        try:
            return add_attacks(cases, options["attacks"])
        except NoSuchAttack as error:
            raise _refuse(str(error)) from error

    def _read_known(self, file: ResultFile, *, is_resumed: bool) -> list[Judged]:
        if not is_resumed and file.is_interrupted:
            raise _refuse(
                f"{file.partial} holds results of a run that did not end. Go on from them with "
                "--resume, or remove the file."
            )
        try:
            return file.read() if is_resumed else []
        except CannotResume as error:
            raise _refuse(str(error)) from error

    def _run(
        self,
        planned: Sequence[Planned],
        kept: list[Judged],
        others: list[Judged],
        file: ResultFile,
        concurrency: int,
    ) -> list[Judged]:
        """Make the runs that are missing; each is kept as soon as it is there."""
        known = {each.key for each in kept}
        missing = [each for each in planned if each.key not in known]
        file.begin([*kept, *others])
        there = f"{len(kept):,} results are there already, " if kept else ""
        self.stderr.write(f"{there}{len(missing):,} judge runs to make.")
        with _progress("Judging", len(missing)) as advance:

            def run_and_keep(each: Planned) -> Judged:
                judged = run_case(each)
                file.add(judged)
                advance()
                return judged

            try:
                return kept + run_together(run_and_keep, missing, concurrency)
            except KeyboardInterrupt as interrupt:
                raise _say_interrupted(file) from interrupt

    def _replay(self, options: dict[str, Any]) -> None:
        checks = choose_checks(since=options["since"], ids=options["ids"], limit=options["limit"])
        with _progress("Judging again", len(checks)) as advance:
            replay = replay_checks(
                checks,
                concurrency=options["concurrency"],
                skip_with_pictures=options["skip_pictures"],
                advance=advance,
            )
        judge = describe_judge()
        self.stdout.write(render_replay(replay, judge))
        if options["json"]:
            document = make_replay_document(
                replay, judge=judge, created_at=timezone.now().isoformat()
            )
            text = json.dumps(document, ensure_ascii=False, indent=1)
            options["json"].write_text(text + "\n", encoding="utf-8")

    def _export(self, out: Path) -> None:
        if out.exists():
            raise _refuse(f"{out} is there already. Somebody may have read it: name another file.")
        cases = export_appeals()
        out.write_text("".join(map(write_case, cases)), encoding="utf-8")
        self.stdout.write(f"{len(cases)} cases written to {out}. {READ_THEM}")


@contextmanager
def _progress(title: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr where a person looks at it, and nothing where none does."""
    console = Console(stderr=True)
    with Progress(console=console, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(title, total=total)
        yield lambda: progress.advance(task)


def _check_limits(options: dict[str, Any]) -> None:
    """Plans have figures of their own."""
    for limit in options["min"] + options["max"]:
        if (limit.name in PLAN_FIGURES) is not options["plans"]:
            raise _refuse(f"{limit.name} is no figure of {_MODES[options['plans']]}.")


def _refuse(sentence: str) -> CommandError:
    return CommandError(sentence, returncode=WRONG_CALL)


def _say_interrupted(file: ResultFile) -> CommandError:
    kept = f" What was judged is kept in {file.partial}: go on with --resume." if file.out else ""
    return CommandError(f"Interrupted.{kept}", returncode=INTERRUPTED)


def _end_by_limits(held: Sequence[Held]) -> None:
    broken = [each.limit.name for each in held if each.is_broken]
    if broken:
        raise CommandError(f"Limits broken: {', '.join(broken)}.", returncode=BROKEN)


def _options_as_json(options: dict[str, Any]) -> dict[str, Any]:
    kept = {name: options[name] for name in ("repeat", "limit", "attacks")}
    return {**kept, "cases": [path.name for path in options["cases"]]}
