"""`manage.py seed_demo`: the demo student, staff user and plan. Again: changes nothing."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from elivio.demo import PASSWORD, STAFF, STUDENT
from elivio.demo.seed import SeedFailed, seed_demo


class Command(BaseCommand):
    help = "Make the demo student, the demo staff user and the demo plan (only while DEBUG is on)."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError(
                "The demo logins have a password that everybody knows, so they are made only while "
                "DEBUG is on. On your own machine, set DEBUG=1."
            )
        try:
            seed_demo()
        except SeedFailed as error:
            raise CommandError(str(error)) from error
        if options["verbosity"]:
            self.stdout.write(f"The demo is ready: {STUDENT} and {STAFF}, password {PASSWORD}.")
