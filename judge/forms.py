"""Forms of the judge pages: they read what was sent and write nothing."""

from django import forms


class ReportForm(forms.Form):
    """A student's objection: a row of the check or the whole of it, why, in their words, and
    whether staff may see the pictures."""

    requirement_id = forms.UUIDField(required=False)
    message = forms.CharField(required=False, strip=True)
    share_pictures = forms.BooleanField(required=False)
