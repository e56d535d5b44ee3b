"""What was typed outlives a login that ran out, a page that is out of date and a form that is gone;
and nobody else reads it."""

import re
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from elivio import typed
from plans import editing
from plans.making.drafts import accept_draft
from plans.models import Action
from tests import factories
from tests.pages.reading import ask, hidden_of, text_of
from tests.pages.test_plan_pages import make_check

pytestmark = pytest.mark.django_db
TEXT = "Typed for an <hour>\nand a line more"
SHOWN = "Typed for an &lt;hour&gt;\nand a line more"
TEMPLATES = Path(__file__).parents[2] / "templates"

# The forms of the product that hold text, each with the field that the test types into.
FORMS = {
    "new plan": "description",
    "draft's text": "goal",
    "draft's week": "description",
    "task": "description",
    "new task": "description",
    "week": "description",
    "objection": "message",
}
# Those that keep their text themselves, for a session whose id they are kept under; and the boxes
# that nothing is sent from.
KEPT_OTHERWISE = {"sessions/_composer.html", "sessions/_agreement_form.html"}


@pytest.fixture(params=FORMS)
def form(request, student, action):
    """The address of a form, and the field to type into."""
    draft, check = factories.make_draft(student), make_check(action, "not_met", "met")
    factories.make_action(action.week, "Draw the map")
    urls = {
        "new plan": reverse("plans:new_plan"),
        "draft's text": reverse("plans:draft_text", args=[draft.pk]),
        "draft's week": reverse("plans:draft_week", args=[draft.pk, 1]),
        "task": reverse("plans:edit", args=[action.pk]),
        "new task": reverse("plans:new_task", args=[action.week_id]),
        "week": reverse("plans:week", args=[action.week_id]),
        "objection": reverse("judge:report", args=[check.pk]),
    }
    return urls[request.param], FORMS[request.param]


def sent_by(client, form):
    """What the form sends that this person was shown."""
    url, field = form
    return {"writer": hidden_of(client.get(url), "writer"), field: TEXT}


def log_in(visitor, user, response):
    answer = {"username": user.username, "password": factories.PASSWORD}
    return visitor.post(response["Location"], answer)


class TestAnExpiredLogin:
    def test_the_form_comes_back_as_it_was_typed_once(self, client, student, form):
        visitor, url = Client(), form[0]
        response = visitor.post(url, sent_by(client, form))
        assert response["Location"] == f"{reverse('login')}?next={url}"
        assert log_in(visitor, student, response)["Location"] == url
        visitor.head(url)
        assert SHOWN in visitor.get(url).content.decode()
        assert SHOWN not in visitor.get(url).content.decode()

    def test_nobody_else_who_logs_in_there_reads_it(self, client, form):
        visitor, other = Client(), factories.make_student()
        log_in(visitor, other, visitor.post(form[0], sent_by(client, form)))
        page = visitor.get(form[0])
        assert SHOWN not in page.content.decode()
        assert "Typed for" not in str(visitor.session.items())

    def test_under_htmx_the_whole_page_goes_to_the_form(self, client, student, form):
        url = form[0]
        visitor = Client()
        response = ask(visitor, "post", url, sent_by(client, form), page="/somewhere/")
        assert response["HX-Redirect"] == f"{reverse('login')}?next={url}"
        visitor.login(username=student.username, password=factories.PASSWORD)
        assert SHOWN in visitor.get(url).content.decode()

    @pytest.mark.parametrize("writer", [None, "", "1", "1:forged"])
    def test_a_stranger_fills_no_store(self, action, writer):
        url = reverse("plans:edit", args=[action.pk])
        sent = {"description": TEXT} | ({} if writer is None else {"writer": writer})
        assert Client().post(url, sent).status_code == 302
        assert not Session.objects.exists()

    def test_of_many_forms_the_newest_are_kept(self, client, student):
        visitor, week = Client(), factories.make_plan(student).weeks.get()
        tasks = [factories.make_action(week) for _ in range(typed.MOST_FORMS + 1)]
        forms = [(reverse("plans:edit", args=[task.pk]), "description") for task in tasks]
        for form in forms:
            visitor.post(form[0], sent_by(client, form))
        visitor.login(username=student.username, password=factories.PASSWORD)
        found = [SHOWN in visitor.get(url).content.decode() for url, _ in forms]
        assert found == [False, True, True, True]

    def test_a_text_beyond_all_that_can_be_saved_is_not_kept(self, client, action):
        form = (reverse("plans:edit", args=[action.pk]), "description")
        sent = sent_by(client, form)
        before = Session.objects.count()
        Client().post(form[0], {**sent, "description": "x" * (typed.LONGEST + 1)})
        assert Session.objects.count() == before


