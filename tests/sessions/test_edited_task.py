"""A task that its student edits while they work on it: copilot, check and tap follow."""

import pytest
from django.db import connection

from plans import editing
from plans.editing import Changes
from plans.errors import Archived
from plans.models import Action, Completion
from sessions.chat import get_session, send_turn
from sessions.completion import check_session, complete_session
from sessions.followups import sweep_followups
from sessions.lifecycle import open_session
from sessions.models import CopilotSession
from sessions.report import read_report
from sessions.transcript import add_student_turn
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer

pytestmark = pytest.mark.django_db(transaction=True)
MET = replies.json(answer("met", text="seven riders"))


@pytest.fixture
def session():
    student = factories.make_student()
    plan = factories.make_plan(student)
    action = factories.make_action(plan, requirements=[("Ask seven riders", "either")])
    factories.make_action(plan, "Another task")
    session = open_session(action, student)
    add_student_turn(session.pk, "I asked seven riders what they miss.", None)
    return get_session(student, session.pk)


def edit(session, **changes):
    version = Action.objects.get(pk=session.action_id).spec_version
    return editing.edit_task(
        session.student, session.action_id, Changes(**changes), expected_version=version
    )


def test_the_copilot_reads_the_task_anew_each_turn(session, gemini):
    send_turn(session, "Where do I begin?", "c1")
    assert "Nine riders" not in gemini.requests[-1].text
    edit(session, description="Nine riders, not seven.")
    send_turn(session, "And now?", "c2")
    assert "Nine riders, not seven." in str(gemini.requests[-1].body)


def test_an_edit_while_the_judge_thinks_leaves_it_undecided(session, gemini):
    def edit_and_pass(request):
        edit(session, title="Ask nine riders")
        connection.close()
        return MET

    gemini.respond = edit_and_pass
    got = complete_session(session)
    assert not got.completed
    assert (got.check.outcome, got.check.reason) == ("undecided", "spec_changed")
    assert not Completion.objects.exists()


def test_a_passed_check_is_stale_after_an_edit_and_the_tap_judges_anew(session, gemini):
    gemini.enqueue(MET)
    card = check_session(session)
    assert card.all_met
    made = edit(session, title="Ask nine riders")
    assert card.is_stale(made.spec_version)
    gemini.enqueue(MET)
    assert complete_session(session).completed
    assert Completion.objects.get().spec_version == made.spec_version


def test_a_dropped_task_is_not_completed_by_a_tap_under_way(session, gemini):
    def drop_and_pass(request):
        editing.drop_task(session.student, session.action_id)
        connection.close()
        return MET

    gemini.respond = drop_and_pass
    with pytest.raises(Archived):
        complete_session(session)
    assert not Completion.objects.exists()
    with pytest.raises(CopilotSession.DoesNotExist):
        get_session(session.student, session.pk)


def test_the_progress_report_follows(session, rules):
    plan = session.action.week.plan
    read_report(plan)
    edit(session, title="Ask nine riders")
    assert sweep_followups() == 1
    titles = [row["title"] for row in read_report(plan).content["open"]]
    assert titles == ["Ask nine riders", "Another task"]
