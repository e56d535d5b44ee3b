"""One tool definition, two renderings: they must say the same, field by field."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Literal

import pytest
from google.genai import types
from langchain_core.utils.function_calling import convert_to_openai_function
from pydantic import BaseModel, Field

from elivio.llm.langchain_chat import langchain_tools
from elivio.llm.tools import Tool, live_declarations
from tests.elivio.llm.asking import MARK_DONE, MARK_STARTED


class Level(StrEnum):
    LOW = "low"
    HIGH = "high"


class Step(BaseModel):
    title: str = Field(description="In the student's words")
    level: Level = Level.LOW


class Report(BaseModel):
    """Not for the model: the tool's description stands alone."""

    title: str
    definitions: dict[str, int] = {}
    steps: list[Step] = Field(min_length=1)
    first: Step | None = Field(default=None, description="The first one")
    kind: Literal["a", "b"] = "a"


REPORT = Tool("report", "Call with a report.", Report)


@pytest.mark.parametrize("tool", [MARK_STARTED, MARK_DONE, REPORT], ids=lambda tool: tool.name)
def test_chat_and_voice_declare_the_same(tool: Tool) -> None:
    [live] = live_declarations([tool])
    chat = convert_to_openai_function(langchain_tools([tool])[0])
    assert chat["name"] == live["name"] == tool.name
    assert chat["description"] == live["description"] == tool.description
    assert chat["parameters"] == live["parameters_json_schema"]
    assert live["behavior"] == "BLOCKING"
    assert set(live) == {"name", "description", "parameters_json_schema", "behavior"}


@pytest.mark.parametrize("tool", [MARK_STARTED, MARK_DONE, REPORT], ids=lambda tool: tool.name)
def test_live_declaration_is_one_that_the_vendor_accepts(tool: Tool) -> None:
    [live] = live_declarations([tool])
    declared = types.FunctionDeclaration(**live)
    assert declared.parameters_json_schema == tool.parameters()


def test_schema_keeps_rules_and_drops_references() -> None:
    schema = REPORT.parameters()
    properties = schema["properties"]
    assert set(properties) == {"title", "definitions", "steps", "first", "kind"}
    assert "$" not in json.dumps(schema)
    step = properties["steps"]["items"]
    assert properties["steps"]["minItems"] == 1
    assert step["properties"]["title"] == {
        "type": "string",
        "description": "In the student's words",
    }
    assert step["properties"]["level"] == {
        "type": "string",
        "enum": ["low", "high"],
        "default": "low",
    }
    assert properties["first"]["description"] == "The first one"
    assert schema["required"] == ["title", "steps"]
    assert MARK_DONE.parameters() == {"type": "object", "properties": {}}
