"""What every JSON form of the API shares: camelCase names, strict input, examples for the docs.

Knows no app. Input takes what the form names and nothing else; `"true"` is not `true`.
"""

from typing import Any

from ninja import Schema
from pydantic import AliasGenerator, BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

JSON = "application/json"
MULTIPART = "multipart/form-data"
BAD_BODY = (400, 413, 415, 422)


class JsonIn(BaseModel):
    """A request body. Unknown fields and wrong types are refused."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", strict=True)


class JsonOut(Schema):
    """An answer, read from the attributes of a row or a plain value."""

    model_config = ConfigDict(
        alias_generator=AliasGenerator(serialization_alias=to_camel), from_attributes=True
    )


class ErrorOut(JsonOut):
    """Every refusal. `fields` stands only in a 422 about single fields: name to sentence."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"detail": "A sentence that says why.", "code": "a_code"}}
    )

    detail: str
    code: str
    fields: dict[str, str] | None = None


def show_examples(
    answer: Any, *, status: int = 200, asked: Any = None, media_type: str = JSON
) -> dict[str, Any]:
    """The `openapi_extra` of an operation: an example of its answer, and of its body if it has
    one. A test holds every example against its form."""
    shown: dict[str, Any] = {"responses": {status: {"content": {JSON: {"example": answer}}}}}
    if asked is not None:
        shown["requestBody"] = {"content": {media_type: {"example": asked}}}
    return shown


def refusals(*statuses: int) -> dict[tuple[int, ...], type[ErrorOut]]:
    """The refusals an operation can answer with, for its `response`; 401 always."""
    return {(401, *statuses): ErrorOut}
