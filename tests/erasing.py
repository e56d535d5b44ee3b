"""A student's life in every table, each column holding a canary, and where canaries stand."""

import uuid
from collections.abc import Iterator

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.utils import timezone

from judge.models import Appeal, AppealFrame, CheckRun, RowDecision
from plans.editing import Changes, edit_task
from plans.models import Allowance, Completion, FollowUp, ModelSwitch, PlanDraft, Status
from plans.passed_check import CheckedRow, PassedCheck
from sessions import frames, transcript
from sessions.erasure import Removal, erase_person
from sessions.images import CleanImage
from sessions.lifecycle import open_session
from sessions.models import CopilotSession, MemorySummary, Picture, ProgressReport
from sessions.report import refresh_report
from tests import factories

WORD = "canary-word"  # stands for what a person said: must be gone afterwards
FACT = "canary-fact"  # stands for what was to be done, and what staff said: must stay

BLANKED = {
    "auth_user.email",
    "auth_user.first_name",
    "auth_user.last_name",
    "auth_user.username",
    "copilot_sessions_memorysummary.decided",
    "copilot_sessions_memorysummary.left_open",
    "copilot_sessions_memorysummary.made",
    "copilot_sessions_picture.jpeg",
    "copilot_sessions_progressreport.content",
    "copilot_sessions_turn.client_id",
    "copilot_sessions_turn.text",
    "django_admin_log.change_message",
    "django_admin_log.object_repr",
    "judge_appeal.message",
    "judge_appealframe.jpeg",
    "judge_checkrun.checklist",
    "judge_checkrun.evidence",
    "judge_checkrun.replies",
    "judge_checkrun.request",
    "judge_checkrun.summary",
    "plans_completion.checklist",
    "plans_followup.last_error",
    "plans_plan.goal",
    "plans_plandraft.brief",
    "plans_plandraft.proposal",
    "plans_plandraft.review",
}
KEPT = {
    "copilot_sessions_progressreport.content",
    "judge_checkrun.checklist",
    "judge_rowdecision.reason",
    "plans_action.description",
    "plans_action.title",
    "plans_action.topics",
    "plans_actionedit.after",
    "plans_actionedit.before",
    "plans_allowance.reason",
    "plans_completion.checklist",
    "plans_erasure.reason",
    "plans_modelswitch.reason",
    "plans_plan.title",
    "plans_reopening.reason",
    "plans_requirement.title",
    "plans_week.description",
    "plans_week.title",
}
# Fixed vocabularies, names of code and models, digests: nobody's words.
CODES = {
    "auth_user.password",
    "copilot_sessions_copilotsession.end_reason",
    "copilot_sessions_turn.channel",
    "copilot_sessions_turn.no_reply_reason",
    "copilot_sessions_turn.role",
    "copilot_sessions_turn.tool_name",
    "django_admin_log.object_id",
    "judge_checkrun.judge_kind",
    "judge_checkrun.model",
    "judge_checkrun.outcome",
    "judge_checkrun.prompt_hash",
    "judge_checkrun.reason",
    "judge_checkrun.trigger",
    "judge_rowdecision.judged_status",
    "plans_action.depends_on",
    "plans_action.status",
    "plans_actionedit.kind",
    "plans_allowance.purpose",
    "plans_completion.how",
    "plans_completion.judge_kind",
    "plans_dailyuse.purpose",
    "plans_followup.key",
    "plans_followup.kind",
    "plans_plandraft.made_by",
    "plans_plandraft.model",
    "plans_plandraft.reason",
    "plans_plandraft.state",
    "plans_proof.token",
    "plans_requirement.evidence_kind",
    "plans_requirement.origin",
}


