"""The OpenAPI document and its page: complete, true to the forms, and without foreign hosts."""

import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from tests.api.calling import ROOT
from tests.api.operations import DOCUMENT, OPERATIONS, Operation

every_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=str)


def find_fault(example: Any, schema: dict[str, Any], at: str = "") -> str:
    """Where an example does not fit its schema; "" when it fits. Knows what pydantic writes."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return find_fault(example, DOCUMENT["components"]["schemas"][name], at)
    if "anyOf" in schema:
        faults = [find_fault(example, each, at) for each in schema["anyOf"]]
        return "" if "" in faults else faults[0]
    if "enum" in schema and example not in schema["enum"]:
        return f"{at}: {example!r} is not in {schema['enum']}"
    match schema.get("type"):
        case "object" if isinstance(example, dict):
            return find_object_fault(example, schema, at)
        case "array" if isinstance(example, list) and example is not None:
            return "".join(find_fault(item, schema["items"], f"{at}[]") for item in example)
        case kind:
            return "" if is_of(example, kind) else f"{at}: {example!r} is no {kind}"


def find_object_fault(example: dict[str, Any], schema: dict[str, Any], at: str) -> str:
    known = schema.get("properties", {})
    if missing := set(schema.get("required", [])) - set(example):
        return f"{at}: {missing} is missing"
    if known and (more := set(example) - set(known)):
        return f"{at}: {more} is not in the form"
    return "".join(
        find_fault(value, known[name], f"{at}.{name}") for name, value in example.items() if known
    )


def is_of(example: Any, kind: str | None) -> bool:
    types = {"string": str, "integer": int, "boolean": bool, "null": type(None)}
    return kind is None or type(example) is types.get(kind)


def test_the_document_is_public_and_the_same(client):
    got = client.get(f"{ROOT}openapi.json")
    assert got.status_code == 200
    assert got.json()["paths"] == DOCUMENT["paths"]
    assert got.json()["openapi"].startswith("3.1")


@every_operation
def test_each_operation_says_what_it_does(operation: Operation):
    assert operation.details["summary"]
    assert operation.details["description"]
    assert operation.details["security"]
    assert {"401"} < set(operation.details["responses"])
    if operation.is_unsafe:
        assert "403" in operation.details["responses"]
    assert operation.details["summary"] != operation.details["operationId"]


@every_operation
def test_each_body_has_an_example_that_fits(operation: Operation):
    for media, content in operation.content.items():
        assert find_fault(content["example"], content["schema"]) == "", media
    takes_none = {"sessions", "cancel", "end", "pin", "{picture_id}"}
    takes_none |= {"retry", "accept", "restore", "{draft_id}", "{session_id}"}
    last = operation.path.rpartition("/")[2]
    is_bare = last in takes_none or operation.path.endswith("/agreement/proposal")
    assert bool(operation.content) == (operation.is_unsafe and not is_bare)


@every_operation
def test_each_answer_has_an_example_that_fits(operation: Operation):
    answers = [
        answer["content"]["application/json"]
        for status, answer in operation.details["responses"].items()
        if status.startswith("2")
    ]
    assert len(answers) == 1
    assert find_fault(answers[0]["example"], answers[0]["schema"]) == ""


def test_the_fit_is_really_checked():
    """The control: a wrong type, a missing and an unknown name are found."""
    schema = {"$ref": "#/components/schemas/ProgressOut"}
    good = {"total": 1, "done": 1, "checked": 1, "selfReported": 0}
    assert find_fault(good, schema) == ""
    assert find_fault({**good, "total": "1"}, schema)
    assert find_fault({**good, "total": True}, schema)
    assert find_fault({**good, "more": 1}, schema)
    assert find_fault({"total": 1}, schema)


def test_the_page_needs_no_foreign_host(client):
    page = client.get(f"{ROOT}docs")
    assert page.status_code == 200
    text = page.content.decode()
    loaded = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert len(loaded) >= 4
    for address in loaded:
        assert address.startswith("/static/ninja/")
        assert finders.find(address.removeprefix("/static/"))
    assert "//" not in re.sub(r'"/[^"]*"', "", text).replace("<!DOCTYPE", "")
    assert '"validatorUrl": null' in text
