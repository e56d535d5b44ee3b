"""`manage.py erase_person`: remove a person's words and name, keep what was done and how."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from sessions.erasure import ErasureRefused, erase_person


class Command(BaseCommand):
    help = (
        "Remove a person: name, messages, judge notes and pictures go, and they can no longer log "
        "in. Which tasks were done, when and how, stays. This cannot be undone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("person", help="The e-mail address the person logs in with.")
        parser.add_argument("--by", required=True, help="The e-mail address of a staff member.")
        parser.add_argument(
            "--reason", required=True, help="Kept for good, so leave the person's name out."
        )
        parser.add_argument("--no-input", action="store_true", help="Do not ask first.")

    def handle(self, *args: Any, **options: Any) -> None:
        person, by = find_user(options["person"]), find_user(options["by"])
        if not options["no_input"]:
            answer = input(f"This cannot be undone. Type {person.username} to go on: ")
            if answer.strip().lower() != person.username:
                raise CommandError("Nothing was changed.")
        try:
            removal = erase_person(person, by=by, reason=options["reason"])
        except ErasureRefused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Removed. In the records this person is now {removal.name}.")
        if not removal.frames_removed:
            self.stdout.write("Pictures of their screen will be gone within half an hour.")
        self.stdout.write(
            "If they were at work just now, run the command again in five minutes with that name: "
            "an answer that was under way may still have been written."
        )


def find_user(name: str) -> User:
    user = User.objects.filter(username=name.strip().lower()).first()
    if user is None:
        raise CommandError(f"Nobody logs in as {name}.")
    return user
