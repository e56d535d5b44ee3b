"""Asks the configured copilot one case. It touches no database and no ceiling; tools are answered
as in the product, and write nothing."""

from dataclasses import dataclass, field

from django.conf import settings

from elivio.llm import gateway
from elivio.llm.messages import ChatRequest, Message
from sessions import tools
from sessions.conduct.cases import Case, make_context
from sessions.prompt import build_system_prompt
from sessions.rules import reply_by_rules

MOST_ROUNDS = 4


@dataclass(slots=True)
class CaseReply:
    text: str = ""
    called: list[str] = field(default_factory=list)


def ask_copilot(case: Case) -> CaseReply:
    """The reply to the case's last turn. Raises LLMError."""
    context = make_context(case)
    system, reply = build_system_prompt(context), CaseReply()
    messages = tuple(
        Message("user" if turn.role == "student" else "assistant", turn.text) for turn in case.turns
    )
    for _ in range(MOST_ROUNDS):
        now = messages
        request = ChatRequest(
            system=system,
            messages=now,
            tools=tools.TOOLS,
            by_rules=lambda now=now: reply_by_rules(context, now),
        )
        answer = gateway.chat(
            "copilot",
            request,
            deadline_seconds=settings.COPILOT_DEADLINE_SECONDS,
            spend=lambda: None,
        )
        reply.text = answer.text
        if not answer.tool_calls:
            break
        messages += (
            Message(
                "assistant",
                answer.text,
                tool_calls=answer.tool_calls,
                provider_data=answer.provider_data,
            ),
        )
        for call in answer.tool_calls:
            reply.called.append(call.name)
            result = tools.NOT_MARKED if call.name == tools.COMPLETED_SIGNAL else "Noted."
            messages += (Message("tool", result, tool_call_id=call.id, tool_name=call.name),)
    return reply
