"""The promises of the one writer that are about the code itself."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = [
    path
    for app in ("elivio", "judge", "plans", "sessions")
    for path in sorted((ROOT / app).rglob("*.py"))
    if "migrations" not in path.parts
]
TWO_DOORS = ["plans/status.py", "sessions/completion.py"]


def confirming_calls(source: str) -> int:
    """How many calls hand on `confirmed` as anything but the caller's own unconfirmed word."""
    return sum(
        keyword.arg == "confirmed"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is True
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
    )


def test_exactly_two_call_sites_confirm():
    found = {str(path.relative_to(ROOT)): confirming_calls(path.read_text()) for path in PRODUCT}
    assert {name: count for name, count in found.items() if count} == dict.fromkeys(TWO_DOORS, 1)


def test_nothing_else_passes_confirmed_to_the_writer():
    """`update_status(..., confirmed=some_variable)` would be a third door."""
    for path in PRODUCT:
        for node in ast.walk(ast.parse(path.read_text())):
            is_writer = (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "update_status"
            )
            passed = (
                [key.value for key in node.keywords if key.arg == "confirmed"] if is_writer else []
            )
            assert all(isinstance(value, ast.Constant) for value in passed), path


@pytest.mark.parametrize("source", ["f(confirmed=True)", "a.update_status(1, confirmed=True)"])
def test_control_a_third_call_site_would_be_found(source):
    assert confirming_calls(source) == 1