def test_a_page_that_is_out_of_date_leads_back_to_what_was_typed(student, form):
    client = Client(enforce_csrf_checks=True)
    client.force_login(student)
    page = client.post(form[0], sent_by(client, form))
    assert page.status_code == 403 and "what you typed is in the form" in text_of(page)
    assert f'href="{form[0]}"' in page.content.decode()
    assert SHOWN in client.get(form[0]).content.decode()


class TestAFormThatIsGone:
    @pytest.fixture
    def url(self, student, action):
        factories.make_action(action.week, "Draw the map")
        return reverse("plans:edit", args=[action.pk])

    def test_what_was_typed_is_given_back_to_be_copied(self, client, student, action, url):
        sent = {**sent_by(client, (url, "description")), "row_title": ["One row", ""]}
        editing.drop_task(student, action.pk)
        page = client.post(url, sent)
        assert page.status_code == 404 and "This is no longer here" in text_of(page)
        assert SHOWN in page.content.decode() and "One row" in text_of(page)
        assert sent["writer"] not in page.content.decode()

    def test_also_after_logging_in_again(self, client, student, action, url):
        visitor = Client()
        response = visitor.post(url, sent_by(client, (url, "description")))
        editing.drop_task(student, action.pk)
        log_in(visitor, student, response)
        page = visitor.get(url)
        assert page.status_code == 404 and SHOWN in page.content.decode()

    def test_a_message_to_a_task_that_was_dropped(self, client, student, session, url):
        editing.drop_task(student, session.action_id)
        page = client.post(reverse("sessions:turn", args=[session.pk]), {"text": TEXT})
        assert page.status_code == 404 and SHOWN in page.content.decode()
        assert not session.turns.exists()

    def test_lines_of_an_agreement_too(self, client, student, session, url):
        editing.drop_task(student, session.action_id)
        page = client.post(reverse("sessions:agreement", args=[session.pk]), {"line_1": TEXT})
        assert page.status_code == 404 and SHOWN in page.content.decode()

    def test_an_address_of_nothing_gives_nothing_back(self, client):
        page = client.get("/nowhere/", {"text": TEXT})
        assert "Your text" not in text_of(page) and "hour" not in text_of(page)

    def test_a_password_is_never_shown(self, client):
        page = client.post("/nowhere/", {"password": "a secret", "username": "m@example.org"})
        assert "a secret" not in page.content.decode()


def test_a_completed_task_shows_what_was_typed_with_the_reason(client, student, action):
    url, visitor = reverse("plans:edit", args=[action.pk]), Client()
    response = visitor.post(url, sent_by(client, (url, "description")))
    Action.objects.get(pk=action.pk).update_status("completed", by=student, confirmed=True)
    log_in(visitor, student, response)
    page = visitor.get(url)
    assert SHOWN in page.content.decode() and "This task is complete." in text_of(page)


@pytest.mark.parametrize(("name", "more"), [("draft_text", []), ("draft_week", [1])])
def test_a_draft_that_became_a_plan_meanwhile_gives_it_back(client, student, name, more):
    draft = factories.make_draft(student)
    url, visitor = reverse(f"plans:{name}", args=[draft.pk, *more]), Client()
    field = "goal" if name == "draft_text" else "description"
    response = visitor.post(url, sent_by(client, (url, field)))
    accept_draft(student, draft.pk)
    log_in(visitor, student, response)
    page = visitor.get(url)
    assert page.status_code == 409 and SHOWN in page.content.decode()
    assert "You accepted this plan already" in text_of(page)


def test_every_form_with_text_names_its_writer():
    """Or keeps its text otherwise. Staff's pages are Django's own."""
    texts = re.compile(r"<textarea(?![^>]*readonly)|type=\"text\"")
    for path in TEMPLATES.rglob("*.html"):
        name, html = str(path.relative_to(TEMPLATES)), path.read_text()
        for form in re.findall(r"<form\b.*?</form>", html, re.DOTALL):
            includes = re.findall(r'{% include "([^"]+)"', form)
            whole = form + "".join((TEMPLATES / each).read_text() for each in includes)
            if not texts.search(whole) or name.startswith("admin/") or name in KEPT_OTHERWISE:
                continue
            assert "{% writer %}" in form, name


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"x", "multipart/form-data"),
        (b"x", "multipart/form-data; boundary=" + "b" * 300),
        (b"&".join(b"a=%d" % at for at in range(2000)), "application/x-www-form-urlencoded"),
        (b"text=" + b"x" * (13 * 1024 * 1024), "application/x-www-form-urlencoded"),
        (b"text=%00%ff&writer=%00", "application/x-www-form-urlencoded"),
        (b"\x00\xff", "application/json"),
    ],
)
@pytest.mark.parametrize("path", ["/nowhere/", "/actions/{}/edit/", "/plans/new/"])
def test_a_body_that_cannot_be_read_is_no_fault_of_ours(client, action, path, body, kind):
    for visitor in (client, Client()):
        visitor.raise_request_exception = False
        answer = visitor.post(path.format(action.pk), body, content_type=kind)
        assert answer.status_code < 500
