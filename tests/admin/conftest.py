"""Fixtures of the admin's tests: who looks, and at what."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from tests import factories
from tests.admin.records import APPS, Record, add_record


@pytest.fixture
def record(db: None) -> Record:
    return add_record()


@pytest.fixture
def superuser(db: None) -> User:
    return factories.make_staff(is_superuser=True)


@pytest.fixture
def client_of():
    """Return a function that logs a user in, with CSRF tokens asked for where wanted."""

    def log_in(user: User, **options: bool) -> Client:
        client = Client(**options)
        client.force_login(user)
        return client

    return log_in


@pytest.fixture
def root(superuser: User, client_of) -> Client:
    return client_of(superuser)


@pytest.fixture
def teacher(db: None) -> User:
    """Staff who may view every record, reopen, and decide appeals."""
    user = factories.make_staff("teacher@example.org")
    views = Permission.objects.filter(
        content_type__app_label__in=APPS, codename__startswith="view_"
    )
    change = Permission.objects.get(content_type__app_label="plans", codename="change_action")
    decide = Permission.objects.get(content_type__app_label="judge", codename="add_rowdecision")
    user.user_permissions.set([*views, change, decide])
    return user
