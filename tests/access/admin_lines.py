"""Who may do what in the admin: the part of the table in tests/access/table.py that stands below
admin/. The actors, and what the words mean, are told there."""

# fmt: off
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

# Below the admin of appeals, the one page there that writes; and of their pictures.
DECIDE = "<uuid:appeal_id>/rows/<uuid:row_id>/decide/"
APPEALS = (
    #                                     guest owner other tutor staff root  off
    ("GET",  DECIDE,                     "login login login ok    403   ok    login"),
    ("POST", DECIDE,                     "login login login go    403   go    login"),
)
APPEAL_PICTURES = (
    ("GET",  "<uuid:frame_id>/picture/", "login login login ok    403   ok    login"),
    ("POST", "<uuid:frame_id>/picture/", "login login login 405   403   405   login"),
)

# Below the admin of check runs: the figures over all of them, to look at.
CHECK_RUNS = (
    #                     guest owner other tutor staff root  off
    ("GET",  "health/",  "login login login ok    403   ok    login"),
    ("POST", "health/",  "login login login 405   403   405   login"),
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
