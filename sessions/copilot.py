"""The copilot's answer to a turn: model, tools, model again. It writes only through its tools."""

import dataclasses
import time
from dataclasses import dataclass, field

from django.conf import settings

from elivio.llm import gateway
from elivio.llm.errors import LLMError
from elivio.llm.messages import ChatReply, ChatRequest, Message
from elivio.text import clean_text
from judge.card import latest_card
from judge.evidence import read_task
from plans.models import Purpose, Status
from plans.spending import Payer
from sessions import claims, tools, transcript
from sessions.live import Preview, Stopped
from sessions.memory import read_memories
from sessions.models import CopilotSession, Turn
from sessions.prompt import CopilotContext, build_system_prompt
from sessions.rules import reply_by_rules

RECENT_TURNS = 40
RECENT_CHARACTERS = 60_000
LEAST_SECONDS = 0.5
MOST_ROUNDS = 4
MOST_CALLS = 4
TOO_MANY = "Too many tools at once: this call did nothing. Call one."


@dataclass(slots=True)
class CopilotAnswer:
    """The text of the reply and the tools that were run for it, as (name, result). When the
    student stopped it, the text is what they saw of it."""

    text: str = ""
    tool_turns: list[tuple[str, str]] = field(default_factory=list)
    is_stopped: bool = False


def answer_turn(
    session: CopilotSession, turn: Turn, preview: Preview, answer: CopilotAnswer
) -> None:
    """Ask the copilot and fill the answer. `session` has action, week, plan and student loaded.
    Raises LLMError, and Stopped when the student stopped it before its first word; the tools that
    were run until then stand in the answer."""
    recent, left_out = transcript.read_recent_turns(turn, RECENT_TURNS, RECENT_CHARACTERS)
    context = dataclasses.replace(read_context(session), left_out=left_out)
    messages = tuple(
        Message("user" if row.role == Turn.Role.STUDENT else "assistant", row.text)
        for row in recent
    )
    system = build_system_prompt(context)
    if claims.asks_state(turn.text):
        system = f"{system}\n\n{_describe_stored(session)}"
    try:
        _converse(session, context, system, messages, preview, answer)
    except Stopped:
        if not preview.text.strip():
            raise
        answer.text, answer.is_stopped = preview.text, True
    answer.text = clean_text(answer.text).strip()[: transcript.LONGEST_TURN]


def read_context(session: CopilotSession) -> CopilotContext:
    plan = session.action.week.plan
    return CopilotContext(
        task=read_task(session.action_id),
        status=session.action.status,
        plan_title=plan.title,
        plan_goal=plan.goal,
        memories=read_memories(session),
        check=latest_card(session.action_id),
    )


def _converse(
    session: CopilotSession,
    context: CopilotContext,
    system: str,
    messages: tuple[Message, ...],
    preview: Preview,
    answer: CopilotAnswer,
) -> None:
    """Fill the answer. The tools that were run stand in it also when the student stops the rest."""
    ends_at = time.monotonic() + settings.COPILOT_DEADLINE_SECONDS
    texts: list[str] = []
    for _ in range(MOST_ROUNDS):
        now = messages
        request = ChatRequest(
            system=system,
            messages=now,
            tools=tools.TOOLS,
            by_rules=lambda now=now: reply_by_rules(context, now),
        )
        left = ends_at - time.monotonic()
        if left < LEAST_SECONDS:
            raise LLMError("timeout", "No time is left for another round.")
        preview.begin_part()
        reply = gateway.chat(
            "copilot",
            request,
            deadline_seconds=left,
            spend=Payer(session.student_id, Purpose.CHAT).spend,
            emit=preview.emit,
        )
        texts.append(reply.text)
        if not reply.tool_calls:
            answer.text = "\n\n".join(filter(None, texts))
            return
        messages += (_keep_calls(reply),)
        for place, call in enumerate(reply.tool_calls):
            # Each call gets an answer, as providers ask for one.
            result = TOO_MANY
            if place < MOST_CALLS:
                result = tools.execute(call, session)
                answer.tool_turns.append((call.name[:64], result))
            messages += (Message("tool", result, tool_call_id=call.id, tool_name=call.name),)
    raise LLMError("empty", "No words after the tools.")


def _keep_calls(reply: ChatReply) -> Message:
    return Message(
        "assistant", reply.text, tool_calls=reply.tool_calls, provider_data=reply.provider_data
    )


def _describe_stored(session: CopilotSession) -> str:
    """What the database says, for a student who asks for it."""
    kept = session.turns.filter(role=Turn.Role.STUDENT).count()
    is_marked = session.action.status == Status.COMPLETED
    return (
        "## What is stored, as the student asks for it\n"
        f"Messages of theirs in this session that are kept: {kept}, each as it was sent. "
        f"Status of the task: {session.action.status}. Marked complete: "
        f"{'yes' if is_marked else 'no'}. Answer from this alone."
    )
