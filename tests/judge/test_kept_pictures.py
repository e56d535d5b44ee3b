"""Pictures of a check that did not pass: kept for half an hour, shown with consent alone."""

import uuid

import pytest
import redis
from django.conf import settings as django_settings
from django.db import connection

from judge.appeals import report_check
from judge.evidence import Evidence, Frame, read_task
from judge.kept_pictures import (
    EXPIRY_SECONDS,
    count_kept,
    forget_kept,
    keep_pictures,
    read_kept,
)
from judge.models import Appeal, AppealFrame, CheckRun
from judge.run import run_judge
from tests import factories
from tests.fakes import replies
from tests.fakes.brain import answer

pytestmark = pytest.mark.django_db(transaction=True)
FRAMES = (
    Frame(1, b"for the first", 900, False, pinned_to="r1"),
    Frame(2, b"for the second", 60, True, pinned_to="r2"),
    Frame(3, b"of the screen", 15, False),
)
UNREACHABLE = "redis://127.0.0.1:9/0"


@pytest.fixture
def action(gemini):
    gemini.respond = lambda request: replies.json(answer("not_shown", "not_met"))
    plan = factories.make_plan(factories.make_student())
    return factories.make_action(plan, requirements=[("First", "shown"), ("Second", "shown")])


@pytest.fixture
def session_id():
    return uuid.uuid4()


def judge(action, session_id, frames=FRAMES):
    """A check of a session as the product runs it."""
    student_id = action.week.plan.owner_id
    evidence = Evidence(read_task(action.pk), frames=frames)
    result = run_judge(evidence, trigger="check", student_id=student_id, session_id=session_id)
    keep_pictures(session_id, result, evidence)
    return CheckRun.objects.get(pk=result.id)


@pytest.fixture
def run(action, session_id):
    return judge(action, session_id)


def report(run, place=None, **how):
    row = run.action.requirements.order_by("position")[place].pk if place is not None else None
    return report_check(run.pk, by=run.student, requirement_id=row, message="Look.", **how)


def bytes_of(appeal):
    return {bytes(frame.jpeg) for frame in appeal.frames.all()}


class TestKeeping:
    def test_what_the_judge_saw_is_there_for_half_an_hour(self, run, session_id):
        assert count_kept(run) == 3
        kept = [(one.number, one.jpeg, one.pinned_to) for one in read_kept(run)]
        assert kept == [(frame.number, frame.data, frame.pinned_to) for frame in FRAMES]
        client = redis.Redis.from_url(django_settings.REDIS_URL)
        assert 0 < client.ttl(f"elivio:judged:{session_id}") <= EXPIRY_SECONDS

    def test_of_a_check_that_passed_nothing(self, action, session_id, gemini):
        quote = [{"frame": 3}]
        body = answer("met", "met")
        for row in body["rows"]:
            row["evidence"] = quote
        gemini.respond = lambda request: replies.json(body)
        passed = judge(action, session_id)
        assert passed.outcome == "passed"
        assert count_kept(passed) == 0 and read_kept(passed) == []

    def test_a_session_keeps_those_of_its_newest_check(self, run, action, session_id):
        newer = judge(action, session_id, FRAMES[2:])
        assert (count_kept(run), read_kept(run)) == (0, [])
        assert [one.jpeg for one in read_kept(newer)] == [b"of the screen"]
        other = judge(action, uuid.uuid4())
        assert count_kept(newer) == 1 and count_kept(other) == 3

    def test_an_older_check_that_answers_late_takes_none_away(self, action, session_id, gemini):
        newer = []

        def respond(request):
            if not newer:
                newer.append(None)
                newer[0] = judge(action, session_id, FRAMES[2:])
                connection.close()
            return replies.json(answer("not_shown", "not_met"))

        gemini.respond = respond
        late = judge(action, session_id)
        assert late.started_at < newer[0].started_at
        assert [one.jpeg for one in read_kept(newer[0])] == [b"of the screen"]
        assert count_kept(newer[0]) == 1 and count_kept(late) == 0

    def test_they_can_be_forgotten(self, run, session_id):
        assert forget_kept([session_id]) and forget_kept([])
        assert (count_kept(run), read_kept(run)) == (0, [])

    def test_without_valkey_there_are_none_and_the_check_stands(self, run, action, settings):
        settings.REDIS_URL = UNREACHABLE
        assert judge(action, run.session_id).outcome == "failed"
        assert (count_kept(run), read_kept(run)) == (0, [])
        assert not forget_kept([run.session_id])


class TestSharing:
    def test_none_without_consent(self, run):
        report(run)
        assert not AppealFrame.objects.exists()

    def test_all_of_a_check_as_a_whole(self, run):
        appeal = report(run, share_pictures=True)
        assert bytes_of(appeal) == {frame.data for frame in FRAMES}
        oldest = appeal.frames.order_by("taken_at").first()
        assert round((run.created_at - oldest.taken_at).total_seconds()) == 900

    def test_of_a_row_those_that_concern_it(self, run):
        appeal = report(run, 1, share_pictures=True)
        assert bytes_of(appeal) == {b"for the second", b"of the screen"}

    def test_they_are_not_doubled_and_consent_may_come_later(self, run):
        report(run)
        for _ in range(2):
            appeal = report(run, share_pictures=True)
        assert appeal.frames.count() == 3 and Appeal.objects.count() == 1

    def test_only_of_the_check_that_is_contested(self, run, action, session_id):
        newer = judge(action, session_id)
        assert not report(run, share_pictures=True).frames.exists()
        assert report(newer, share_pictures=True).frames.count() == 3

    def test_without_valkey_the_report_is_filed_all_the_same(self, run, settings):
        settings.REDIS_URL = UNREACHABLE
        assert not report(run, share_pictures=True).frames.exists()
        assert Appeal.objects.count() == 1
