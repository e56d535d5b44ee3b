"""The product's addresses with faulty ones before them, for the controls: each fault of a kind that
the tests of this folder must report."""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from elivio.pages import login_needed
from elivio.urls import urlpatterns as product
from plans.models import Plan


def export(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Asks for no login."""
    return HttpResponse(get_object_or_404(Plan, pk=plan_id).goal)


@login_needed
def rename(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Does not ask whose plan it is."""
    plan = get_object_or_404(Plan, pk=plan_id)
    Plan.objects.filter(pk=plan.pk).update(title=request.POST.get("text", "") or plan.title)
    return HttpResponse(status=204)


@csrf_exempt
@login_needed
def archive(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Takes a form without its token."""
    get_object_or_404(Plan, pk=plan_id, owner=request.user)
    return HttpResponse(status=204)


@login_needed
def peek(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Has another 404 for somebody else's plan."""
    plan = get_object_or_404(Plan, pk=plan_id)
    if plan.owner != request.user:
        return HttpResponse("This plan is not yours.", status=404)
    return HttpResponse(plan.title)


@login_needed
def half(request: HttpRequest, plan_id: uuid.UUID) -> HttpResponse:
    """Asks whose plan it is for the two usual methods alone."""
    mine = {"owner": request.user} if request.method in ("GET", "POST") else {}
    return HttpResponse(get_object_or_404(Plan, pk=plan_id, **mine).title)


urlpatterns = [
    path("plans/<uuid:plan_id>/export/", export),
    path("plans/<uuid:plan_id>/rename/", rename),
    path("plans/<uuid:plan_id>/archive/", archive),
    path("plans/<uuid:plan_id>/peek/", peek),
    path("plans/<uuid:plan_id>/half/", half),
    *product,
]