class Life:
    """One student's traces in every table, each column holding `word` or FACT."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.student = factories.make_student(
            f"{word}-{uuid.uuid4().hex[:6]}@example.org", first_name=word, last_name=word
        )
        self.student.groups.add(Group.objects.get_or_create(name="Course")[0])
        self.staff = factories.make_staff()
        self.plan = factories.make_plan(self.student, weeks=[FACT], title=FACT, goal=word)
        self.plan.weeks.update(description=FACT)
        rows = [(FACT, "written")]
        self.actions = [
            factories.make_action(
                self.plan, FACT, requirements=rows, description=FACT, topics=[FACT]
            )
            for _ in range(3)
        ]
        self.session = self._talk()
        self.run = self.check()
        changes = Changes(description=f"{FACT}, again")
        edit_task(self.student, self.actions[2].pk, changes, expected_version=2)
        self.completion = self._complete()
        self._take_back_another()
        self._leave_traces_elsewhere()

    def _talk(self) -> CopilotSession:
        session = open_session(self.actions[0], self.student)
        turn = transcript.add_student_turn(session.pk, self.word, f"{self.word}-1")
        transcript.add_reply(turn, self.word, [("mark_task_in_progress", self.word)])
        parts = dict.fromkeys(("made", "decided", "left_open"), self.word)
        MemorySummary.objects.create(session=session, plan=self.plan, **parts)
        frames.store_frame(session.pk, CleanImage(self.word.encode(), is_black=False))
        return session

    def check(self) -> CheckRun:
        return CheckRun.objects.create(
            action=self.actions[0],
            student=self.student,
            session_id=self.session.pk,
            trigger="tap",
            outcome="passed",
            checklist=[self._row().as_json()],
            summary=self.word,
            spec_version=self.actions[0].spec_version,
            judge_kind="gemini",
            prompt_version=1,
            evidence={"turns": [{"text": self.word}]},
            request={"parts": [{"text": self.word}]},
            replies=[{"text": self.word}],
        )

    def _row(self) -> CheckedRow:
        requirement = self.actions[0].requirements.get()
        evidence = ({"turn": 1, "quote": self.word},)
        return CheckedRow(requirement.pk, requirement.title, "met", self.word, evidence)

    def _complete(self) -> Completion:
        check = PassedCheck(
            action_id=self.actions[0].pk,
            spec_version=self.actions[0].spec_version,
            requirement_ids=frozenset([self._row().id]),
            checklist=(self._row(),),
            judge_kind="gemini",
            check_id=self.run.pk,
        )
        return self.actions[0].update_status(
            Status.COMPLETED, by=self.student, confirmed=True, check=check
        )

    def _take_back_another(self) -> None:
        self.actions[1].update_status(Status.COMPLETED, by=self.student, confirmed=True)
        self.actions[1].reopen(by=self.staff, reason=FACT)

    def _contest(self) -> None:
        jpeg = self.word.encode()
        appeal = Appeal.objects.create(check_run=self.run, student=self.student, message=self.word)
        AppealFrame.objects.create(appeal=appeal, jpeg=jpeg, taken_at=timezone.now())
        RowDecision.objects.create(
            appeal=appeal,
            action=self.actions[0],
            requirement_id=self._row().id,
            spec_version=self.run.spec_version,
            judged_status="met",
            is_met=True,
            reason=FACT,
            decided_by=self.staff,
        )
        Picture.objects.create(
            action=self.actions[0],
            requirement=self.actions[0].requirements.get(),
            student=self.student,
            jpeg=jpeg,
        )

    def _leave_traces_elsewhere(self) -> None:
        self._contest()
        signed = {"reason": FACT, "by": self.staff}
        Allowance.objects.create(student=self.student, purpose="chat", daily_calls=1, **signed)
        ModelSwitch.objects.create(is_off=False, **signed)
        for made in ({}, {"state": "accepted", "plan": self.plan}):
            words = {"text": self.word}
            PlanDraft.objects.create(
                owner=self.student, brief=words, proposal=words, review=words, **made
            )
        FollowUp.objects.filter(plan=self.plan).update(last_error=self.word)
        refresh_report(self.plan.pk)
        report = ProgressReport.objects.get(plan=self.plan)
        report.content["note"] = self.word
        report.save()
        for row in (self.student, self.session.memory):
            LogEntry.objects.create(
                user=self.staff,
                content_type=ContentType.objects.get_for_model(row),
                object_id=str(row.pk),
                object_repr=self.word,
                action_flag=CHANGE,
                change_message=self.word,
            )

    def erase(self, **changes) -> Removal:
        return erase_person(self.student, **({"by": self.staff, "reason": FACT} | changes))

    def frame_count(self) -> int:
        return len(frames.read_frames(self.session.pk))


def text_columns() -> set[str]:
    """Every column of the product's tables, and of those it shares, that can hold text."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name || '.' || column_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND data_type IN "
            "('text', 'character varying', 'jsonb', 'json', 'ARRAY', 'bytea') AND table_name "
            "~ '^(plans|judge|copilot_sessions)_|^auth_user$|^django_admin_log$'"
        )
        return {name for (name,) in cursor.fetchall()}


def columns_with(text: str) -> set[str]:
    """Where the text stands, over every table there is; of a picture, its bytes."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(
                "SELECT DISTINCT kv.key FROM "
                f'"{table}" t, jsonb_each_text(to_jsonb(t)) kv '
                "WHERE kv.value LIKE ANY (%s)",
                [[f"%{text}%", f"%{text.encode().hex()}%"]],
            )
            found |= {f"{table}.{name}" for (name,) in cursor.fetchall()}
    return found


def rows_with(text: str) -> Iterator[tuple[str, str]]:
    """Every row that holds the text, as text, over every table."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(
                f'SELECT t::text FROM "{table}" t WHERE t::text LIKE ANY (%s)',
                [[f"%{text}%", f"%{text.encode().hex()}%"]],
            )
            yield from ((table, row) for (row,) in cursor.fetchall())
