"""How a conversation's words are shown in templates; decides nothing else."""

from django import template
from django.utils.safestring import SafeString

from sessions.markdown import render_markdown

register = template.Library()


@register.filter
def as_markdown(text: str) -> SafeString:
    """For a copilot's words alone: a student's are shown as they were sent."""
    return render_markdown(text)
