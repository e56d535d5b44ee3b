"""App configuration of sessions. The label differs, or it would collide with Django's own app."""

from django.apps import AppConfig


class CopilotSessionsConfig(AppConfig):
    name = "sessions"
    label = "copilot_sessions"
    verbose_name = "Sessions"
