"""Calling `judge_eval` as a command line does, in this process."""

from judge.management.commands.judge_eval import Command


def call(*arguments: object) -> int:
    """The exit code of `manage.py judge_eval` with these arguments."""
    try:
        Command().run_from_argv(["manage.py", "judge_eval", *map(str, arguments)])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0
