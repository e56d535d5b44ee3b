"""App configuration of the project package: templates, commands and system checks."""

from django.apps import AppConfig

from elivio import checks

__all__ = ["ElivioConfig", "checks"]


class ElivioConfig(AppConfig):
    name = "elivio"
