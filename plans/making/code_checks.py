"""What code can check of a proposal, without a model. Pure, and conservative: a rule that cannot be
sure says nothing, as the plan judge reads too."""

import re
from collections import Counter
from collections.abc import Iterator

from plans.making.brief import Brief, week_begins
from plans.making.proposal import Proposal
from plans.making.review import Criterion, Finding

TOLERANCE = 1.1  # of the hours a week
# Without these a plan cannot be made of the proposal at all.
BLOCKING = frozenset(
    {"week_without_task", "task_without_requirement", "key_twice", "unknown_task", "later_task"}
)

_PLATFORM = [
    r"\bmark(?:ed|ing)? (?:this|your) (?:task|week|action)(?: as)? (?:complete|completed|done)\b",
    r"\b(?:tap|press|click|hit|choose)(?: on)? [\"'“‘]?mark (?:it )?(?:as )?complete",
    r"\bcompletion check\b",
    r"\b(?:run|press|start|pass|do) the check\b",
    r"\bshare your screen\b",
    r"\b(?:ask|tell|show|let|wait for) the copilot\b",
    r"\bcopilot (?:has |must |should |to )?(?:confirm|agree|approve)",
]
_PLATFORM_WORDS = re.compile("|".join(_PLATFORM), re.IGNORECASE)
# Handing in here: the student does it ("you", or an order), and the place can be this one. That
# users of the project's own app upload something is work on the project.
_HANDING_IN = re.compile(
    r"(?:(?:^[-* \t]*|[.!?;:]\s+|\b(?:when|once|after|at the end)\b[^.]{0,60},\s+)"
    r"(?:then |now |finally |please )?|\byou (?:then |have |can |must |should |will )*)"
    r"(?P<words>(?:submit(?:ted)?|upload(?:ed)?|post(?:ed)?|"
    r"(?:hand|turn)(?:ed)? (?:it |them )?in)\b"
    r"[^.\n]{0,40}?\b(?:here(?=\s*(?:[.,;!]|$))|(?:in|on|to|into|through|via) (?:elivio|"
    r"(?:this|our|the) (?:learning |course )?(?P<place>platform|portal|course)|"
    r"(?:this (?:learning )?|the learning )(?P<site>app|site))\b))",
    re.IGNORECASE | re.MULTILINE,
)

_VAGUE_START = re.compile(
    r"^(?:the student |student |you |i |to )*(?:can |will |should |must |really |fully |better )*"
    r"(?:understands?|knows?|learns?|realises?|appreciates?|get to know|gets to know|grasps?|"
    r"(?:be|is|are|become|becomes|feel|feels|get|gets) (?:more )?(?:familiar|comfortable|confident|"
    r"aware|acquainted)|familiarise yourself|familiarize yourself)\b",
    re.IGNORECASE,
)
_OBSERVABLE = re.compile(
    r"\b(?:and|then|so that you) (?:you )?(?:can )?(?:write|explain|list|show|name|describe|paste|"
    r"demonstrate|say|tell|give|draw|calculate|answer|compare|record|build|make|set)s?\b|"
    r"\bby \w+ing\b|[\"“”«»`\d]",
    re.IGNORECASE,
)


def find_faults(proposal: Proposal, brief: Brief) -> list[Finding]:
    """Everything that code finds, in the order of the plan."""
    return [
        *_check_weeks(proposal, brief),
        *_check_load(proposal, brief),
        *_check_parts(proposal),
        *_check_dependencies(proposal),
        *_check_doubled(proposal),
        *_check_words(proposal, brief),
    ]


def find_blockers(proposal: Proposal) -> list[Finding]:
    """What has to be put right before the student can accept."""
    found = [*_check_parts(proposal), *_check_dependencies(proposal)]
    return [finding for finding in found if finding.code in BLOCKING]


def _check_weeks(proposal: Proposal, brief: Brief) -> Iterator[Finding]:
    weeks = len(proposal.weeks)
    if weeks != brief.weeks:
        yield Finding(
            Criterion.FORM,
            f"The plan has {_count(weeks, 'week')}, and {_count(brief.weeks, 'week')} were asked "
            "for.",
            code="number_of_weeks",
        )
    if brief.target_date and week_begins(brief.starts_on, weeks) > brief.target_date:
        yield Finding(
            Criterion.FORM,
            "The last week begins after the target date.",
            week=weeks,
            code="after_target_date",
        )


