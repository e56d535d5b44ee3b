"""What a judge said of a case in one run, and the file that keeps it while a run goes on."""

import json
import threading
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from elivio.llm import gateway
from judge import prompt

# A run that was resumed asks again where the provider, not the case, kept a verdict from coming.
PASSING_REASONS = frozenset(
    {"no_model", "not_authorised", "overloaded", "rate_limited", "timeout", "unreachable"}
)


class CannotResume(Exception):
    """The results that are there do not belong to this run. str() is the sentence."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """`status` is met, not_met, not_shown or undecided; `faults` are codes of citations that did
    not hold."""

    status: str
    note: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """One run of one case. `run` counts from 1; `digest` tells whether the case has changed.
    `milliseconds` is what a student would have waited for the judge."""

    file: str
    id: str
    digest: str
    run: int
    outcome: str
    reason: str
    rows: tuple[JudgedRow, ...]
    calls: int
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    milliseconds: int

    @property
    def key(self) -> tuple[str, str, str, int]:
        return self.file, self.id, self.digest, self.run


def describe_judge() -> dict[str, Any]:
    """Who judges, and by which prompt: results are compared only within the same."""
    kind = gateway.active_kind()
    return {
        "kind": kind,
        "model": settings.MODELS["judge"]["name"] if kind == "gemini" else kind,
        "args": settings.MODELS["judge"].get("args", {}) if kind == "gemini" else {},
        "prompt_version": prompt.VERSION,
        "prompt_hash": prompt.prompt_hash(),
    }


class ResultFile:
    """Results of a run that is not over, appended as they come, beside the file that is asked
    for. Without a path nothing is kept. Safe to use from several threads."""

    def __init__(self, out: Path | None) -> None:
        self.out = out
        self.partial = out.with_name(out.name + ".partial") if out else None
        self._lock = threading.Lock()

    @property
    def is_interrupted(self) -> bool:
        """Whether there are results of a run that did not end."""
        return self.partial is not None and self.partial.exists()

    def begin(self, results: Iterable[Judged]) -> None:
        """Start the file anew, with results that are there already. Raises OSError."""
        if self.partial:
            head = json.dumps({"judge": describe_judge()}) + "\n"
            self.partial.write_text(head + "".join(map(_as_line, results)), encoding="utf-8")

    def add(self, judged: Judged) -> None:
        if self.partial:
            with self._lock, self.partial.open("a", encoding="utf-8") as file:
                file.write(_as_line(judged))

    def finish(self, report: dict[str, Any], others: Iterable[Judged] = ()) -> None:
        """Write the file that was asked for and drop the other. `others` are results of cases that
        this run left out, for one that goes on from here."""
        if self.out and self.partial:
            report = {**report, "others": [asdict(each) for each in others]}
            text = json.dumps(report, ensure_ascii=False, indent=1)
            self.out.write_text(text + "\n", encoding="utf-8")
            self.partial.unlink(missing_ok=True)

    def read(self) -> list[Judged]:
        """The results to go on from, without those that are worth asking for again. Raises
        CannotResume when they cannot be read, or were made by another judge or prompt."""
        found = self._find()
        if found is None:
            return []
        made_by, results = found
        if made_by != describe_judge():
            raise CannotResume(
                f"The results in {self.out} were made by another model or with another prompt. "
                "Run without --resume, or name another file."
            )
        return [judged for judged in results if judged.reason not in PASSING_REASONS]

    def _find(self) -> tuple[Any, list[Judged]] | None:
        """Who made the results that are there, and the results."""
        try:
            if self.partial and self.partial.exists():
                head, *lines = _read_lines(self.partial)
                return head["judge"], [_from_json(line) for line in lines]
            if self.out and self.out.exists():
                document = json.loads(self.out.read_text(encoding="utf-8"))
                results = [*document["results"], *document.get("others", [])]
                return document["judge"], [_from_json(each) for each in results]
        except (ValueError, KeyError, TypeError) as error:
            raise CannotResume(
                f"The results in {self.out} cannot be read ({error!r}). "
                "Run without --resume, or name another file."
            ) from error
        return None


def _as_line(judged: Judged) -> str:
    return json.dumps(asdict(judged), ensure_ascii=False) + "\n"


def _from_json(data: dict[str, Any]) -> Judged:
    rows = tuple(
        JudgedRow(row["status"], row["note"], tuple(row["faults"])) for row in data["rows"]
    )
    fields = {name: data[name] for name in Judged.__dataclass_fields__ if name != "rows"}
    return Judged(rows=rows, **fields)


def _read_lines(path: Path) -> list[Any]:
    """The lines of a file that may end in the middle of one, as its process may have died."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
