"""The ASGI entry point: plain HTTP today; WebSocket routes join here."""

import warnings

from django.core.asgi import get_asgi_application

from elivio import celery, env

__all__ = ["application", "celery"]

# WhiteNoise streams its files synchronously. They are small, and reading one whole is fine.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators")

env.set_default("DJANGO_SETTINGS_MODULE", "elivio.settings")
application = get_asgi_application()
