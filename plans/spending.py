"""The daily ceilings on model calls: asked before each call, by the gateway, and atomic.

Checks and taps have a ceiling of their own, and a check begins only when its tap still fits: a
check that passed holds that tap's calls back until the tap is made or the day ends.
"""

import datetime
import uuid
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from elivio.llm.errors import LLMError
from plans.models.spending import Allowance, DailyUse, HeldTap, ModelSwitch, Purpose

TAP_CALLS = 2  # the most that one judge run makes


@dataclass(frozen=True, slots=True)
class Payer:
    """Whose ceiling a model call counts against. `action_id` belongs to checks and taps, and so
    does `spec_version`, the task's as it is judged."""

    student_id: int
    purpose: Purpose
    action_id: uuid.UUID | None = None
    is_tap: bool = False
    spec_version: int = 0

    def spend(self) -> None:
        """Count one call before it is made. Raises LLMError("budget_spent" or "switched_off")."""
        require_switched_on()
        day = timezone.localdate()
        most = find_ceiling(self.student_id, self.purpose)
        if not self._count(day, most):
            DailyUse.objects.filter(
                student_id=self.student_id, day=day, purpose=self.purpose
            ).update(refused=F("refused") + 1)
            raise LLMError("budget_spent", f"{self.purpose}: {most} a day.")

    @transaction.atomic
    def hold_again(self) -> None:
        """A tap came to no verdict and may have used what was held for it: hold as much for the
        next one, when the ceiling has room for that."""
        day, most = timezone.localdate(), find_ceiling(self.student_id, self.purpose)
        key = {"student_id": self.student_id, "day": day, "purpose": self.purpose}
        use = DailyUse.objects.select_for_update(no_key=True).filter(**key).first()
        if use and use.calls + TAP_CALLS + self._held_elsewhere(day) <= most:
            self._write_hold(day)

    @transaction.atomic
    def _count(self, day: datetime.date, most: int) -> bool:
        """Whether the call fits; counted when it does. The row's lock makes callers queue."""
        key = {"student_id": self.student_id, "day": day, "purpose": self.purpose}
        DailyUse.objects.bulk_create([DailyUse(**key)], ignore_conflicts=True)
        use = DailyUse.objects.select_for_update(no_key=True).get(**key)
        if self.is_tap and self._take_held(day):
            fits = True
        else:
            wanted = 1 + self._hold(day)
            fits = use.calls + wanted + self._held_elsewhere(day) <= most
        if fits:
            use.calls += 1
            use.save(update_fields=("calls",))
            self._keep_hold(day)
        return fits

    def _hold(self, day: datetime.date) -> int:
        """What a check needs beside its own call, so that its tap is possible too."""
        return 0 if self.action_id is None or self.is_tap else TAP_CALLS

    def _held_elsewhere(self, day: datetime.date) -> int:
        """Calls held back for taps on other tasks that can still be tapped. Only checks and taps
        hold any."""
        if self.action_id is None:
            return 0
        held = HeldTap.objects.filter(
            student_id=self.student_id,
            day=day,
            action__spec_version=F("spec_version"),
            action__current_completion=None,
            action__archived_at=None,
            action__week__plan__archived_at=None,
        )
        return held.exclude(action_id=self.action_id).aggregate(n=Sum("calls"))["n"] or 0

    def _keep_hold(self, day: datetime.date) -> None:
        if self.action_id and not self.is_tap:
            self._write_hold(day)

    def _write_hold(self, day: datetime.date) -> None:
        HeldTap.objects.update_or_create(
            student_id=self.student_id,
            day=day,
            action_id=self.action_id,
            defaults={"calls": TAP_CALLS, "spec_version": self.spec_version},
        )

    def _take_held(self, day: datetime.date) -> bool:
        held = HeldTap.objects.filter(
            student_id=self.student_id,
            day=day,
            action_id=self.action_id,
            spec_version=self.spec_version,
            calls__gt=0,
        )
        return bool(held.update(calls=F("calls") - 1))


def release_tap(student_id: int, action_id: uuid.UUID) -> None:
    """No tap can follow, as a check failed or the task is complete: nothing is held back for it."""
    HeldTap.objects.filter(student_id=student_id, action_id=action_id).delete()


def spend_nothing() -> None:
    """For calls that somebody makes at the terminal: no student's ceiling counts them."""


def require_switched_on() -> None:
    """Raises LLMError("switched_off") while staff have switched all model calls off."""
    newest = ModelSwitch.objects.first()
    if newest and newest.is_off:
        raise LLMError("switched_off", newest.reason)


def find_ceiling(student_id: int, purpose: Purpose) -> int:
    """Calls a day: what staff set for this student, or the setting."""
    own = Allowance.objects.filter(student_id=student_id, purpose=purpose).first()
    return own.daily_calls if own else settings.DAILY_MODEL_CALLS[purpose]
