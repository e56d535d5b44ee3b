"""States of the session page, from empty to complete."""

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page

from sessions import answering, live, transcript
from sessions.lifecycle import end_session
from sessions.models import CopilotSession, Turn
from tests.screens import bikes
from tests.screens.scene import ALL, HALF, Scene
from tests.screens.state import see, table

STATES, state = table()
WORDS = "Count them again, this time without the empty cells. How many"
MARKDOWN = """\
### Two ways to count

1. **By hand**: short lists only.
2. By a query, for example on *books* instead of stations:

```sql
SELECT language, count(*) FROM books GROUP BY language ORDER BY count(*) DESC, language ASC;
```

| language | count | a column that makes this table as wide as the page and then some |
|---|---:|---|
| Welsh | 12 | – |

> Is the sum what you expect? See [the manual](https://www.postgresql.org/docs/).
"""
WAY_TOO_LONG = "one more line of it\n" * 1100


def never_answer(page: Page) -> None:
    """What is sent from now on stays on its way."""
    page.evaluate("XMLHttpRequest.prototype.send = () => {}")


def check_and_wait(page: Page) -> None:
    never_answer(page)
    page.get_by_role("button", name="Check").click()
    see(page, "Your work is being checked")


def tap_and_wait(page: Page) -> None:
    never_answer(page)
    page.get_by_role("button", name="Mark complete").click()
    see(page, "Your work is being checked once more")


def wait_long(page: Page) -> None:
    page.clock.install()
    check_and_wait(page)
    page.clock.run_for(23_000)
    page.locator("#check-wait [data-slow]").wait_for()


def check_and_cancel(page: Page) -> None:
    page.route("**/check/", lambda route: None)
    page.get_by_role("button", name="Check").click()
    page.get_by_role("button", name="Cancel").click()
    page.locator("[data-stopped]").wait_for()
    page.unroute("**/check/")


def send_and_wait(page: Page) -> None:
    never_answer(page)
    page.get_by_label("Your message").fill("I ran the count again, and this time it adds up.")
    page.get_by_role("button", name="Send").click()
    see(page, "The copilot is reading")


def stop_too_early(page: Page) -> None:
    page.locator("[name=turn]").evaluate("(box) => { box.value = 'not there yet'; }")
    page.get_by_role("button", name="Stop").click()
    see(page, "cannot be stopped")


def lose_connection(page: Page) -> None:
    page.context.set_offline(True)
    page.get_by_label("Your message").fill("I ran the count again, and this time it adds up.")
    page.get_by_role("button", name="Send").click()
    see(page, "The connection was lost.")
    page.context.set_offline(False)


def send_too_much(page: Page) -> None:
    page.get_by_label("Your message").fill(WAY_TOO_LONG)
    page.get_by_role("button", name="Send").click()
    see(page, "Send it in two or more parts")


def ask_earlier(page: Page) -> None:
    page.get_by_role("link", name="Earlier messages").click()
    see(page, "Message 4 of a long")


def start(scene: Scene) -> CopilotSession:
    return scene.open(scene.make_status_task())


@state("Nothing said yet.")
def session_empty(scene: Scene) -> str:
    return scene.session_url(start(scene))


