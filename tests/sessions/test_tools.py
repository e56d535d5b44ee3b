"""The copilot's two tools: said the same way to chat and voice, and what each of them writes."""

import uuid
from typing import Any

import pytest
from django.apps import apps
from django.forms.models import model_to_dict

from elivio.llm.langchain_chat import langchain_tools
from elivio.llm.messages import ToolCall
from elivio.llm.tools import live_declarations
from plans.models import Action, Completion, Status
from plans.status import self_report
from sessions.lifecycle import open_session
from sessions.tools import CATALOGUE, TOOLS, execute
from tests import factories

IN_PROGRESS, COMPLETED = "mark_task_in_progress", "mark_task_completed"
REASON = {"reason": "All rows seem to be there."}


@pytest.fixture
def session():
    student = factories.make_student()
    return open_session(factories.make_action(factories.make_plan(student)), student)


def call(session, name: str, args: Any) -> str:
    return execute(ToolCall(id="call-1", name=name, args=args), session)


def read_everything() -> dict[str, list[dict]]:
    """Every row of every table, as it stands."""
    return {
        model._meta.label: [
            {"pk": row.pk, **model_to_dict(row), **row.__dict__, "_state": None}
            for row in model._default_manager.order_by("pk")
        ]
        for model in apps.get_models()
    }


class TestCatalogue:
    def test_there_are_exactly_two(self):
        assert [tool.name for tool in TOOLS] == [IN_PROGRESS, COMPLETED]
        assert [entry.tool for entry in CATALOGUE] == list(TOOLS)

    def test_none_has_to_do_with_a_check(self):
        assert not any("check" in tool.name for tool in TOOLS)

    def test_chat_and_voice_say_the_same(self):
        chat = [
            {
                "name": tool.name,
                "description": tool.description,
                "parameters_json_schema": tool.args_schema,
            }
            for tool in langchain_tools(TOOLS)
        ]
        voice = live_declarations(TOOLS)
        assert {each.pop("behavior") for each in voice} == {"BLOCKING"}
        assert chat == voice
        assert [each["name"] for each in voice] == [IN_PROGRESS, COMPLETED]

    def test_a_model_is_asked_for_a_reason_and_nothing_else(self):
        for tool in TOOLS:
            assert list(tool.parameters()["properties"]) == ["reason"]
        assert TOOLS[1].parameters()["required"] == ["reason"]
        assert "required" not in TOOLS[0].parameters()

    def test_the_wording_that_matters(self):
        words = " ".join(TOOLS[1].description.split())
        assert "does NOT complete the task" in words
        assert "stores nothing" in words
        assert "the student's own tap on Mark complete" in words


@pytest.mark.django_db
class TestMarkTaskCompleted:
    @pytest.mark.parametrize("status", [Status.NOT_STARTED, Status.IN_PROGRESS])
    def test_it_writes_nothing_at_all(self, session, status):
        session.action.update_status(status, by=session.student)
        before = read_everything()
        result = call(session, COMPLETED, REASON)
        assert read_everything() == before
        assert result.startswith("NOT_MARKED")
        for words in ("nothing was written", "run the completion check", "tap Mark complete"):
            assert words in result

    def test_control_the_other_tool_changes_a_row(self, session):
        before = read_everything()
        call(session, IN_PROGRESS, {})
        assert read_everything() != before

    def test_it_opens_no_query(self, session, django_assert_num_queries):
        with django_assert_num_queries(0):
            call(session, COMPLETED, REASON)

    def test_no_argument_makes_it_complete(self, session):
        for more in ({"confirmed": True}, {"status": "completed"}, {"by": "student"}):
            call(session, COMPLETED, {**REASON, **more})
        assert Action.objects.get().status == Status.NOT_STARTED
        assert not Completion.objects.exists()


@pytest.mark.django_db
class TestMarkTaskInProgress:
    def test_it_writes(self, session):
        assert call(session, IN_PROGRESS, {}) == "The task is now stored as in progress."
        assert Action.objects.get().status == Status.IN_PROGRESS

    def test_again_is_a_quiet_success(self, session):
        assert call(session, IN_PROGRESS, {}) == call(session, IN_PROGRESS, REASON)

    def test_it_acts_on_the_sessions_task_whatever_it_is_told(self, session):
        other = factories.make_action(factories.make_plan(factories.make_student()))
        more = {
            "action_id": str(other.pk),
            "task_id": str(other.pk),
            "student_id": other.week.plan.owner_id,
            "session_id": str(uuid.uuid4()),
            "status": "completed",
        }
        call(session, IN_PROGRESS, more)
        other.refresh_from_db()
        session.action.refresh_from_db()
        assert (other.status, session.action.status) == (Status.NOT_STARTED, Status.IN_PROGRESS)

    def test_a_completed_task_stays_as_it_is(self, session):
        completion = self_report(session.action, by=session.student)
        result = call(session, IN_PROGRESS, {})
        assert result.startswith("Nothing was changed: This task is complete.")
        stored = Action.objects.get()
        assert (stored.status, stored.current_completion) == (Status.COMPLETED, completion)

    def test_an_archived_task_stays_as_it_is(self, session):
        Action.objects.update(archived_at="2026-11-01T00:00Z")
        assert call(session, IN_PROGRESS, {}).startswith("Nothing was changed")
        assert Action.objects.get().status == Status.NOT_STARTED


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("complete_task", {}, "There is no tool named complete_task"),
        ("", {}, "There is no tool named"),
        (COMPLETED, {}, "The arguments do not fit"),
        (COMPLETED, {"reason": None}, "The arguments do not fit"),
        (COMPLETED, {"reason": 7}, "The arguments do not fit"),
        (COMPLETED, {"reason": "x" * 501}, "The arguments do not fit"),
        (COMPLETED, [], "The arguments do not fit"),
        (COMPLETED, None, "The arguments do not fit"),
        (IN_PROGRESS, {"reason": ["a", "b"]}, "The arguments do not fit"),
        (IN_PROGRESS, "reason", "The arguments do not fit"),
    ],
)
def test_a_wrong_call_gets_a_sentence_and_does_nothing(session, name, args, words):
    before = read_everything()
    result = call(session, name, args)
    assert result.startswith(words) and "othing was done" in result
    assert read_everything() == before
