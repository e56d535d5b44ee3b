"""The one exception a model call may raise, with a reason code; must not import any vendor."""

from __future__ import annotations

from elivio.llm.messages import Usage

SENTENCES = {
    "blocked": "The provider blocked the request before answering.",
    "safety": "The provider stopped the reply for safety or policy reasons.",
    "cut_off": "The reply was cut off at the output limit.",
    "empty": "The reply holds no text.",
    "rate_limited": "The provider refused the call because of its rate limit or quota.",
    "overloaded": "The provider is overloaded or has an internal fault.",
    "timeout": "The provider did not finish its reply before the deadline.",
    "unreachable": "The provider could not be reached, or it dropped the connection.",
    "rejected": "The provider rejected the request as invalid.",
    "not_authorised": "The provider refused the key, or the key may not use this model.",
    "bad_reply": "The provider's reply is not in the form that was agreed.",
    "tool_call": "The reply holds a function call where none is allowed.",
    "no_model": "No model is configured.",
    "budget_spent": "The student has used up today's calls of this purpose.",
    "switched_off": "Staff have switched all model calls off.",
    "unknown": "The provider failed in a way that is not known.",
}

RETRYABLE = frozenset(
    {"cut_off", "empty", "rate_limited", "overloaded", "unreachable", "bad_reply", "tool_call"}
)


class LLMError(Exception):
    """A model call that gave no usable reply.

    `code` is a key of SENTENCES. `sentence` is for staff, with the provider's own words when there
    are any. `retryable` says whether the same call may succeed if made again. `retry_after` is in
    seconds, as the provider asked. `raw` and `usage` are what was received and spent before.
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        retry_after: float | None = None,
        raw: str = "",
        usage: Usage | None = None,
    ) -> None:
        self.code = code
        self.retryable = code in RETRYABLE
        self.sentence = f"{SENTENCES[code]} {detail[:500]}".strip()
        self.retry_after = retry_after
        self.raw = raw
        self.usage = usage or Usage()
        super().__init__(f"{code}: {self.sentence}")
