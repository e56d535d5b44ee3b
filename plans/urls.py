"""Addresses of the plans pages."""

from django.urls import path

from plans import edit_views, proof_views, views

app_name = "plans"
urlpatterns = [
    path("", views.home, name="home"),
    path("plans/<uuid:plan_id>/", views.plan_page, name="plan"),
    path("actions/<uuid:action_id>/status/", views.action_status, name="status"),
    path("actions/<uuid:action_id>/edit/", edit_views.edit_page, name="edit"),
    path("actions/<uuid:action_id>/drop/", edit_views.drop_page, name="drop"),
    path("actions/<uuid:action_id>/restore/", edit_views.restore, name="restore"),
    path("actions/<uuid:action_id>/history/", edit_views.history_page, name="history"),
    path("weeks/<uuid:week_id>/tasks/new/", edit_views.new_task_page, name="new_task"),
    path("weeks/<uuid:week_id>/edit/", edit_views.week_page, name="week"),
    path("plans/<uuid:plan_id>/share/", proof_views.share, name="share"),
    path("plans/<uuid:plan_id>/withdraw/", proof_views.withdraw, name="withdraw"),
    path("proof/<str:token>/", proof_views.proof_page, name="proof"),
]
