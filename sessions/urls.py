"""Addresses of the sessions pages."""

from django.urls import path

from sessions import live_views, views

app_name = "sessions"
urlpatterns = [
    path("plans/<uuid:plan_id>/progress/", views.progress, name="progress"),
    path("actions/<uuid:action_id>/session/", views.start, name="start"),
    path("sessions/<uuid:session_id>/", views.session_page, name="session"),
    path("sessions/<uuid:session_id>/turns/", views.send, name="turn"),
    path("sessions/<uuid:session_id>/live/", live_views.live, name="live"),
    path("sessions/<uuid:session_id>/stop/", live_views.stop, name="stop"),
    path("sessions/<uuid:session_id>/check/", views.check, name="check"),
    path("sessions/<uuid:session_id>/complete/", views.complete, name="complete"),
    path("sessions/<uuid:session_id>/end/", views.end, name="end"),
]
