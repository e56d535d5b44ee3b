"""The product's settings as in production, without TLS and with addresses that fail on purpose.

It must change nothing of what a page shows.
"""

from elivio.settings import *  # noqa: F403

DEBUG = False
ROOT_URLCONF = "tests.screens.urls"
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = False
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
