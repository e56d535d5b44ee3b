"""Answers without a model, for the offline demo; must never be taken for a model's answer."""

from __future__ import annotations

import json
from dataclasses import replace

from elivio.llm.messages import ChatReply, ChatRequest, StructuredReply, StructuredRequest, Usage

MODEL = "rules"


def chat(request: ChatRequest) -> ChatReply:
    return replace(request.by_rules(), kind=MODEL, model=MODEL)


def structured(request: StructuredRequest) -> StructuredReply:
    text = json.dumps(request.by_rules(), ensure_ascii=False)
    return StructuredReply(text=text, kind=MODEL, model=MODEL, usage=Usage(), milliseconds=0)
