"""One definition of a tool, rendered for every provider; must not run one or import a vendor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel


@dataclass(frozen=True)
class Tool:
    """What a model may call. The executor validates its arguments with `args`."""

    name: str
    description: str
    args: type[BaseModel]

    def parameters(self) -> dict[str, Any]:
        """Return the JSON schema of the arguments: references inlined, titles dropped."""
        schema = self.args.model_json_schema()
        schema.pop("description", None)  # The docstring of `args` is for us, not for the model.
        return simplify_schema(schema, schema.get("$defs", {}))


def live_declarations(tools: tuple[Tool, ...] | list[Tool]) -> list[dict[str, Any]]:
    """Return Gemini Live function declarations; BLOCKING, as Live does not wait by default."""
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters_json_schema": tool.parameters(),
            "behavior": "BLOCKING",
        }
        for tool in tools
    ]


def simplify_schema(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [simplify_schema(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = definitions[node["$ref"].removeprefix("#/$defs/")]
        extra = {key: value for key, value in node.items() if key != "$ref"}
        return simplify_schema({**target, **extra}, definitions)
    plain = {}
    for key, value in node.items():
        if key == "properties":
            plain[key] = {name: simplify_schema(each, definitions) for name, each in value.items()}
        elif key not in ("title", "$defs"):
            plain[key] = simplify_schema(value, definitions)
    return plain
