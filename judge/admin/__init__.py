"""The judge's records in the admin, one module a kind."""

from judge.admin import appeals, check_runs

__all__ = ["appeals", "check_runs"]
