"""The product's settings for the measured web process, with the base views among the addresses."""

from elivio.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.urls"
