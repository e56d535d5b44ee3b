"""Who may do what, at every address: the table that the tests of this folder hold the product to.

A line is a method, a route and what each actor gets: `ok`, `go` (sent on to another page), `login`
(sent to log in first), or the status of a refusal. Each route has a line for reading and one for
each way of writing; the other methods get no further. A new route fails the tests until somebody
has written its lines here, and thought about each column:

guest: not logged in. owner: the student whose rows are asked for. other: another student.
tutor: staff with the right to see every record, to reopen and to decide appeals. staff: without
any right. root: a superuser. off: the owner again, as a superuser, but switched off.
"""

from dataclasses import dataclass

from tests.access.admin_lines import (
    ADD_ONLY,
    ADMIN,
    ALLOWANCES,
    APPEAL_PICTURES,
    APPEALS,
    CHECK_RUNS,
    COMPLETIONS,
    EDITABLE,
    GROUPS,
    READ_ONLY,
    SHORTCUTS,
    SWITCHES,
    USERS,
)

ACTORS = ("guest", "owner", "other", "tutor", "staff", "root", "off")
Lines = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Line:
    method: str
    path: str
    expected: dict[str, str]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


DRAFT = "plans/drafts/<uuid:draft_id>"
PICTURE = "sessions/<uuid:session_id>/pictures/<uuid:picture_id>"
TURN = "sessions/<uuid:session_id>/turns/<uuid:turn_id>"
# fmt: off
PAGES = (
    #                                                guest owner other tutor staff root  off
    ("GET",  "login/",                               "ok    go    go    go    go    go    ok"),
    ("POST", "login/",                               "ok    go    go    go    go    go    ok"),
    ("GET",  "logout/",                              "405   405   405   405   405   405   405"),
    ("POST", "logout/",                              "go    go    go    go    go    go    go"),
    ("GET",  "",                                     "login ok    ok    ok    ok    ok    login"),
    ("POST", "",                                     "login ok    ok    ok    ok    ok    login"),
    ("GET",  "plans/new/",                           "login ok    ok    ok    ok    ok    login"),
    ("POST", "plans/new/",                           "login 422   422   422   422   422   login"),
    ("GET",  f"{DRAFT}/",                            "login ok    404   404   404   404   login"),
    ("POST", f"{DRAFT}/",                            "login ok    404   404   404   404   login"),
    ("GET",  f"{DRAFT}/text/",                       "login ok    404   404   404   404   login"),
    ("POST", f"{DRAFT}/text/",                       "login 409   404   404   404   404   login"),
    ("GET",  f"{DRAFT}/weeks/<int:number>/",         "login ok    404   404   404   404   login"),
    ("POST", f"{DRAFT}/weeks/<int:number>/",         "login 409   404   404   404   404   login"),
    ("GET",  f"{DRAFT}/accept/",                     "login go    404   404   404   404   login"),
    ("POST", f"{DRAFT}/accept/",                     "login go    404   404   404   404   login"),
    ("GET",  f"{DRAFT}/retry/",                      "login go    404   404   404   404   login"),
    ("POST", f"{DRAFT}/retry/",                      "login go    404   404   404   404   login"),
    ("GET",  f"{DRAFT}/drop/",                       "login ok    404   404   404   404   login"),
    ("POST", f"{DRAFT}/drop/",                       "login go    404   404   404   404   login"),
    ("GET",  "plans/<uuid:plan_id>/",                "login ok    404   404   404   404   login"),
    ("POST", "plans/<uuid:plan_id>/",                "login ok    404   404   404   404   login"),
    ("GET",  "actions/<uuid:action_id>/status/",     "login ok    404   404   404   404   login"),
    ("POST", "actions/<uuid:action_id>/status/",     "login go    404   404   404   404   login"),
    ("GET",  "actions/<uuid:action_id>/edit/",       "login ok    404   404   404   404   login"),
    ("POST", "actions/<uuid:action_id>/edit/",       "login go    404   404   404   404   login"),
    ("GET",  "actions/<uuid:action_id>/drop/",       "login ok    404   404   404   404   login"),
    ("POST", "actions/<uuid:action_id>/drop/",       "login go    404   404   404   404   login"),
    ("GET",  "actions/<uuid:action_id>/restore/",    "login go    404   404   404   404   login"),
    ("POST", "actions/<uuid:action_id>/restore/",    "login go    404   404   404   404   login"),
    ("GET",  "actions/<uuid:action_id>/history/",    "login ok    404   404   404   404   login"),
    ("POST", "actions/<uuid:action_id>/history/",    "login ok    404   404   404   404   login"),
    ("GET",  "weeks/<uuid:week_id>/tasks/new/",      "login ok    404   404   404   404   login"),
    ("POST", "weeks/<uuid:week_id>/tasks/new/",      "login go    404   404   404   404   login"),
    ("GET",  "weeks/<uuid:week_id>/edit/",           "login ok    404   404   404   404   login"),
    ("POST", "weeks/<uuid:week_id>/edit/",           "login go    404   404   404   404   login"),
    ("GET",  "plans/<uuid:plan_id>/share/",          "login go    404   404   404   404   login"),
    ("POST", "plans/<uuid:plan_id>/share/",          "login go    404   404   404   404   login"),
    ("GET",  "plans/<uuid:plan_id>/withdraw/",       "login go    404   404   404   404   login"),
    ("POST", "plans/<uuid:plan_id>/withdraw/",       "login go    404   404   404   404   login"),
    # Who is switched off could no longer withdraw, so nothing of theirs is shown to the world.
    ("GET",  "proof/<str:token>/",                   "ok    ok    ok    ok    ok    ok    404"),
    ("POST", "proof/<str:token>/",                   "405   405   405   405   405   405   405"),
    ("GET",  "plans/<uuid:plan_id>/progress/",       "login ok    404   404   404   404   login"),
    ("POST", "plans/<uuid:plan_id>/progress/",       "login ok    404   404   404   404   login"),
    ("GET",  "actions/<uuid:action_id>/session/",    "login go    404   404   404   404   login"),
    ("POST", "actions/<uuid:action_id>/session/",    "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/",          "login ok    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/",          "login ok    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/turns/",    "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/turns/",    "login go    404   404   404   404   login"),
    # Without a turn there is nothing to follow, and nothing to stop.
    ("GET",  "sessions/<uuid:session_id>/live/",     "login ok    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/live/",     "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/stop/",     "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/stop/",     "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/check/",    "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/check/",    "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/complete/", "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/complete/", "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/cancel/",   "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/cancel/",   "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/end/",      "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/end/",      "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/pictures/", "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/pictures/", "login go    404   404   404   404   login"),
    ("GET",  f"{PICTURE}/",                          "login ok    404   404   404   404   login"),
    ("POST", f"{PICTURE}/",                          "405   405   405   405   405   405   405"),
    ("GET",  f"{PICTURE}/remove/",                   "login go    404   404   404   404   login"),
    ("POST", f"{PICTURE}/remove/",                   "login go    404   404   404   404   login"),
    ("GET",  f"{TURN}/pin/",                         "login go    404   404   404   404   login"),
    ("POST", f"{TURN}/pin/",                         "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/agreement/", "login go  404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/agreement/", "login go  404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/proposal/", "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/proposal/", "login go    404   404   404   404   login"),
    ("GET",  "plans/<uuid:plan_id>/memory/",         "login ok    404   404   404   404   login"),
    ("POST", "plans/<uuid:plan_id>/memory/",         "login ok    404   404   404   404   login"),
    ("GET",  "plans/<uuid:plan_id>/memory/forget/",  "login ok    404   404   404   404   login"),
    ("POST", "plans/<uuid:plan_id>/memory/forget/",  "login go    404   404   404   404   login"),
    ("GET",  "plans/<uuid:plan_id>/memory/<uuid:session_id>/", "login ok 404 404 404 404 login"),
    ("POST", "plans/<uuid:plan_id>/memory/<uuid:session_id>/", "login go 404 404 404 404 login"),
    ("GET",  "checks/<uuid:check_id>/report/",       "login ok    404   404   404   404   login"),
    ("POST", "checks/<uuid:check_id>/report/",       "login go    404   404   404   404   login"),
)

