"""Nobody adds, changes or deletes a record in the admin, and only staff see any of it."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from elivio.admin import ReadOnlyAdmin
from plans.models import Plan
from tests import factories
from tests.admin.records import ADDED, APPS, MODELS, url_of

pytestmark = pytest.mark.django_db


def state():
    return {model: list(model.objects.order_by("pk").values()) for model in MODELS}


def pages_of(model):
    """Every address of the model's admin, with a row that exists."""
    row = model.objects.first()
    yield reverse(url_of(model, "changelist"))
    yield reverse(url_of(model, "add"))
    for page in ("change", "delete", "history"):
        yield reverse(url_of(model, page), args=[row.pk])


def forged(row):
    """What a form for every column of the row would send."""
    return {field.name: str(field.value_from_object(row)) for field in row._meta.fields}


def test_a_superuser_writes_nothing(root, record):
    before = state()
    for model in MODELS:
        row = model.objects.first()
        add = reverse(url_of(model, "add"))
        change = reverse(url_of(model, "change"), args=[row.pk])
        delete = reverse(url_of(model, "delete"), args=[row.pk])
        forms = [] if model in ADDED else [(add, {"_save": "Save"}), (change, {"_saveasnew": "x"})]
        for url in (delete, *([] if model in ADDED else [add])):
            assert root.get(url).status_code == 403
        for url, data in (
            *((url, forged(row) | button) for url, button in forms),
            (change, forged(row) | {"_save": "Save"}),
            (delete, {"post": "yes"}),
        ):
            assert root.post(url, data).status_code == 403, url
            assert root.post(url + "?_popup=1", data | {"_popup": "1"}).status_code == 403, url
    assert state() == before


def test_a_list_takes_no_action(root, record):
    before = state()
    for model in MODELS:
        row = model.objects.first()
        url = reverse(url_of(model, "changelist"))
        for data in (
            {"action": "delete_selected", "_selected_action": str(row.pk), "index": "0"},
            {"action": "delete_selected", "_selected_action": str(row.pk), "post": "yes"},
            {
                "_save": "Save",
                "form-TOTAL_FORMS": "1",
                "form-INITIAL_FORMS": "1",
                "form-0-id": row.pk,
            },
            {},
        ):
            assert root.post(url, data).status_code == 403, (model, data)
    assert state() == before


def test_control_with_the_guard_removed_a_superuser_deletes(root, monkeypatch):
    plan = factories.make_plan(factories.make_student())
    url = reverse(url_of(Plan, "delete"), args=[plan.pk])
    assert root.post(url, {"post": "yes"}).status_code == 403
    for name in ("has_delete_permission", "has_change_permission"):
        monkeypatch.setattr(ReadOnlyAdmin, name, getattr(admin.ModelAdmin, name))
    assert root.post(url, {"post": "yes"}).status_code == 302
    assert not Plan.objects.exists()


def test_who_is_not_staff_is_sent_to_the_login(client, client_of, record):
    visitors = (client, client_of(record.student))
    for model in MODELS:
        for url in pages_of(model):
            for visitor in visitors:
                for response in (visitor.get(url), visitor.post(url)):
                    assert response.status_code == 302, url
                    assert response.url.startswith(reverse("admin:login"))


def test_staff_without_permissions_see_nothing(client_of, record):
    visitor = client_of(factories.make_staff())
    assert visitor.get(reverse("admin:index")).context["app_list"] == []
    for model in MODELS:
        for url in pages_of(model):
            assert visitor.get(url).status_code == 403, url
            assert visitor.post(url).status_code == 403, url


def test_every_permission_granted_opens_no_way_to_write(client_of, record):
    user = factories.make_staff()
    user.user_permissions.set(Permission.objects.filter(content_type__app_label__in=APPS))
    visitor = client_of(user)
    before = state()
    for model in MODELS:
        changelist, add, change, delete, _ = pages_of(model)
        assert visitor.get(changelist).status_code == 200, model
        for url in (change, delete, changelist, *([] if model in ADDED else [add])):
            assert visitor.post(url, {"post": "yes"}).status_code == 403, url
    assert state() == before


def test_a_person_with_records_is_not_deleted(root, record):
    """The accounts' own admin is Django's; it says what holds the person instead of failing."""
    url = reverse("admin:auth_user_delete", args=[record.student.pk])
    response = root.post(url, {"post": "yes"})
    assert response.status_code in (200, 403)
    assert User.objects.filter(pk=record.student.pk).exists()


def test_inactive_staff_are_sent_to_the_login(client_of, teacher, record):
    visitor = client_of(teacher)
    User.objects.filter(pk=teacher.pk).update(is_active=False)
    response = visitor.get(reverse(url_of(Plan, "changelist")))
    assert response.url.startswith(reverse("admin:login"))
