"""Cases for the tests of the command."""

from pathlib import Path

import pytest

from judge.evaluation.cases import CaseRow, CaseTurn
from tests.judge.evaluation.calling import ROW
from tests.judge.evaluation.making import make_case, write_cases


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