def _check_load(proposal: Proposal, brief: Brief) -> Iterator[Finding]:
    for number, week in enumerate(proposal.weeks, start=1):
        hours = sum(task.hours for task in week.tasks)
        if hours > brief.hours_per_week * TOLERANCE:
            yield Finding(
                Criterion.LOAD,
                f"The tasks of this week add up to {_count(hours, 'hour')}, and you have "
                f"{_count(brief.hours_per_week, 'hour')} a week.",
                week=number,
                code="too_many_hours",
            )


def _check_parts(proposal: Proposal) -> Iterator[Finding]:
    for number, week in enumerate(proposal.weeks, start=1):
        if not week.tasks:
            problem = "This week has no task."
            yield Finding(Criterion.FORM, problem, week=number, code="week_without_task")
    for week_number, number, task in proposal.places:
        if not task.requirements:
            yield Finding(
                Criterion.FORM,
                "This task has no requirement, so nothing could show that it is done.",
                week=week_number,
                task=number,
                code="task_without_requirement",
            )


def _check_dependencies(proposal: Proposal) -> Iterator[Finding]:
    all_keys = Counter(task.key for _, _, task in proposal.places)
    earlier: set[str] = set()
    for week_number, number, task in proposal.places:
        place = {"week": week_number, "task": number}
        if task.key in earlier:
            problem = f"The key “{task.key}” stands for two tasks."
            yield Finding(Criterion.FORM, problem, **place, code="key_twice")
        for key in task.depends_on:
            if key not in all_keys:
                problem = f"It builds on “{key}”, which is no task of this plan."
                yield Finding(Criterion.FORM, problem, **place, code="unknown_task")
            elif key not in earlier:
                problem = f"It builds on “{key}”, which does not come before it."
                yield Finding(Criterion.BUILDS, problem, **place, code="later_task")
        earlier.add(task.key)


def _check_doubled(proposal: Proposal) -> Iterator[Finding]:
    titles: set[str] = set()
    for week_number, number, task in proposal.places:
        place = {"week": week_number, "task": number}
        if (title := task.title.casefold()) in titles:
            problem = "An earlier task has the same title."
            yield Finding(Criterion.FORM, problem, **place, code="task_title_twice")
        titles.add(title)
        rows: set[str] = set()
        for row_number, row in enumerate(task.requirements, start=1):
            if (title := row.title.casefold()) in rows:
                problem = "The task has this requirement twice."
                yield Finding(
                    Criterion.FORM,
                    problem,
                    **place,
                    requirement=row_number,
                    code="requirement_twice",
                )
            rows.add(title)


def _check_words(proposal: Proposal, brief: Brief) -> Iterator[Finding]:
    about = brief.description
    for number, week in enumerate(proposal.weeks, start=1):
        yield from _check_platform(about, week.title, week.description, week=number)
    for week_number, number, task in proposal.places:
        yield from _check_platform(
            about, task.title, task.description, week=week_number, task=number
        )
        for row_number, row in enumerate(task.requirements, start=1):
            place = {"week": week_number, "task": number, "requirement": row_number}
            yield from _check_platform(about, row.title, **place)
            if _VAGUE_START.search(row.title) and not _OBSERVABLE.search(row.title):
                yield Finding(
                    Criterion.CHECKABLE,
                    "Nobody can see this from outside. Say what you will write or show instead.",
                    **place,
                    quote=row.title,
                    code="not_observable",
                )


def _check_platform(about: str, *texts: str, **place: int) -> Iterator[Finding]:
    for text in texts:
        if words := _find_platform_words(text, about):
            yield Finding(
                Criterion.PLATFORM,
                "This is a step on the learning platform, not work on the project.",
                **place,
                quote=words,
                code="platform_words",
            )
            return


def _find_platform_words(text: str, about: str) -> str:
    """The words about this platform, or "". A place that the student is building, as the brief
    says, is not this one."""
    if match := _PLATFORM_WORDS.search(text):
        return match[0]
    for match in _HANDING_IN.finditer(text):
        place = match["place"] or match["site"]
        if not place or not re.search(rf"\b{place}s?\b", about, re.IGNORECASE):
            return match["words"]
    return ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
