"""The product on throw-away services, for commands outside pytest: a fresh, migrated database."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import django
from django.core.management import call_command

from elivio import celery
from tests.services import CLEARED, FIXED, throwaway_services

__all__ = ["celery", "throwaway_product"]


@contextmanager
def throwaway_product() -> Iterator[None]:
    """Set up Django on new services; all rows are gone after this block."""
    for name in [name for name in os.environ if name.startswith((*CLEARED, "DATABASE_", "REDIS_"))]:
        del os.environ[name]
    os.environ.update(FIXED, DJANGO_SETTINGS_MODULE="elivio.settings")
    with throwaway_services():
        django.setup()
        call_command("migrate", verbosity=0)
        yield
