"""Every address the product answers at, read from the URL configuration. It judges nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.admindocs.views import simplify_regex
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RegexPattern

PARAMETER = re.compile(r"<(?:[^:>]+:)?(\w+)>")


@dataclass(frozen=True)
class Route:
    """`path` is the pattern from the root, as in `plans/<uuid:plan_id>/`."""

    path: str
    view: Any


def find_routes(urlconf: str | None = None) -> list[Route]:
    """All routes of a URL configuration, of the product's own without a name."""
    return list(_walk(get_resolver(urlconf), ""))


def address_of(path: str, ids: dict[str, Any]) -> str:
    """The address of a route with these values in it. Raises KeyError for one that is missing."""
    return "/" + PARAMETER.sub(lambda match: str(ids[match[1]]), path)


def parameters_of(path: str) -> list[str]:
    return PARAMETER.findall(path)


def _walk(resolver: URLResolver, prefix: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        path = prefix + _as_text(entry)
        if isinstance(entry, URLResolver):
            yield from _walk(entry, path)
        else:
            yield Route(path, entry.callback)


def _as_text(entry: URLPattern | URLResolver) -> str:
    if isinstance(entry.pattern, RegexPattern):
        return simplify_regex(str(entry.pattern)).removeprefix("/")
    return str(entry.pattern)
