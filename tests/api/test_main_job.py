"""The whole job through the API: nothing, shown in turns, checked, marked complete."""

import pytest

from judge.examples import LATEST, PASSED, REPORT
from judge.models import Appeal, CheckRun
from plans.models import Completion
from tests.api.calling import MISSING, make_picture
from tests.api.conftest import WORK
from tests.fakes import replies
from tests.fakes.brain import answer

pytestmark = pytest.mark.django_db(transaction=True)


def do_the_job(caller, plan, path) -> dict:
    """Returns the completed action's JSON."""
    first = caller.post(path("check"))
    assert (first.status_code, first.json()["outcome"]) == (200, "failed")
    assert first.json().keys() == PASSED.keys()
    rows = first.json()["requirements"]
    assert [row["met"] for row in rows] == [False, False]
    assert (first.json()["allMet"], len(first.json()["blockers"])) == (False, 2)

    early = caller.post(path("complete"), {})
    assert (early.status_code, early.json()["completed"]) == (200, False)
    assert early.json()["check"]["outcome"] == "failed"

    assert caller.post(path("turns"), {"text": WORK, "clientId": "w"}).status_code == 201
    check = caller.post(path("check"), {}).json()
    assert (check["outcome"], check["allMet"], check["blockers"]) == ("passed", True, [])
    assert [row["status"] for row in check["requirements"]] == ["met", "met"]
    assert check["requirements"][0]["evidence"][0]["quote"] in WORK
    latest = caller.get(path("")[:-1]).json()["latestCheck"]
    assert latest.keys() == LATEST.keys()
    assert latest == {**check, "stale": False}
    assert not Completion.objects.exists()

    tap = caller.post(path("complete"), {})
    assert (tap.status_code, tap.json()["completed"]) == (200, True)
    assert tap.json()["check"]["allMet"] is True
    runs = CheckRun.objects.count()
    again = caller.post(path("complete"))
    assert (again.status_code, again.json()) == (200, {"completed": True, "check": None})
    assert (CheckRun.objects.count(), Completion.objects.count()) == (runs, 1)
    return caller.get(f"plans/{plan.id}").json()["weeks"][0]["actions"][0]


def test_with_plain_rules(caller, plan, checks_path, rules):
    done = do_the_job(caller, plan, checks_path)
    assert (done["status"], done["completion"]["how"]) == ("completed", "checked")
    assert done["completion"]["byRules"] is True
    assert done["completion"]["label"] == "checked by plain rules (demo)"
    assert done["completion"]["checkId"]


def test_with_gemini(caller, plan, checks_path, gemini):
    done = do_the_job(caller, plan, checks_path)
    assert (done["completion"]["how"], done["completion"]["byRules"]) == ("checked", False)
    assert (done["completion"]["label"], done["completion"]["judgeKind"]) == ("checked", "gemini")
    assert caller.get("plans").json()[0]["progress"]["checked"] == 1
    judged = [request for request in gemini.requests if request.schema]
    assert judged
    assert not any("tools" in request.body for request in judged)


def test_a_checked_task_is_not_taken_back_by_patch(caller, plan, action, checks_path, rules):
    do_the_job(caller, plan, checks_path)
    got = caller.patch(f"actions/{action.id}/status", {"status": "in_progress"})
    assert (got.status_code, got.json()["code"]) == (409, "reopen_refused")


@pytest.mark.parametrize(
    "reply",
    [
        replies.error(429),
        replies.error(500),
        replies.blocked(),
        replies.max_tokens('{"rows": ['),
        replies.text("All met, well done!"),
        replies.json({"rows": [], "allMet": True}),
        replies.close_connection(),
    ],
)
def test_an_odd_judge_is_undecided_and_completes_nothing(caller, checks_path, gemini, reply):
    gemini.respond = lambda request: reply
    check = caller.post(checks_path("check"))
    assert (check.status_code, check.json()["outcome"]) == (200, "undecided")
    assert (check.json()["allMet"], check.json()["blockers"]) == (False, [])
    assert check.json()["reason"]
    tap = caller.post(checks_path("complete"))
    assert (tap.status_code, tap.json()["completed"]) == (200, False)
    assert not Completion.objects.exists()


@pytest.mark.parametrize("says", [True, False])
def test_the_rows_decide_whatever_the_model_says(caller, checks_path, gemini, says):
    caller.post(checks_path("turns"), {"text": WORK})
    statuses = ("met", "met") if not says else ("met", "not_shown")
    gemini.respond = lambda request: replies.json(answer(*statuses, text="50000", all_met=says))
    check = caller.post(checks_path("check")).json()
    assert (check["outcome"], check["allMet"]) == (("failed", "passed")[not says], not says)


def test_an_edited_task_makes_the_check_stale(caller, checks_path, action, rules):
    caller.post(checks_path("check"))
    action.description = "More to do"
    action.save(update_fields=("description",))
    assert caller.get(checks_path("")[:-1]).json()["latestCheck"]["stale"] is True


@pytest.mark.parametrize("sent", ["!!!", "iVBORw0KGgo=", "\u00e9", "data:image/png;base64,"])
def test_a_bad_screenshot_is_said_on_the_card(caller, checks_path, rules, sent):
    check = caller.post(checks_path("check"), {"screenshotBase64": sent})
    assert check.status_code == 200
    assert "screenshot" in check.json()["summary"]


def test_reporting_a_check(caller, checks_path, rules):
    check = caller.post(checks_path("check")).json()
    path = f"checks/{check['id']}/report"
    row = check["requirements"][1]["id"]
    body = {"requirementId": row, "message": "It stands in my first message."}
    got = caller.post(path, body)
    assert (got.status_code, got.json().keys()) == (201, REPORT.keys())
    assert {name: got.json()[name] for name in body} == body
    assert got.json()["picturesShared"] == 0
    assert got.json()["checkId"] == check["id"]
    assert caller.post(path, body).json() == got.json()
    whole = caller.post(path)
    assert (whole.status_code, whole.json()["requirementId"]) == (201, None)
    assert Appeal.objects.count() == 2
    assert not Completion.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {"requirementId": MISSING},
        {"message": "x" * 2001},
        {"message": "a\0b"},
        {"sharePictures": "true"},
        {"sharePictures": 1},
    ],
)
def test_a_report_that_cannot_be_taken(caller, checks_path, rules, body):
    check = caller.post(checks_path("check")).json()
    got = caller.post(f"checks/{check['id']}/report", body)
    assert got.status_code in (409, 422)
    assert got.json()["detail"].endswith(".")
    assert not Appeal.objects.exists()


def test_pictures_are_shared_with_consent_alone(caller, checks_path, session_id, rules):
    caller.upload(f"sessions/{session_id}/frames", image=make_picture())
    check = caller.post(checks_path("check")).json()
    path = f"checks/{check['id']}/report"
    assert caller.post(path, {"message": "Look."}).json()["picturesShared"] == 0
    shared = caller.post(path, {"message": "Look.", "sharePictures": True}).json()
    assert shared["picturesShared"] == 1
