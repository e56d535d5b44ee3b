"""The Celery tasks of plans: an id in, one call out."""

import uuid

from celery import shared_task

from plans.making import steps


@shared_task(name=steps.TASK)
def advance_plan_draft(draft_id: str) -> None:
    steps.advance_and_go_on(uuid.UUID(draft_id))


@shared_task(name="elivio.sweep_plan_drafts")
def sweep_plan_drafts() -> None:
    steps.sweep_drafts()
