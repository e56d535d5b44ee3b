"""The Celery app. asgi, wsgi and manage.py import it, or the web looks for the wrong broker."""

from celery import Celery

from elivio import env

env.set_default("DJANGO_SETTINGS_MODULE", "elivio.settings")

app = Celery("elivio")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["plans", "sessions"])
