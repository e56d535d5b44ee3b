"""The WSGI entry point, for servers without ASGI."""

from django.core.wsgi import get_wsgi_application

from elivio import celery, env

__all__ = ["application", "celery"]

env.set_default("DJANGO_SETTINGS_MODULE", "elivio.settings")
application = get_wsgi_application()
