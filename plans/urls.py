"""Addresses of the plans pages."""

from django.urls import path

from plans import proof_views, views

app_name = "plans"
urlpatterns = [
    path("", views.home, name="home"),
    path("plans/<uuid:plan_id>/", views.plan_page, name="plan"),
    path("actions/<uuid:action_id>/status/", views.action_status, name="status"),
    path("plans/<uuid:plan_id>/share/", proof_views.share, name="share"),
    path("plans/<uuid:plan_id>/withdraw/", proof_views.withdraw, name="withdraw"),
    path("proof/<str:token>/", proof_views.proof_page, name="proof"),
]
