"""Logging in with e-mail and password; the accounts are Django's own users."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView

from elivio.demo import PASSWORD, STAFF, STUDENT


class EmailLoginForm(AuthenticationForm):
    """Usernames are lower-case e-mail addresses, so what is typed is lowered too."""

    error_messages = {
        "invalid_login": (
            "This e-mail and password do not belong together. Check both, then try again."
        ),
        "inactive": "This account is switched off. Ask your teacher to switch it on.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email, password = self.fields["username"], self.fields["password"]
        email.label = "E-mail"
        email.widget = forms.EmailInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "maxlength": 150}
        )
        email.error_messages["required"] = "Enter your e-mail."
        password.error_messages["required"] = "Enter your password."

    def clean_username(self) -> str:
        return self.cleaned_data["username"].strip().lower()


class EmailLoginView(LoginView):
    form_class = EmailLoginForm
    template_name = "elivio/login.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, demo=find_demo_logins())


def find_demo_logins() -> dict[str, Any] | None:
    """The demo logins to show on a developer's machine, when they exist."""
    if not settings.DEBUG:
        return None
    users = get_user_model().objects.filter(username__in=(STUDENT, STAFF))
    names = set(users.values_list("username", flat=True))
    emails = [email for email in (STUDENT, STAFF) if email in names]
    return {"emails": emails, "password": PASSWORD} if emails else None
