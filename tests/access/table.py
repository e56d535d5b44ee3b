"""Who may do what, at every address: the table that the tests of this folder hold the product to.

A line is a method, a route and what each actor gets: `ok`, `go` (sent on to another page), `login`
(sent to log in first), or the status of a refusal. Each route has a line for reading and one for
writing; the other methods must get no further than these. A new route fails the tests until
somebody has written its lines here, and thought about each column:

guest: not logged in. owner: the student whose rows are asked for. other: another student.
tutor: staff with the right to see every record and to reopen. staff: without any right.
root: a superuser. off: the owner again, as a superuser, but switched off.
"""

from dataclasses import dataclass

ACTORS = ("guest", "owner", "other", "tutor", "staff", "root", "off")
Lines = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Line:
    method: str
    path: str
    expected: dict[str, str]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


# fmt: off
PAGES = (
    #                                                guest owner other tutor staff root  off
    ("GET",  "login/",                               "ok    go    go    go    go    go    ok"),
    ("POST", "login/",                               "ok    go    go    go    go    go    ok"),
    ("GET",  "logout/",                              "405   405   405   405   405   405   405"),
    ("POST", "logout/",                              "go    go    go    go    go    go    go"),
    ("GET",  "",                                     "login ok    ok    ok    ok    ok    login"),
    ("POST", "",                                     "login ok    ok    ok    ok    ok    login"),
    ("GET",  "plans/<uuid:plan_id>/",                "login ok    404   404   404   404   login"),
    ("POST", "plans/<uuid:plan_id>/",                "login ok    404   404   404   404   login"),
    ("GET",  "actions/<uuid:action_id>/status/",     "login ok    404   404   404   404   login"),
    ("POST", "actions/<uuid:action_id>/status/",     "login go    404   404   404   404   login"),
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
    ("GET",  "sessions/<uuid:session_id>/check/",    "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/check/",    "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/complete/", "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/complete/", "login go    404   404   404   404   login"),
    ("GET",  "sessions/<uuid:session_id>/end/",      "login go    404   404   404   404   login"),
    ("POST", "sessions/<uuid:session_id>/end/",      "login go    404   404   404   404   login"),
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
    ("GET",   "sessions/<session_id>/end",      "405   405   405   405   405   405   405"),
    ("POST",  "sessions/<session_id>/end",      "401   ok    404   404   404   404   401"),
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
    ("GET",   "",                               "401   404   404   404   404   404   401"),
    ("POST",  "",                               "401   404   404   404   404   404   401"),
    ("GET",   "<path:rest>",                    "401   404   404   404   404   404   401"),
    ("POST",  "<path:rest>",                    "401   404   404   404   404   404   401"),
)

# Below admin/.
ADMIN = (
    #                                  guest owner other tutor staff root  off
    ("GET",  "",                      "login login login ok    ok    ok    login"),
    ("POST", "",                      "login login login ok    ok    ok    login"),
    ("GET",  "login/",                "ok    ok    ok    go    go    go    ok"),
    ("POST", "login/",                "ok    ok    ok    ok    ok    ok    ok"),
    ("GET",  "logout/",               "go    go    go    405   405   405   go"),
    ("POST", "logout/",               "go    go    go    go    go    go    go"),
    ("GET",  "password_change/",      "login login login ok    ok    ok    login"),
    ("POST", "password_change/",      "login login login ok    ok    ok    login"),
    ("GET",  "password_change/done/", "login login login ok    ok    ok    login"),
    ("POST", "password_change/done/", "login login login 405   405   405   login"),
    ("GET",  "autocomplete/",         "login login login 403   403   403   login"),
    ("POST", "autocomplete/",         "login login login 405   405   405   login"),
    ("GET",  "jsi18n/",               "login login login ok    ok    ok    login"),
    ("POST", "jsi18n/",               "login login login 405   405   405   login"),
    ("GET",  "<app_label>/",          "login login login ok    404   ok    login"),
    ("POST", "<app_label>/",          "login login login ok    404   ok    login"),
    ("GET",  "<url>",                 "login login login 404   404   404   login"),
    ("POST", "<url>",                 "login login login 404   404   404   login"),
)

# Below admin/r/: the way to a record's page on the site, which no record has.
SHORTCUTS = (
    ("GET", "<path:content_type_id>/<path:object_id>/", "login login login 404 404 404 login"),
    ("POST", "<path:content_type_id>/<path:object_id>/", "login login login 404 404 404 login"),
)

