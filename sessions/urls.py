"""Addresses of the sessions pages."""

from django.urls import path

from sessions import agreement_views, live_views, memory_views, screen_views, views

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
    path("sessions/<uuid:session_id>/cancel/", views.cancel, name="cancel"),
    path("sessions/<uuid:session_id>/end/", views.end, name="end"),
    path("sessions/<uuid:session_id>/pictures/", screen_views.keep, name="pictures"),
    path(
        "sessions/<uuid:session_id>/pictures/<uuid:picture_id>/",
        screen_views.picture,
        name="picture",
    ),
    path(
        "sessions/<uuid:session_id>/pictures/<uuid:picture_id>/remove/",
        screen_views.remove,
        name="remove_picture",
    ),
    path("sessions/<uuid:session_id>/turns/<uuid:turn_id>/pin/", screen_views.mark, name="pin"),
    path("sessions/<uuid:session_id>/agreement/", agreement_views.agreement, name="agreement"),
    path("sessions/<uuid:session_id>/proposal/", agreement_views.propose, name="propose"),
    path("plans/<uuid:plan_id>/memory/", memory_views.memory, name="memory"),
    path(
        "plans/<uuid:plan_id>/memory/forget/",
        memory_views.forget_everything,
        name="forget_everything",
    ),
    path(
        "plans/<uuid:plan_id>/memory/<uuid:session_id>/",
        memory_views.forget,
        name="forget",
    ),
]
