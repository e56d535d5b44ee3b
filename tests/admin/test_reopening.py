"""Staff reopen one completion, with a reason."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.urls import reverse

from plans.errors import ReopenRefused
from plans.models import Action, Completion, FollowUp, Plan, Reopening, Status, Week
from plans.reopening import ENDED, NOT_THIS_ONE, reopen_completion
from tests import factories
from tests.admin.records import complete, url_of

pytestmark = pytest.mark.django_db
REASON = "The screenshot showed another project."


@pytest.fixture
def visitor(teacher, client_of):
    return client_of(teacher)


@pytest.fixture
def url(record):
    return reverse("admin:plans_completion_reopen", args=[record.completion.pk])


def said(response):
    """The newest message of the page."""
    return [str(message) for message in response.context["messages"]][-1]


def test_the_way_from_the_action_and_from_the_completion(visitor, record, url):
    action = reverse(url_of(Action, "change"), args=[record.action.pk])
    completion = reverse(url_of(Completion, "change"), args=[record.completion.pk])
    for page in (action, completion):
        assert f'href="{url}"' in visitor.get(page).content.decode()
    page = visitor.get(url)
    assert page.status_code == 200
    assert record.action.title in page.content.decode()
    assert record.student.email in page.content.decode()


def test_it_reopens_with_the_reason(visitor, teacher, record, url):
    follow_ups = FollowUp.objects.count()
    response = visitor.post(url, {"reason": f"  {REASON}\n"}, follow=True)
    assert response.redirect_chain == [
        (reverse(url_of(Action, "change"), args=[record.action.pk]), 302)
    ]
    assert said(response) == f"<bdi>{record.action.title}</bdi> is open again, and in progress."
    reopening = Reopening.objects.get(completion=record.completion)
    assert (reopening.by, reopening.reason) == (teacher, REASON)
    action = Action.objects.get()
    assert (action.status, action.current_completion) == (Status.IN_PROGRESS, None)
    assert Week.objects.get().completed_at is None and Plan.objects.get().completed_at is None
    assert FollowUp.objects.count() == follow_ups + 1
    entry = LogEntry.objects.get()
    assert (entry.user, entry.get_edited_object()) == (teacher, action)
    assert entry.get_change_message() == "Reopened."


def test_the_way_is_gone_afterwards(visitor, record, url):
    visitor.post(url, {"reason": REASON})
    for model, row in ((Action, record.action), (Completion, record.completion)):
        page = visitor.get(reverse(url_of(model, "change"), args=[row.pk]))
        assert url not in page.content.decode()
    assert said(visitor.get(url, follow=True)) == ENDED


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 501, "a\x00b"])
def test_without_a_fit_reason_it_asks_again(visitor, record, url, reason):
    before = Reopening.objects.count()
    response = visitor.post(url, {"reason": reason})
    assert response.status_code == 200
    assert response.context["form"].errors["reason"]
    assert Reopening.objects.count() == before
    assert not LogEntry.objects.exists()


def test_a_second_tap_is_told_so(visitor, record, url):
    visitor.post(url, {"reason": REASON})
    response = visitor.post(url, {"reason": REASON}, follow=True)
    assert said(response) == "This task is not complete, so there is nothing to take back."
    assert Reopening.objects.filter(completion=record.completion).count() == 1
    assert LogEntry.objects.count() == 1


def test_a_newer_completion_is_not_reopened_unseen(visitor, teacher, record, url):
    """The page was opened on one completion; by the tap another one is current."""
    visitor.post(url, {"reason": REASON})
    newer = complete(record.action, record.run)
    counts = Reopening.objects.count(), FollowUp.objects.count(), LogEntry.objects.count()
    response = visitor.post(url, {"reason": REASON}, follow=True)
    assert said(response) == NOT_THIS_ONE
    action = Action.objects.get()
    assert (action.status, action.current_completion) == (Status.COMPLETED, newer)
    assert Week.objects.get().completed_at
    now = Reopening.objects.count(), FollowUp.objects.count(), LogEntry.objects.count()
    assert now == counts
    with pytest.raises(ReopenRefused):
        reopen_completion(record.completion, by=teacher, reason=REASON)
    action.reopen(by=teacher, reason=REASON)  # control: the model alone would have taken it


def test_it_needs_a_token(teacher, client_of, record, url):
    visitor = client_of(teacher, enforce_csrf_checks=True)
    assert visitor.post(url, {"reason": REASON}).status_code == 403
    assert not Reopening.objects.filter(completion=record.completion).exists()
    visitor.get(url)
    token = visitor.cookies["csrftoken"].value
    response = visitor.post(url, {"reason": REASON, "csrfmiddlewaretoken": token})
    assert response.status_code == 302
    assert Reopening.objects.filter(completion=record.completion).exists()


@pytest.mark.parametrize("codename", ["view_completion", "change_action", ""])
def test_half_the_permissions_are_not_enough(client_of, record, url, codename):
    user = factories.make_staff()
    user.user_permissions.set(
        Permission.objects.filter(content_type__app_label="plans", codename=codename)
    )
    visitor = client_of(user)
    assert visitor.get(url).status_code == 403
    assert visitor.post(url, {"reason": REASON}).status_code == 403
    assert not Reopening.objects.filter(completion=record.completion).exists()


def test_permissions_without_staff_are_not_enough(client_of, teacher, record, url):
    type(teacher).objects.filter(pk=teacher.pk).update(is_staff=False)
    visitor = client_of(teacher)
    for response in (visitor.get(url), visitor.post(url, {"reason": REASON})):
        assert response.url.startswith(reverse("admin:login"))
    assert not Reopening.objects.filter(completion=record.completion).exists()


def test_the_owner_and_a_stranger_do_not_reach_it(client, client_of, record, url):
    for visitor in (client, client_of(record.student), client_of(factories.make_student())):
        response = visitor.post(url, {"reason": REASON})
        assert response.url.startswith(reverse("admin:login"))
    assert not Reopening.objects.filter(completion=record.completion).exists()


def test_a_viewer_is_not_offered_it(client_of, record, url):
    user = factories.make_staff()
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    visitor = client_of(user)
    for model, row in ((Action, record.action), (Completion, record.completion)):
        page = visitor.get(reverse(url_of(model, "change"), args=[row.pk]))
        assert page.status_code == 200
        assert url not in page.content.decode()


def test_a_superuser_may(root, record, url):
    assert root.post(url, {"reason": REASON}).status_code == 302
    assert Reopening.objects.filter(completion=record.completion).exists()


def test_a_missing_completion_is_not_found(visitor, record):
    url = reverse("admin:plans_completion_reopen", args=[record.run.pk])
    assert visitor.get(url).status_code == 404
