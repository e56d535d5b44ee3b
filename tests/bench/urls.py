"""The product's addresses, and beside them what they are measured against."""

import uuid

from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from elivio.urls import urlpatterns as product


@csrf_exempt
def insert_one(request: HttpRequest) -> HttpResponse:
    """A bare view: one row of a plain table, written through the ORM. It asks for no login, so
    that the product's middleware around it has nothing to read."""
    Session.objects.create(
        session_key=uuid.uuid4().hex, session_data="", expire_date=timezone.now()
    )
    return HttpResponse(status=201)


urlpatterns = [path("bench/insert/", insert_one), *product]
