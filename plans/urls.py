"""Addresses of the plans pages."""

from django.urls import path

from plans import views

app_name = "plans"
urlpatterns = [
    path("", views.home, name="home"),
    path("plans/<uuid:plan_id>/", views.plan_page, name="plan"),
    path("actions/<uuid:action_id>/status/", views.action_status, name="status"),
]
