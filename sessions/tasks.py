"""The Celery tasks: an id in, one call out."""

import uuid

from celery import shared_task
from django.core.management import call_command

from plans.outbox import TASK
from sessions import followups, lifecycle


@shared_task(name=TASK)
def run_followup(followup_id: str) -> None:
    followups.run_followup(uuid.UUID(followup_id))


@shared_task(name="elivio.sweep_followups")
def sweep_followups() -> None:
    followups.sweep_followups()


@shared_task(name="elivio.clear_logins")
def clear_logins() -> None:
    """Delete expired login sessions, which Django leaves in the table."""
    call_command("clearsessions")


@shared_task(name="elivio.end_idle_sessions")
def end_idle_sessions() -> None:
    lifecycle.end_idle_sessions()