API_PICTURE = "sessions/<session_id>/pictures/<picture_id>"
API_PIN = "sessions/<session_id>/turns/<turn_id>/pin"
# Below api/v1/. An address refuses a wrong method before it asks for a login.
API = (
    #                                           guest owner other tutor staff root  off
    ("GET",   "openapi.json",                   "ok    ok    ok    ok    ok    ok    ok"),
    ("POST",  "openapi.json",                   "ok    ok    ok    ok    ok    ok    ok"),
    ("GET",   "docs",                           "ok    ok    ok    ok    ok    ok    ok"),
    ("POST",  "docs",                           "ok    ok    ok    ok    ok    ok    ok"),
    ("GET",   "plans",                          "401   ok    ok    ok    ok    ok    401"),
    ("POST",  "plans",                          "405   405   405   405   405   405   405"),
    ("GET",   "plans/<plan_id>",                "401   ok    404   404   404   404   401"),
    ("POST",  "plans/<plan_id>",                "405   405   405   405   405   405   405"),
    ("GET",   "actions/<action_id>/status",     "405   405   405   405   405   405   405"),
    ("PATCH", "actions/<action_id>/status",     "401   ok    404   404   404   404   401"),
    ("GET",   "actions/<action_id>",            "405   405   405   405   405   405   405"),
    ("PATCH", "actions/<action_id>",            "401   ok    404   404   404   404   401"),
    ("GET",   "actions/<action_id>/move",       "405   405   405   405   405   405   405"),
    ("POST",  "actions/<action_id>/move",       "401   ok    404   404   404   404   401"),
    ("GET",   "actions/<action_id>/drop",       "405   405   405   405   405   405   405"),
    ("POST",  "actions/<action_id>/drop",       "401   ok    404   404   404   404   401"),
    ("GET",   "actions/<action_id>/restore",    "405   405   405   405   405   405   405"),
    ("POST",  "actions/<action_id>/restore",    "401   ok    404   404   404   404   401"),
    ("GET",   "actions/<action_id>/history",    "401   ok    404   404   404   404   401"),
    ("POST",  "actions/<action_id>/history",    "405   405   405   405   405   405   405"),
    ("GET",   "weeks/<week_id>/actions",        "405   405   405   405   405   405   405"),
    ("POST",  "weeks/<week_id>/actions",        "401   ok    404   404   404   404   401"),
    ("GET",   "actions/<action_id>/sessions",   "405   405   405   405   405   405   405"),
    ("POST",  "actions/<action_id>/sessions",   "401   ok    404   404   404   404   401"),
    ("GET",   "sessions/<session_id>",          "401   ok    404   404   404   404   401"),
    ("POST",  "sessions/<session_id>",          "405   405   405   405   405   405   405"),
    ("GET",   "sessions/<session_id>/turns",    "405   405   405   405   405   405   405"),
    ("POST",  "sessions/<session_id>/turns",    "401   ok    404   404   404   404   401"),
    ("GET",   "sessions/<session_id>/frames",   "405   405   405   405   405   405   405"),
    ("POST",  "sessions/<session_id>/frames",   "401   ok    404   404   404   404   401"),
    ("GET",   "sessions/<session_id>/check",    "405   405   405   405   405   405   405"),
    ("POST",  "sessions/<session_id>/check",    "401   ok    404   404   404   404   401"),
    ("GET",   "sessions/<session_id>/complete", "405   405   405   405   405   405   405"),
    ("POST",  "sessions/<session_id>/complete", "401   ok    404   404   404   404   401"),
    ("GET",   "sessions/<session_id>/cancel",   "405   405   405   405   405   405   405"),
    ("POST",  "sessions/<session_id>/cancel",   "401   ok    404   404   404   404   401"),
    ("GET",   "sessions/<session_id>/end",      "405   405   405   405   405   405   405"),
    ("POST",  "sessions/<session_id>/end",      "401   ok    404   404   404   404   401"),
    ("GET",   "sessions/<session_id>/pictures", "401   ok    404   404   404   404   401"),
    ("POST",  "sessions/<session_id>/pictures", "401   ok    404   404   404   404   401"),
    ("GET",    API_PICTURE,                     "405   405   405   405   405   405   405"),
    ("DELETE", API_PICTURE,                     "401   ok    404   404   404   404   401"),
    ("GET",    API_PIN,                         "405   405   405   405   405   405   405"),
    ("POST",   API_PIN,                         "401   ok    404   404   404   404   401"),
    ("DELETE", API_PIN,                         "401   ok    404   404   404   404   401"),
    ("GET",   "actions/<action_id>/agreement",  "405   405   405   405   405   405   405"),
    ("POST",  "actions/<action_id>/agreement",  "401   ok    404   404   404   404   401"),
    ("GET",   "sessions/<session_id>/agreement/proposal", "405 405 405 405 405 405 405"),
    ("POST",  "sessions/<session_id>/agreement/proposal", "401 ok  404 404 404 404 401"),
    ("GET",   "plans/<plan_id>/memories",       "401   ok    404   404   404   404   401"),
    ("POST",  "plans/<plan_id>/memories",       "405   405   405   405   405   405   405"),
    ("GET",   "plans/<plan_id>/memories/<session_id>", "405 405 405 405 405 405 405"),
    ("DELETE", "plans/<plan_id>/memories/<session_id>", "401 ok 404 404 404 404 401"),
    ("GET",   "checks/<check_id>/report",       "405   405   405   405   405   405   405"),
    ("POST",  "checks/<check_id>/report",       "401   ok    404   404   404   404   401"),
    ("GET",   "plan-drafts",                    "401   ok    ok    ok    ok    ok    401"),
    ("POST",  "plan-drafts",                    "401   ok    ok    ok    ok    ok    401"),
    ("GET",   "plan-drafts/<draft_id>",         "401   ok    404   404   404   404   401"),
    ("DELETE", "plan-drafts/<draft_id>",        "401   ok    404   404   404   404   401"),
    ("GET",   "plan-drafts/<draft_id>/proposal", "405  405   405   405   405   405   405"),
    ("PUT",   "plan-drafts/<draft_id>/proposal", "401  ok    404   404   404   404   401"),
    ("GET",   "plan-drafts/<draft_id>/retry",   "405   405   405   405   405   405   405"),
    ("POST",  "plan-drafts/<draft_id>/retry",   "401   409   404   404   404   404   401"),
    ("GET",   "plan-drafts/<draft_id>/accept",  "405   405   405   405   405   405   405"),
    ("POST",  "plan-drafts/<draft_id>/accept",  "401   ok    404   404   404   404   401"),
    ("GET",   "",                               "401   404   404   404   404   404   401"),
    ("POST",  "",                               "401   404   404   404   404   404   401"),
    ("GET",   "<path:rest>",                    "401   404   404   404   404   404   401"),
    ("POST",  "<path:rest>",                    "401   404   404   404   404   404   401"),
)
# fmt: on