@state("status   | count")
def session_with_turns(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    return scene.session_url(session)


@state("The copilot is reading", act=send_and_wait)
def session_waiting_for_the_copilot(scene: Scene) -> str:
    return session_with_turns(scene)


@state("The copilot is answering.")
def session_answering(scene: Scene) -> str:
    """The page was loaded again while the copilot answers."""
    session = start(scene)
    scene.converse(session)
    turn = transcript.add_student_turn(session.pk, "How do I count them?", "c-9")
    answering.claim_turn(turn)
    # Longer than any reply takes: the page may be looked at much later.
    Turn.objects.filter(pk=turn.pk).update(asked_until=timezone.now() + timedelta(hours=1))
    live.Preview(live.key_of(turn)).emit(WORDS)
    return scene.session_url(session)


@state("cannot be stopped", act=stop_too_early)
def session_stop_refused(scene: Scene) -> str:
    return session_answering(scene)


@state("You stopped this answer here.")
def session_stopped(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    turn = transcript.add_student_turn(session.pk, "How do I count them?", "c-9")
    transcript.add_reply(turn, WORDS, [], is_stopped=True)
    return scene.session_url(session)


@state("Two ways to count")
def session_with_markdown(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    scene.say(session, "How do I count them?", MARKDOWN)
    return scene.session_url(session)


@state("Your messages here are kept.")
def session_asked_what_is_stored(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    scene.say(session, "Did you save my progress?", "Your progress is saved.")
    return scene.session_url(session)


@state("Your work is being checked", act=check_and_wait)
def session_waiting_for_the_check(scene: Scene) -> str:
    return session_with_turns(scene)


@state("Your work is being checked once more", act=tap_and_wait)
def session_waiting_for_the_tap(scene: Scene) -> str:
    return session_check_passed(scene)


@state("Your work is being checked", act=wait_long)
def session_waiting_long(scene: Scene) -> str:
    return session_with_turns(scene)


@state("Stopped. Nothing was changed.", act=check_and_cancel)
def session_check_cancelled(scene: Scene) -> str:
    return session_check_failed(scene)


@state("The connection was lost.", act=lose_connection)
def session_connection_lost(scene: Scene) -> str:
    return session_with_turns(scene)


@state("1 of 3 rows are there")
def session_check_failed(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    scene.check(session, HALF)
    return scene.session_url(session)


@state("Nothing is shown yet.")
def session_nothing_shown(scene: Scene) -> str:
    session = start(scene)
    scene.check(session, [("not_shown", "You have not shared anything yet.", None)] * 3)
    return scene.session_url(session)


@state("could not read this conversation")
def session_check_undecided(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    scene.check_blocked(session)
    return scene.session_url(session)


@state("has changed since this check")
def session_check_stale(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    scene.check(session, HALF)
    session.action.description = "Give each of the 64 stations one of two values."
    session.action.save()
    return scene.session_url(session)


@state("likely on our side")
def session_check_stuck(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    scene.check(session, HALF)
    scene.check(session, HALF)
    return scene.session_url(session)


@state("Everything is there.")
def session_check_passed(scene: Scene) -> str:
    session = start(scene)
    scene.pass_check(session.action)
    return scene.session_url(session)


@state("was met and is not shown now")
def session_tap_changed(scene: Scene) -> str:
    session = start(scene)
    scene.pass_check(session.action)
    scene.tap_in_vain(session, [*ALL[:2], ("not_shown", bikes.NO_QUERY, None)])
    return scene.session_url(session)


@state("messages were not looked at")
def session_check_of_a_part(scene: Scene) -> str:
    session = start(scene)
    for number in range(40):
        turn = transcript.add_student_turn(session.pk, f"Message {number} of a long talk.", None)
        transcript.add_reply(turn, f"And what follows from {number}?", [])
    scene.check(session, [("not_shown", "You have not shown this yet.", None)] * 3)
    return scene.session_url(session)


@state("Not marked")
def session_claimed_done(scene: Scene) -> str:
    """The copilot says "done"; what is stored is said beside it."""
    session = start(scene)
    scene.converse(session)
    scene.check(session, HALF)
    scene.claim(session)
    return scene.session_url(session)


@state("Ask again")
def session_copilot_failed(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    scene.fail_to_answer(session, "Where does the third value come from?")
    return scene.session_url(session)


@state("Send it in two or more parts", act=send_too_much)
def session_text_refused(scene: Scene) -> str:
    return session_with_turns(scene)


@state("Earlier messages")
def session_long(scene: Scene) -> str:
    session = start(scene)
    for number in range(15):
        turn = transcript.add_student_turn(session.pk, f"Message {number} of a long talk.", None)
        transcript.add_reply(turn, f"And what follows from {number}?", [])
    return scene.session_url(session)


@state("Back to the newest messages")
def session_older_turns(scene: Scene) -> str:
    return f"{session_long(scene)}?before=11"


@state("The conversation begins here.", act=ask_earlier)
def session_earlier_messages_asked(scene: Scene) -> str:
    return session_long(scene)


@state("This session has ended.")
def session_ended(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    end_session(session, CopilotSession.EndReason.STUDENT)
    return scene.session_url(session)


@state("Start the next task")
def session_complete(scene: Scene) -> str:
    session = start(scene)
    scene.converse(session)
    scene.fix(session)
    scene.tap(session, ALL)
    return scene.session_url(session)


@state("the plan is complete")
def session_plan_complete(scene: Scene) -> str:
    return scene.session_url(scene.check_off(scene.make_small_plan()))


@state("Checked by plain rules (demo)", site="rules")
def session_complete_by_rules(scene: Scene) -> str:
    return scene.session_url(scene.check_off_by_rules(scene.make_small_plan()))


@state("plain rules (demo), not by a model", site="rules")
def session_check_failed_by_rules(scene: Scene) -> str:
    session = scene.open(scene.make_small_plan())
    scene.say(session, "The four books: one from each continent, more or less.")
    scene.check(session)
    return scene.session_url(session)


@state("No requirement is written down")
def session_without_requirements(scene: Scene) -> str:
    action = scene.make_small_plan()
    action.requirements.all().delete()
    return scene.session_url(scene.open(action))
