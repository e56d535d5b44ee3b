"""App configuration of plans."""

from django.apps import AppConfig


class PlansConfig(AppConfig):
    name = "plans"