RECORDS = (
    "plans.plan",
    "plans.week",
    "plans.action",
    "plans.actionedit",
    "plans.requirement",
    "plans.completion",
    "plans.reopening",
    "plans.erasure",
    "plans.followup",
    "plans.proof",
    "plans.dailyuse",
    "plans.heldtap",
    "plans.plandraft",
    "judge.checkrun",
    "judge.appeal",
    "judge.appealframe",
    "judge.rowdecision",
    "copilot_sessions.copilotsession",
    "copilot_sessions.turn",
    "copilot_sessions.picture",
    "copilot_sessions.memorysummary",
    "copilot_sessions.progressreport",
)
ADDED = ("plans.allowance", "plans.modelswitch")
ACCOUNTS = ("auth.user", "auth.group")


def read_lines(root: str, lines: Lines) -> list[Line]:
    """The lines of a part, with the address that it stands below."""
    return [
        Line(method, root + path, dict(zip(ACTORS, kinds.split(), strict=True)))
        for method, path, kinds in lines
    ]


def _admin_of(model: str) -> str:
    return f"admin/{model.replace('.', '/')}/"


TABLE = [
    *read_lines("", PAGES),
    *read_lines("api/v1/", API),
    *read_lines("admin/", ADMIN),
    *read_lines("admin/r/", SHORTCUTS),
    *(line for model in RECORDS for line in read_lines(_admin_of(model), READ_ONLY)),
    *(line for model in ADDED for line in read_lines(_admin_of(model), ADD_ONLY)),
    *read_lines(_admin_of("plans.allowance"), ALLOWANCES),
    *read_lines(_admin_of("plans.modelswitch"), SWITCHES),
    *read_lines(_admin_of("plans.completion"), COMPLETIONS),
    *read_lines(_admin_of("judge.checkrun"), CHECK_RUNS),
    *read_lines(_admin_of("judge.appeal"), APPEALS),
    *read_lines(_admin_of("judge.appealframe"), APPEAL_PICTURES),
    *(line for model in ACCOUNTS for line in read_lines(_admin_of(model), EDITABLE)),
    *read_lines(_admin_of("auth.user"), USERS),
    *read_lines(_admin_of("auth.group"), GROUPS),
]
OTHER_RECORDS = tuple(_admin_of(model) for model in (*RECORDS[1:], *ADDED))
