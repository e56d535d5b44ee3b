"""Addresses of the judge pages."""

from django.urls import path

from judge import views

app_name = "judge"
urlpatterns = [
    path("checks/<uuid:check_id>/report/", views.report, name="report"),
]
