"""Puts its writer's mark into a form whose text outlives an expired login (`elivio.typed`)."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from elivio.typed import WRITER, sign_writer

register = template.Library()


@register.simple_tag(takes_context=True)
def writer(context: dict[str, Any]) -> SafeString:
    """A hidden field that names the person the form is shown to."""
    return format_html('<input type="hidden" name="{}" value="{}">', WRITER, writer_mark(context))


@register.simple_tag(takes_context=True)
def writer_mark(context: dict[str, Any]) -> str:
    """By which a browser tells one person's drafts from another's."""
    return sign_writer(context["request"].user)
