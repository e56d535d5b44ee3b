"""Addresses of the plans pages."""

from django.urls import path

from plans import edit_views, proof_views, views
from plans.making import edit_views as draft_edits
from plans.making import views as making

app_name = "plans"
urlpatterns = [
    path("", views.home, name="home"),
    path("plans/new/", making.new_plan, name="new_plan"),
    path("plans/drafts/<uuid:draft_id>/", making.draft_page, name="draft"),
    path("plans/drafts/<uuid:draft_id>/text/", draft_edits.text_page, name="draft_text"),
    path(
        "plans/drafts/<uuid:draft_id>/weeks/<int:number>/",
        draft_edits.week_page,
        name="draft_week",
    ),
    path("plans/drafts/<uuid:draft_id>/accept/", making.accept, name="accept_draft"),
    path("plans/drafts/<uuid:draft_id>/retry/", making.retry, name="retry_draft"),
    path("plans/drafts/<uuid:draft_id>/drop/", making.drop, name="drop_draft"),
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
