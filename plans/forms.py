"""Forms of the plans pages: they read what was sent and write nothing."""

from django import forms

from plans.models import Status


class StatusForm(forms.Form):
    """The status a student asks for. `confirmed` is sent by the confirm step alone."""

    status = forms.ChoiceField(
        choices=Status.choices,
        error_messages={
            "required": "Choose a status first.",
            "invalid_choice": "There is no such status. Choose one from the page.",
        },
    )
    confirmed = forms.BooleanField(required=False)