# Below the admin of each of RECORDS: staff with the right look, and nobody writes.
READ_ONLY = (
    #                                     guest owner other tutor staff root  off
    ("GET",  "",                          "login login login ok    403   ok    login"),
    ("POST", "",                          "login login login 403   403   403   login"),
    ("GET",  "add/",                      "login login login 403   403   403   login"),
    ("POST", "add/",                      "login login login 403   403   403   login"),
    ("GET",  "<path:object_id>/history/", "login login login ok    403   ok    login"),
    ("POST", "<path:object_id>/history/", "login login login ok    403   ok    login"),
    ("GET",  "<path:object_id>/delete/",  "login login login 403   403   403   login"),
    ("POST", "<path:object_id>/delete/",  "login login login 403   403   403   login"),
    ("GET",  "<path:object_id>/change/",  "login login login ok    403   ok    login"),
    ("POST", "<path:object_id>/change/",  "login login login 403   403   403   login"),
    ("GET",  "<path:object_id>/",         "login login login go    go    go    login"),
    ("POST", "<path:object_id>/",         "login login login go    go    go    login"),
)

# Below the admin of each of ADDED: staff with the right look, whoever may add does, nobody changes.
ADD_ONLY = (
    #                                     guest owner other tutor staff root  off
    ("GET",  "",                          "login login login ok    403   ok    login"),
    ("POST", "",                          "login login login 403   403   403   login"),
    ("GET",  "add/",                      "login login login 403   403   ok    login"),
    ("GET",  "<path:object_id>/history/", "login login login ok    403   ok    login"),
    ("POST", "<path:object_id>/history/", "login login login ok    403   ok    login"),
    ("GET",  "<path:object_id>/delete/",  "login login login 403   403   403   login"),
    ("POST", "<path:object_id>/delete/",  "login login login 403   403   403   login"),
    ("GET",  "<path:object_id>/change/",  "login login login ok    403   ok    login"),
    ("POST", "<path:object_id>/change/",  "login login login 403   403   403   login"),
    ("GET",  "<path:object_id>/",         "login login login go    go    go    login"),
    ("POST", "<path:object_id>/",         "login login login go    go    go    login"),
)

# What the test sends fills the switch's form, and not that of an allowance.
ALLOWANCES = (("POST", "add/", "login login login 403 403 ok login"),)
SWITCHES = (("POST", "add/", "login login login 403 403 go login"),)

# Below the admin of completions: the one page there that writes.
COMPLETIONS = (
    #                                        guest owner other tutor staff root  off
    ("GET",  "<uuid:completion_id>/reopen/", "login login login ok    403   ok    login"),
    ("POST", "<uuid:completion_id>/reopen/", "login login login go    403   go    login"),
)

# Below Django's own admin of each of ACCOUNTS: a superuser writes. What differs stands below it.
EDITABLE = (
    #                                     guest owner other tutor staff root  off
    ("GET",  "",                          "login login login 403   403   ok    login"),
    ("POST", "",                          "login login login 403   403   ok    login"),
    ("GET",  "add/",                      "login login login 403   403   ok    login"),
    ("POST", "add/",                      "login login login 403   403   ok    login"),
    ("GET",  "<path:object_id>/history/", "login login login 403   403   ok    login"),
    ("POST", "<path:object_id>/history/", "login login login 403   403   ok    login"),
    ("GET",  "<path:object_id>/delete/",  "login login login 403   403   ok    login"),
    ("GET",  "<path:object_id>/change/",  "login login login 403   403   ok    login"),
    ("POST", "<path:object_id>/change/",  "login login login 403   403   ok    login"),
    ("GET",  "<path:object_id>/",         "login login login go    go    go    login"),
    ("POST", "<path:object_id>/",         "login login login go    go    go    login"),
)

USERS = (
    # A person who has records is not deleted.
    #                                     guest owner other tutor staff root  off
    ("GET",  "<id>/password/",           "login login login 403   403   ok    login"),
    ("POST", "<id>/password/",           "login login login 403   403   ok    login"),
    ("POST", "<path:object_id>/delete/", "login login login 403   403   ok    login"),
)
GROUPS = (
    #                                     guest owner other tutor staff root  off
    ("POST", "<path:object_id>/delete/", "login login login 403   403   go    login"),
)
# fmt: on

RECORDS = (
    "plans.plan",
    "plans.week",
    "plans.action",
    "plans.requirement",
    "plans.completion",
    "plans.reopening",
    "plans.erasure",
    "plans.followup",
    "plans.proof",
    "plans.dailyuse",
    "plans.heldtap",
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
    *(line for model in ACCOUNTS for line in read_lines(_admin_of(model), EDITABLE)),
    *read_lines(_admin_of("auth.user"), USERS),
    *read_lines(_admin_of("auth.group"), GROUPS),
]
OTHER_RECORDS = tuple(_admin_of(model) for model in (*RECORDS[1:], *ADDED))
