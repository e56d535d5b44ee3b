"""One row of every model that the admin shows, as the product writes them, for its tests."""

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.utils import timezone

from judge import prompt
from judge.evidence import Evidence, Frame, Turn, read_task
from judge.models import Appeal, AppealFrame, CheckRun, RowDecision
from plans.models import (
    Action,
    ActionEdit,
    Allowance,
    Completion,
    DailyUse,
    Erasure,
    HeldTap,
    ModelSwitch,
    Plan,
    PlanDraft,
    Requirement,
    Status,
)
from plans.passed_check import CheckedRow, PassedCheck
from plans.proof import share_plan
from sessions import transcript
from sessions.models import CopilotSession, MemorySummary, Picture
from sessions.report import refresh_report
from tests import factories

APPS = ("plans", "judge", "copilot_sessions")
MODELS = [model for label in APPS for model in apps.get_app_config(label).get_models()]
ADDED = [Allowance, ModelSwitch]  # staff with the right add these; nobody changes them
WORDLESS = [DailyUse]  # nobody's words, and no task
JPEG = b"jpeg bytes"
EVIDENCE = [{"turn": 1, "quote": "Open | 51", "sentAt": "2026-11-30T14:32:00+00:00"}]


@dataclass(frozen=True)
class Record:
    """What one call of `add_record` has made, and where it begins."""

    student: User
    plan: Plan
    action: Action
    session: CopilotSession
    run: CheckRun
    completion: Completion


def url_of(model: type[Model], page: str) -> str:
    """The name of an admin page of the model: changelist, add, change, delete or history."""
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"


def admin_of(model: type[Model]) -> admin.ModelAdmin:
    return admin.site._registry[model]


def add_record(text: str = "Give every station one status", **run: Any) -> Record:
    """A shared plan with one action: talked about, checked, completed, reopened, completed again
    and contested. `text` stands in every column that holds words; `run` are columns of its check.
    """
    student = factories.make_student()
    plan = factories.make_plan(student, title=text[:200], goal=text, weeks=[text[:200]])
    action = factories.make_action(
        plan, text[:200], description=text, requirements=[(text, "either")]
    )
    session = CopilotSession.objects.create(action=action, student=student)
    turn = transcript.add_student_turn(session.pk, text, None)
    transcript.add_reply(turn, text, [("mark_task_in_progress", text)])
    made = add_run(session, text, **run)
    requirement = action.requirements.get()
    Picture.objects.create(action=action, requirement=requirement, student=student, jpeg=JPEG)
    staff = factories.make_staff()
    appeal = Appeal.objects.create(
        check_run=made, student=student, requirement_id=requirement.pk, message=text
    )
    AppealFrame.objects.create(appeal=appeal, jpeg=JPEG, taken_at=timezone.now())
    RowDecision.objects.create(
        appeal=appeal,
        action=action,
        requirement_id=requirement.pk,
        spec_version=made.spec_version,
        judged_status="not_shown",
        is_met=False,
        reason=text[:500],
        decided_by=staff,
    )
    add_edit(student, action)
    complete(action, made)
    Action.objects.get(pk=action.pk).reopen(by=staff, reason=text[:500])
    completion = complete(action, made)
    MemorySummary.objects.create(session=session, plan=plan, made=text[:400])
    refresh_report(plan.pk)
    share_plan(plan, by=student)
    words = {"text": text}
    PlanDraft.objects.create(
        owner=student, brief=words, proposal=words, review=words, state="accepted", plan=plan
    )
    Erasure.objects.create(person=student, by=staff, reason=text[:500])
    add_spending(student, action, staff, text)
    return Record(student, plan, action, session, made, completion)


def add_edit(student: User, action: Action) -> None:
    """As `plans.editing` notes it; the task itself stays, as its check is of this version."""
    ActionEdit.objects.create(
        action=action,
        by=student,
        kind="edited",
        before={"title": "", "place": 2},
        after={"title": action.title, "place": 1},
        spec_version=action.spec_version,
    )


def add_spending(student: User, action: Action, staff: User, text: str) -> None:
    today = timezone.localdate()
    DailyUse.objects.create(student=student, day=today, purpose="check", calls=3, refused=1)
    HeldTap.objects.create(student=student, day=today, action=action, calls=2)
    Allowance.objects.create(
        student=student, purpose="check", daily_calls=90, reason=text[:500], by=staff
    )
    ModelSwitch.objects.create(is_off=False, reason=text[:500], by=staff)


def add_run(session: CopilotSession, text: str, **columns: Any) -> CheckRun:
    """A CheckRun with a request as the product builds it, and one row that was not proven."""
    task = read_task(session.action_id)
    turns = tuple(
        Turn(number, role, text, timezone.now())
        for number, role in enumerate(("student", "copilot"), start=1)
    )
    evidence = Evidence(task, turns, frames=(Frame(1, JPEG, 41, False),))
    request = prompt.build_request(evidence, dict)
    row = {"status": "not_shown", "note": text, "evidence": EVIDENCE, "faults": ["black_frame"]}
    values = {
        "action_id": session.action_id,
        "student_id": session.student_id,
        "session_id": session.pk,
        "trigger": "check",
        "outcome": "failed",
        "checklist": [{"id": str(one.id), "title": one.title, **row} for one in task.rows],
        "summary": text,
        "spec_version": task.spec_version,
        "judge_kind": "gemini",
        "model": "gemini-3.8-flash",
        "prompt_version": prompt.VERSION,
        "prompt_hash": prompt.prompt_hash(),
        "evidence": evidence.as_record(),
        "request": request.as_record(),
        "replies": [{"text": text, "fault": "not_json", "detail": text, "milliseconds": 812}],
        "prompt_tokens": 1234,
        "milliseconds": 812,
    }
    return CheckRun.objects.create(**values | columns)


def complete(action: Action, run: CheckRun | None) -> Completion:
    """Complete by a passed check; without a run its audit row is missing."""
    action = Action.objects.get(pk=action.pk)
    rows = tuple(
        CheckedRow(row.pk, row.title, "met", row.title, tuple(EVIDENCE))
        for row in Requirement.objects.filter(action=action)
    )
    check = PassedCheck(
        action_id=action.pk,
        spec_version=action.spec_version,
        requirement_ids=frozenset(row.id for row in rows),
        checklist=rows,
        judge_kind="rules",
        check_id=run.pk if run else None,
    )
    return action.update_status(
        Status.COMPLETED, by=action.week.plan.owner, confirmed=True, check=check
    )
