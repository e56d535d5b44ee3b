"""The copilot's answer to a turn: model, tools, model again. It writes only through its tools."""

import time
from dataclasses import dataclass, field

from django.conf import settings

from elivio.llm import gateway
from elivio.llm.errors import LLMError
from elivio.llm.messages import ChatRequest, Message
from elivio.text import clean_text
from judge.card import latest_card
from judge.evidence import read_task
from plans.models import Purpose
from plans.spending import Payer
from sessions import tools, transcript
from sessions.memory import read_memories
from sessions.models import CopilotSession, Turn
from sessions.prompt import CopilotContext, build_system_prompt
from sessions.rules import reply_by_rules

RECENT_TURNS = 40
MOST_ROUNDS = 4


@dataclass(slots=True)
class CopilotAnswer:
    """The text of the reply and the tools that were run for it, as (name, result)."""

    text: str = ""
    tool_turns: list[tuple[str, str]] = field(default_factory=list)


def answer_turn(session: CopilotSession, turn: Turn) -> CopilotAnswer:
    """Ask the copilot. `session` has action, week, plan and student loaded. Raises LLMError."""
    context = read_context(session)
    messages = tuple(
        Message("user" if row.role == Turn.Role.STUDENT else "assistant", row.text)
        for row in transcript.read_recent_turns(turn, RECENT_TURNS)
    )
    return _converse(session, context, messages)


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
    session: CopilotSession, context: CopilotContext, messages: tuple[Message, ...]
) -> CopilotAnswer:
    ends_at = time.monotonic() + settings.COPILOT_DEADLINE_SECONDS
    answer = CopilotAnswer()
    system = build_system_prompt(context)
    for _ in range(MOST_ROUNDS):
        now = messages
        request = ChatRequest(
            system=system,
            messages=now,
            tools=tools.TOOLS,
            by_rules=lambda now=now: reply_by_rules(context, now),
        )
        reply = gateway.chat(
            "copilot",
            request,
            deadline_seconds=ends_at - time.monotonic(),
            spend=Payer(session.student_id, Purpose.CHAT).spend,
        )
        if not reply.tool_calls:
            answer.text = clean_text(reply.text).strip()[: transcript.LONGEST_TURN]
            break
        messages += (
            Message(
                "assistant",
                reply.text,
                tool_calls=reply.tool_calls,
                provider_data=reply.provider_data,
            ),
        )
        for call in reply.tool_calls:
            result = tools.execute(call, session)
            answer.tool_turns.append((call.name[:64], result))
            messages += (Message("tool", result, tool_call_id=call.id, tool_name=call.name),)
    if not answer.text:
        raise LLMError("empty", "No words after the tools.")
    return answer
