"""What a check says to the student: every sentence in one place, none of it from a model."""

from collections.abc import Collection
from textwrap import shorten

_OWN_WAY = "or mark the task yourself as self-reported on the plan page."
_DEFAULT = (
    "The check could not decide, and that is not about your work. "
    f"Try again in a minute, {_OWN_WAY}"
)

UNDECIDED = {
    "no_requirements": (
        "This task has no requirements yet, so there is nothing to check. Edit the task to say "
        "what done means, or mark it yourself as self-reported on the plan page."
    ),
    "spec_changed": (
        "This task has changed while it was being checked. "
        "Read what done means now, then run the check again."
    ),
    "no_model": f"No judge is set up here at the moment. Try again later, {_OWN_WAY}",
    "rate_limited": f"The judge is busy right now. Wait a minute and check again, {_OWN_WAY}",
    "overloaded": f"The judge is busy right now. Wait a minute and check again, {_OWN_WAY}",
    "budget_spent": (
        "The checks that your account has in one day are used up. They are back tomorrow; ask the "
        f"staff if that is too late, {_OWN_WAY}"
    ),
    "switched_off": f"Checks are switched off for now. Try again later, {_OWN_WAY}",
    "timeout": f"The judge took too long to answer. Check again, {_OWN_WAY}",
    "unreachable": f"The judge could not be reached. Check again in a minute, {_OWN_WAY}",
    "blocked": (
        "The judge could not read this conversation. Send your work again in a new message "
        f"and check again, {_OWN_WAY}"
    ),
}
UNDECIDED["safety"] = UNDECIDED["blocked"]
UNDECIDED["reopened"] = (
    "This task was reopened while it was being checked. Read why, then run the check again."
)
UNDECIDED["cancelled"] = (
    "You stopped this, so nothing was changed. Tap Mark complete when you want to finish the task."
)

STUCK = (
    "This check keeps giving the same result, so it is likely on our side and not yours. "
    "Report it and a person will look, or mark the task yourself as self-reported."
)


_NOT_FOUND = "This could not be found in what you sent or showed. Send it in a message of your own."
UNPROVEN = {
    "copilots_words": "These are the copilot's words. Say it in your own.",
    "old_frame": "Your picture is older than ten minutes. Share it again.",
    "black_frame": "Your picture is black. Show the window you mean and share it again.",
    "frame_for_written_row": "A picture does not count here. Write it in a message of your own.",
}


_STATUS = {"met": "met", "not_met": "not met", "not_shown": "not shown"}
WHY_CHANGED = {
    "turn_left_out": (
        "The message it rested on was not looked at this time, as newer ones fill the check. "
        "Mark it as your work, or send it again."
    ),
    "frame_gone": (
        "The picture it rested on is older than ten minutes by now, or gone. Share it again."
    ),
    "decision_ended": (
        "It counted by a person's decision, which no longer stands: the task was reopened since, "
        "or they looked again."
    ),
}
READ_AGAIN = (
    "Mark complete reads everything again: new messages count and can push old ones out, pictures "
    "grow older than ten minutes, and the judge does not always answer alike."
)


def say_unproven(fault: str) -> str:
    """For a row that the judge called met on evidence that does not hold."""
    return UNPROVEN.get(fault, _NOT_FOUND)


def say_decided() -> str:
    return "A person looked at this row and decided that it is met."


def say_undecided(reason: str) -> str:
    return UNDECIDED.get(reason, _DEFAULT)


def say_completed() -> str:
    return "Everything is there, and this task is complete."


def say_passed() -> str:
    return "Everything is there. Tap Mark complete to finish this task."


def say_failed(missing: int, total: int, *, is_stuck: bool) -> str:
    if is_stuck:
        return STUCK
    if missing == total:
        text = "Nothing is shown yet. Start with the first row." if total > 1 else "Not there yet."
    elif missing == 1:
        text = "You are one row away."
    else:
        text = f"{total - missing} of {total} rows are there, {missing} are still open."
    return text


def say_changed(title: str, was: str, now: str) -> str:
    """A row that a tap found otherwise than the check before it."""
    return f"“{shorten(title, 80, placeholder=' …')}” was {_STATUS[was]} and is {_STATUS[now]} now."


def say_why_changed(faults: Collection[str]) -> str:
    """`faults` are what explains each of the changed rows, "" where nothing known does."""
    known = [WHY_CHANGED.get(fault) or say_unproven(fault) for fault in faults if fault]
    usual = [READ_AGAIN] if "" in faults else []
    return " ".join([*dict.fromkeys(known), *usual, "Check again, or contest the row."])


def say_omitted(turns: int, first: str, *, by_student: bool) -> str:
    """`first` is the oldest message that was looked at without being pinned, or ""."""
    messages = "message was" if turns == 1 else f"{turns:,} messages were"
    words = shorten(first, 40, placeholder=" …").rstrip(".,;:!?")
    those = "the one" if turns == 1 else "those"
    whose = "your" if by_student else "the copilot's"
    place = f", {those} before {whose} “{words}”" if words else ""
    return (
        f"The oldest {messages} not looked at{place}. If your work is there, mark it as your work "
        "or send it again."
    )
