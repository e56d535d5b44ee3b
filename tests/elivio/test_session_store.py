"""A cookie that no session could have."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("value", [r'"aaaaaaaaaa\000"', "a" * 5, "é" * 20, "a b" * 8, "%00" * 9])
def test_an_impossible_session_cookie_is_a_visitor(value):
    client = Client(headers={"cookie": f"sessionid={value}"})
    assert client.get("/login/").status_code == 200
    assert client.get("/api/v1/plans").status_code == 401
