"""From nothing to checked: one task of the demo plan, by the API alone.

While `make run` runs: python3 docs/first_task.py [http://127.0.0.1:8000]
"""
# ruff: noqa: T201

import json
import re
import sys
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode

SITE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
EMAIL, PASSWORD = "student@example.org", "elivio-demo"
TASK = "Set up the sign-out sheet"
SHEET = """\
The sheet has the columns Item, Borrower, Out on and Due back. It holds one example loan:

Item,Borrower,Out on,Due back
Tripod 1,member 14,2 March,9 March"""
REASON = """\
The due date must never stay empty, because nobody returns an item when no day was said."""

jar = CookieJar()
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))


def main() -> None:
    log_in()
    plans = call("GET", "/api/v1/plans")
    found = [(plan, task) for plan in plans for task in tasks(plan)]
    if not found:
        sys.exit(f"{EMAIL} has no task “{TASK}”: `manage.py seed_demo` makes it.")
    plan, task = found[0]
    say(f"“{TASK}” is {task['status']}")
    if task["status"] == "completed":
        sys.exit("It is done already: `make clean-data` starts over.")

    session = call("POST", f"/api/v1/actions/{task['id']}/sessions", expect=201)["id"]
    say_check(call("POST", f"/api/v1/sessions/{session}/check"))
    for text in (SHEET, REASON):
        call("POST", f"/api/v1/sessions/{session}/turns", {"text": text}, expect=201)
    say_check(call("POST", f"/api/v1/sessions/{session}/check"))

    refusal = call(
        "PATCH", f"/api/v1/actions/{task['id']}/status", {"status": "completed"}, expect=409
    )
    say(refusal["detail"])
    answer = call("POST", f"/api/v1/sessions/{session}/complete")
    say(f"completed: {json.dumps(answer['completed'])}")

    [task] = tasks(call("GET", f"/api/v1/plans/{plan['id']}"))
    say(f"“{TASK}” is {task['status']}, {task['completion']['label']}")


def log_in() -> None:
    """Send the login form, with the CSRF token that its page set as a cookie."""
    browser.open(f"{SITE}/login/").close()
    form = {"username": EMAIL, "password": PASSWORD, "csrfmiddlewaretoken": cookie("csrftoken")}
    browser.open(f"{SITE}/login/", urlencode(form).encode()).close()
    if not cookie("sessionid"):
        sys.exit(f"{SITE} did not let {EMAIL} in.")


def cookie(name: str) -> str:
    return next((cookie.value or "" for cookie in jar if cookie.name == name), "")


def call(method: str, path: str, body: Any = None, expect: int = 200) -> Any:
    """Make one call, print it and its status, and return the decoded answer."""
    headers = {"Content-Type": "application/json", "X-CSRFToken": cookie("csrftoken")}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SITE + path, data, headers, method=method)
    try:
        with browser.open(request) as reply:
            status, answer = reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        status, answer = error.code, json.load(error)
    shown = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "{id}", path)
    print(f"{method} {shown} {status}")
    if status != expect:
        sys.exit(answer["detail"])
    return answer


def tasks(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [task for week in plan["weeks"] for task in week["actions"] if task["title"] == TASK]


def say_check(check: dict[str, Any]) -> None:
    say(f"allMet: {json.dumps(check['allMet'])}, {len(check['blockers'])} blockers")


def say(text: str) -> None:
    print(f"    {text}")


main()
