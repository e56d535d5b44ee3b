"""From a session's check to the staff: what the student's screen showed, and that it goes again."""

import pytest

from judge.appeals import report_check
from judge.decisions import decide_row
from judge.kept_pictures import count_kept
from judge.models import AppealFrame, CheckRun
from sessions import frames
from sessions.completion import check_session, complete_session
from sessions.erasure import erase_person
from sessions.images import CleanImage
from sessions.lifecycle import open_session
from sessions.pins import keep_picture
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer

pytestmark = pytest.mark.django_db(transaction=True)
SCREEN, KEPT = CleanImage(b"the screen", False), CleanImage(b"kept for the row", False)


@pytest.fixture
def session(gemini):
    gemini.respond = lambda request: replies.json(answer("not_shown"))
    plan = factories.make_plan(factories.make_student())
    action = factories.make_action(plan, requirements=[("Shows the count", "shown")])
    session = open_session(action, plan.owner)
    frames.store_frame(session.pk, SCREEN)
    keep_picture(session, action.requirements.get().pk, KEPT)
    return session


def contest(session, card):
    row = session.action.requirements.get().pk
    return report_check(
        card.id, by=session.student, requirement_id=row, message="Look.", share_pictures=True
    )


@pytest.mark.parametrize("ask", ["check", "tap"])
def test_pictures_of_the_screen_and_kept_ones_go_along_until_it_is_decided(session, ask):
    card = check_session(session) if ask == "check" else complete_session(session).check
    for number in range(4):  # the ring has turned over by the time a student contests
        frames.store_frame(session.pk, CleanImage(f"later {number}".encode(), False))
    appeal = contest(session, card)
    assert {bytes(frame.jpeg) for frame in appeal.frames.all()} == {SCREEN.jpeg, KEPT.jpeg}
    row = session.action.requirements.get().pk
    decide_row(appeal, row, by=factories.make_staff(), is_met=True, reason="It is there.")
    assert not AppealFrame.objects.exists()


def test_an_erasure_takes_the_copies_and_what_is_kept(session):
    card = check_session(session)
    run = CheckRun.objects.get(pk=card.id)
    contest(session, card)
    assert count_kept(run) == 2 and AppealFrame.objects.count() == 2
    assert erase_person(session.student, by=factories.make_staff(), reason="Asked.").frames_removed
    assert count_kept(run) == 0 and not AppealFrame.objects.exists()
