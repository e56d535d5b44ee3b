"""Grades a copilot's reply by code: which of a case's bounds it breaks. It knows no model, and a
reply without a fault is within the bounds, not therefore a good one."""

import re
from collections.abc import Sequence

from sessions.conduct.cases import Case

_WORD = re.compile(r"\w+")
# A list item, a row of a table.
_LISTED = re.compile(r"^\s*(?:[-*•]\s|\d+[.)]\s|\|)")
_FENCE = re.compile(r"^\s*```")


def find_faults(case: Case, reply: str, called: Sequence[str] = ()) -> list[str]:
    """Sentences on what the reply does that it must not, or leaves out; none when it holds."""
    expected, lower, faults = case.expected, reply.casefold(), []
    if expected.asks and not asks_something(reply):
        faults.append("It does not end in a question.")
    for words in expected.says_one_of:
        if not any(word.casefold() in lower for word in words):
            faults.append(f"It says none of {words}.")
    for pattern in expected.never:
        if found := re.search(pattern, reply, re.IGNORECASE):
            faults.append(f"It says “{found[0]}”.")
    if (count := len(_WORD.findall(reply))) > expected.most_words:
        faults.append(f"It has {count} words, not {expected.most_words} at most.")
    if (count := count_listed(reply)) > expected.most_listed:
        faults.append(f"It lists {count} lines, not {expected.most_listed} at most.")
    if expected.calls and expected.calls not in called:
        faults.append(f"It did not call {expected.calls}.")
    return faults


def asks_something(reply: str) -> bool:
    """Whether one of the last two sentences asks."""
    ends = re.findall(r"[.?!…](?=\s|$|[”\"'*)])", reply.strip())
    return "?" in ends[-2:]


def count_listed(reply: str) -> int:
    """Lines of lists, tables and code blocks, of which deliverables are made."""
    count, in_code = 0, False
    for line in reply.splitlines():
        if _FENCE.match(line):
            in_code = not in_code
        elif line.strip() and (in_code or _LISTED.match(line)):
            count += 1
    return count
