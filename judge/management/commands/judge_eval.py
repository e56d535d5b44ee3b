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
from judge.evaluation.options import limit_reader, read_date, read_positive
from judge.evaluation.plans.evaluate import evaluate_plans, read_planned
from judge.evaluation.plans.figures import FIGURES as PLAN_FIGURES
from judge.evaluation.replay import choose_checks, replay_checks
from judge.evaluation.replay_report import make_replay_document, render_replay
from judge.evaluation.report import render_report
from judge.evaluation.results import CannotResume, Judged, ResultFile, describe_judge
from judge.evaluation.run import Planned, plan_runs, run_case, run_together
from judge.evaluation.selection import NoSuchAttack, add_attacks, take_sample
from plans.spending import require_switched_on

BROKEN, WRONG_CALL, INTERRUPTED = 1, 2, 130
READ_THEM = (
    "Names of the student and the staff are taken out, and e-mail addresses; names of others are "
    "not. Read each case before you keep it."
)
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
                default=[],
                type=limit_reader(side),
                metavar="NAME=VALUE",
                help=f"exit with {BROKEN} when this figure is {_WORSE[side]} VALUE",
            )
        parser.add_argument("--concurrency", type=read_positive, default=4, metavar="N")
        parser.add_argument("--repeat", type=read_positive, default=1, metavar="N")
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
        other.add_argument("--ids", nargs="+", type=uuid.UUID, default=[], metavar="ID")
        other.add_argument(
            "--skip-pictures", action="store_true", help="leave out checks that had pictures"
        )
        other.add_argument("--export-appeals", type=Path, metavar="OUT")

    def handle(self, *args: Any, **options: Any) -> None:
        asked = [bool(options[mode]) for mode in ("cases", "replay", "export_appeals")]
        if sum(asked) != 1:
            raise _refuse("Give one of --cases FILE..., --replay and --export-appeals OUT.")
        if not options["export_appeals"] and gateway.active_kind() == "none":
            raise _refuse(
                "No judge is set up here. Set GEMINI_API_KEY; or DEBUG=1, and plain rules judge."
            )
        _check_plan_options(options)
        try:
            if not options["export_appeals"]:
                require_switched_on()
        except LLMError as error:
            raise _refuse(error.sentence) from error
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
        if options["resume"] and not options["json"]:
            raise _refuse("--resume needs --json OUT: the results to go on from.")
        cases = self._read(options)
        planned = plan_runs(cases, options["repeat"])
        results = self._run(planned, options)
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
        ResultFile(options["json"]).finish(document)
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

    def _run(self, planned: Sequence[Planned], options: dict[str, Any]) -> list[Judged]:
        """Make the runs that are missing; each is kept as soon as it is there."""
        file = ResultFile(options["json"])
        try:
            known = {each.key: each for each in file.read()} if options["resume"] else {}
        except CannotResume as error:
            raise _refuse(str(error)) from error
        kept = [known[each.key] for each in planned if each.key in known]
        missing = [each for each in planned if each.key not in known]
        file.begin(kept)
        there = f"{len(kept):,} results are there already, " if kept else ""
        self.stderr.write(f"{there}{len(missing):,} judge runs to make.")
        with _progress("Judging", len(missing)) as advance:

            def run_and_keep(each: Planned) -> Judged:
                judged = run_case(each)
                file.add(judged)
                advance()
                return judged

            try:
                return kept + run_together(run_and_keep, missing, options["concurrency"])
            except KeyboardInterrupt as interrupt:
                raise _say_interrupted(file) from interrupt

    def _replay(self, options: dict[str, Any]) -> None:
        if not (options["since"] or options["ids"] or options["limit"]):
            raise _refuse("--replay needs --since DATE, --ids ID... or --limit N.")
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


def _check_plan_options(options: dict[str, Any]) -> None:
    """--plans goes with --cases, and with limits on figures of plans."""
    if options["plans"] and (not options["cases"] or options["resume"] or options["repeat"] > 1):
        raise _refuse("--plans goes with --cases FILE..., without --resume and --repeat.")
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
