"""What every template may know: which kind of model answers here. Nothing about a person."""

from django.http import HttpRequest

from elivio.llm import gateway


def model_kind(request: HttpRequest) -> dict[str, str]:
    """`model_kind` is "gemini", "rules" or "none" (see `elivio.llm.gateway.active_kind`)."""
    return {"model_kind": gateway.active_kind()}
