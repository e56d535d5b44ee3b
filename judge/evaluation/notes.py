"""Do a judge's notes speak to the student? Found by words; it decides nothing about a row."""

import re

# "The student council" is a subject of work like any other: the word counts with a verb or a thing
# of theirs behind it.
_ABOUT = re.compile(
    r"\b(?:the|this) (?:student|learner|user|candidate)"
    r"(?:['’]s? |"
    r" (?:(?:has|have|had|does|did|is|was|never|only|clearly|still|should|must|needs?|can)\b"
    r"|\w+(?:ed|s)\b(?<!ss)))",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“„\"«][^”“\"»]*[”“\"»]|`[^`]*`")


def is_about_the_student(note: str) -> bool:
    """Whether it says "the student has ..." where it should say "you have ...". What it quotes
    does not count."""
    return _ABOUT.search(_QUOTED.sub(" ", note)) is not None
