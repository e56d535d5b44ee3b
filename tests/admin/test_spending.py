"""Staff see what is used, set another ceiling for one student, and switch model calls off."""

import pytest
from django.urls import reverse
from django.utils import timezone

from plans.models import Allowance, DailyUse, ModelSwitch
from tests import factories
from tests.admin.records import url_of

pytestmark = pytest.mark.django_db
SWITCH = reverse(url_of(ModelSwitch, "add"))
ALLOWANCE = reverse(url_of(Allowance, "add"))


def test_the_list_shows_the_ceiling_that_counts_now(root, superuser):
    student = factories.make_student()
    today = timezone.localdate()
    DailyUse.objects.create(student=student, day=today, purpose="check", calls=7, refused=2)
    url = reverse(url_of(DailyUse, "changelist"))
    assert '<td class="field-ceiling">80</td>' in root.get(url).content.decode()
    data = {"student": student.pk, "purpose": "check", "daily_calls": 120, "reason": "Exam"}
    assert root.post(ALLOWANCE, data).status_code == 302
    assert Allowance.objects.get().by == superuser
    assert '<td class="field-ceiling">120</td>' in root.get(url).content.decode()


def test_the_switch_says_who_and_why(root, superuser):
    page = root.get(SWITCH).content.decode()
    assert "every check is undecided" in page
    assert root.post(SWITCH, {"is_off": "on", "reason": " "}).status_code == 200
    assert not ModelSwitch.objects.exists()
    assert root.post(SWITCH, {"is_off": "on", "reason": "The bill"}).status_code == 302
    switch = ModelSwitch.objects.get()
    assert (switch.is_off, switch.by, switch.reason) == (True, superuser, "The bill")


def test_a_name_of_somebody_else_is_not_taken(root, superuser):
    other = factories.make_staff()
    root.post(SWITCH, {"is_off": "on", "reason": "The bill", "by": other.pk})
    assert ModelSwitch.objects.get().by == superuser
