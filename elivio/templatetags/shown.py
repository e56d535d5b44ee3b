"""How times, ages and counts are shown in templates; decides nothing else."""

import datetime
import re

from django import template
from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
_FORMATS = {"clock": "H:i", "day": "j M", "moment": "j M, H:i"}


@register.simple_tag
def when(value: datetime.datetime | str | None, form: str = "moment") -> SafeString | str:
    """A <time> element; `form` is clock, day or moment. app.js shows it in the reader's zone.

    `value` may also be the ISO text of a stored JSON value.
    """
    moment = parse_datetime(value) if isinstance(value, str) else value
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    letters = _FORMATS[form]
    if local.year != timezone.localtime().year:
        letters = letters.replace("M", "M Y")
    return format_html(
        '<time datetime="{}" data-form="{}">{}</time>',
        moment.isoformat(),
        form,
        format_date(local, letters),
    )


@register.filter
def coded(text: str) -> SafeString:
    """The text with its `code-marked` values as code; everything in it is escaped."""
    words, *marked = re.split(r"`([^`\n]+)`", text)
    pairs = zip(marked[::2], marked[1::2], strict=True)
    return format_html("{}{}", words, format_html_join("", "<code>{}</code>{}", pairs))


@register.filter
def as_age(seconds: int | None) -> str:
    """An age in words: "6 seconds", "3 minutes"."""
    if seconds is None:
        return "some time"
    number, unit = (seconds, "second") if seconds < 120 else (seconds // 60, "minute")
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"
