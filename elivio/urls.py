"""The address table."""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from elivio.api import api
from elivio.login import EmailLoginView

handler404 = "elivio.views.page_missing"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
    path("login/", EmailLoginView.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("", include("plans.urls")),
    path("", include("sessions.urls")),
    path("", include("judge.urls")),
]
