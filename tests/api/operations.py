"""Every operation of the API, read from its own OpenAPI document, with its example body. A new
operation is in every test about all of them without being named."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse

from elivio.api import api
from tests.api.calling import ROOT, Caller, make_picture


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    details: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def is_unsafe(self) -> bool:
        return self.method != "GET"

    @property
    def id_name(self) -> str:
        """The name of the id in the path, or "" when it has none."""
        return self.path.partition("{")[2].partition("}")[0]

    @property
    def content(self) -> dict[str, Any]:
        """Media type to schema and example of the body; empty when it has none."""
        return self.details.get("requestBody", {}).get("content", {})

    def call(self, caller: Caller, **ids: Any) -> HttpResponse:
        """Call it with its example body."""
        path = self.path.format(**ids)
        if form := self.content.get("multipart/form-data"):
            return caller.upload(path, **{**form["example"], "image": make_picture()})
        body = self.content.get("application/json", {}).get("example")
        return caller.call(self.method, path, body)


def read_document() -> dict[str, Any]:
    """The document as a client gets it: keys are texts."""
    return json.loads(json.dumps(api.get_openapi_schema(path_prefix=ROOT)))


DOCUMENT = read_document()
OPERATIONS = [
    Operation(method.upper(), path.removeprefix(ROOT), details)
    for path, methods in DOCUMENT["paths"].items()
    for method, details in methods.items()
]
