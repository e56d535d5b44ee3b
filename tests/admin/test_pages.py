"""The pages of single records: a checklist in words beside the evidence, and nothing that runs."""

import inspect
import re
from html import escape, unescape

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from elivio.settings import BASE_DIR
from judge import citations, policy
from judge.models import Appeal, AppealFrame, CheckRun
from judge.record import FAULTS
from plans.models import Action, Completion
from sessions.admin import NEWEST_TURNS
from sessions.erasure import erase_person
from sessions.models import Picture, ProgressReport, Turn
from tests import factories
from tests.admin.records import MODELS, WORDLESS, add_record, add_run, complete, url_of

pytestmark = pytest.mark.django_db
HOSTILE = (
    """<script>alert(1)</script></pre></bdi><img src=x onerror=alert(1)>"'><svg onload=alert(1)>""",
    "{{ request.user.password }}{% debug %}{% load static %}%(name)s %s {0} javascript:alert(1)",
    "]]>--><!--<iframe src=javascript:alert(1)> \u202e\u2066gnp.exe\u2069\u202c \u200bhid\u200bden",
)
ALIVE = ("<script>alert", "<img src=x", "<svg onload", "<iframe src=javascript", "<!--<iframe")


def read(client, row, query=""):
    response = client.get(reverse(url_of(type(row), "change"), args=[row.pk]) + query)
    assert response.status_code == 200
    return response.content.decode()


def words_of(html):
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


class TestCheckRun:
    def test_it_shows_the_checklist_in_words(self, root, record):
        words = words_of(read(root, record.run))
        assert "Not shown Give every station one status" in words
        assert "Open | 51 turn 1, 30 Nov 2026, 2:32 p.m." in words
        assert f"Evidence that did not hold: {FAULTS['black_frame']}" in words

    def test_it_shows_the_evidence_as_the_judge_read_it(self, root, record):
        html = read(root, record.run)
        texts = [part["text"] for part in record.run.request["parts"] if "text" in part]
        assert len(texts) >= 3
        for text in texts:
            assert f"<pre>{escape(text)}</pre>" in html
        picture = next(part["image"] for part in record.run.request["parts"] if "image" in part)
        assert f"{picture['bytes']} bytes, SHA-256 {picture['sha256']}" in html

    def test_it_shows_replies_and_cost(self, root, record):
        words = words_of(read(root, record.run))
        assert "Call 1, 812 ms, not_json : Give every station one status" in words
        assert "Prompt tokens 1234" in words and "Model gemini-3.8-flash" in words

    def test_it_says_what_was_odd(self, root, record):
        run = add_run(record.session, "x", is_stuck=True, all_met_mismatch=True)
        words = words_of(read(root, run))
        assert "the same rows were unmet twice" in words
        assert "its total is not what its rows say" in words

    @pytest.mark.parametrize("odd", [{}, [], None, "x", 1, {"parts": "x"}, {"parts": [1, {}]}])
    def test_it_opens_whatever_is_stored(self, root, record, odd):
        """Blanked by an erasure, or written before a column had its present form."""
        columns = {"request": odd, "replies": odd, "checklist": odd, "summary": ""}
        if odd is None:
            columns = {name: {} for name in columns} | {"summary": ""}
        run = add_run(record.session, "x", **columns)
        assert "No rows." in read(root, run)

    @pytest.mark.parametrize(
        "row",
        [
            {},
            {"status": "??", "title": None, "note": [], "evidence": {}, "faults": "x"},
            {"evidence": [1, {}, {"frame": 1}, {"turn": None, "quote": 3, "sentAt": "2026-13-45"}]},
            {"evidence": [{"frame": 2, "ageSeconds": 41}], "faults": ["unheard_of", 3]},
        ],
    )
    def test_it_opens_with_an_odd_row(self, root, record, row):
        run = add_run(record.session, "x", checklist=[row])
        assert "record-row" in read(root, run)
        assert root.get(reverse(url_of(CheckRun, "changelist"))).status_code == 200

    def test_every_fault_has_words(self):
        source = inspect.getsource(citations) + inspect.getsource(policy)
        codes = set(re.findall(r'(?:return |else )"([a-z_]+)"', source)) | set(
            re.findall(r'codes = \("([a-z_]+)",\)', source)
        )
        assert codes - {"passed", "failed"} == set(FAULTS)


class TestCompletion:
    def test_it_links_to_its_check(self, root, record):
        html = read(root, record.completion)
        assert reverse(url_of(CheckRun, "change"), args=[record.run.pk]) in html
        assert "Audit row missing" not in html
        assert "Checked by plain rules (demo)" in html
        assert "Met Give every station one status" in words_of(html)

    def test_it_says_when_the_audit_row_is_missing(self, root, superuser, record):
        Action.objects.get().reopen(by=superuser, reason="Again.")
        html = read(root, complete(record.action, None))
        assert "Audit row missing" in html
        assert "/judge/checkrun/" not in html.split('<div id="content-main">')[1]
        assert "Met Give every station one status" in words_of(html)

    def test_a_self_report_says_so(self, root):
        student = factories.make_student()
        action = factories.make_action(factories.make_plan(student))
        completion = action.update_status("completed", by=student, confirmed=True)
        assert "No check was involved" in read(root, completion)

    def test_a_reopened_one_says_why(self, root, record):
        reopened = Completion.objects.exclude(pk=record.completion.pk).get()
        assert reopened.reopening.by.email in read(root, reopened)


class TestOthers:
    def test_a_plan_lists_its_weeks_and_actions(self, root, record):
        html = read(root, record.plan)
        for row in (record.action, record.action.week):
            assert reverse(url_of(type(row), "change"), args=[row.pk]) in html

    def test_an_action_lists_its_requirements(self, root, record):
        requirement = record.action.requirements.get()
        html = read(root, record.action)
        assert reverse(url_of(type(requirement), "change"), args=[requirement.pk]) in html

    def test_a_proof_keeps_its_address(self, root, record):
        proof = record.plan.proofs.get()
        listed = root.get(reverse(url_of(type(proof), "changelist"))).content.decode()
        assert proof.token not in read(root, proof) and proof.token not in listed

    def test_an_appeal_shows_the_row_in_dispute(self, root, record):
        assert "The row in dispute" in read(root, Appeal.objects.get())
        Appeal.objects.create(check_run=record.run, student=record.student)
        html = read(root, Appeal.objects.get(requirement_id=None))
        assert "The check in dispute" in html and "The whole check" in html

    @pytest.mark.parametrize("model", [AppealFrame, Picture])
    def test_of_a_picture_the_bytes_are_not_even_read(self, root, record, model):
        with CaptureQueriesContext(connection) as queries:
            html = read(root, model.objects.defer("jpeg").get())
            listed = root.get(reverse(url_of(model, "changelist"))).content.decode()
        assert not any('"jpeg"' in query["sql"].partition(" FROM ")[0] for query in queries)
        assert "jpeg" not in words_of(html + listed).lower()

    def test_a_report_with_another_content_opens(self, root, record):
        for odd in ([], {}, {"done": 1, "open": [3, {}]}):
            ProgressReport.objects.update(content=odd)
            read(root, ProgressReport.objects.get())

    def test_a_session_shows_its_newest_turns(self, root, record):
        session = record.session
        Turn.objects.bulk_create(
            Turn(session=session, number=number, role="student", text=f"turn {number}")
            for number in range(10, NEWEST_TURNS + 20)
        )
        html = read(root, session)
        assert f"Newest {NEWEST_TURNS} turns" in html
        assert html.count('class="record-turn ') == NEWEST_TURNS
        assert f"turn {NEWEST_TURNS + 19}</pre>" in html

    def test_turns_need_their_own_permission(self, client_of, record):
        user = factories.make_staff()
        permission = Permission.objects.get(codename="view_copilotsession")
        user.user_permissions.add(permission)
        assert "record-turn" not in read(client_of(user), record.session)


def test_every_page_opens_after_an_erasure(root, superuser, record):
    erase_person(record.student, by=superuser, reason="Asked for.")
    record.student.refresh_from_db()
    for row in filter(None, one_of_each()):  # pictures are deleted
        read(root, row)
        listed = root.get(reverse(url_of(type(row), "changelist")), {"q": record.student.username})
        assert listed.status_code == 200
    assert "the words have been erased" in read(root, record.run)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_text(root, text):
    """Every list and every page holds the text escaped, character for character."""
    record = add_record(text)
    wordless = tuple(reverse(url_of(model, "changelist")) for model in WORDLESS)
    pages = [reverse(url_of(model, "changelist")) for model in MODELS]
    pages += [reverse(url_of(type(row), "change"), args=[row.pk]) for row in one_of_each()]
    pages.append(reverse("admin:plans_completion_reopen", args=[record.completion.pk]))
    for url in pages:
        html = root.get(url).content.decode()
        assert escape(text) in html or url.startswith(wordless), url
        assert not any(markup in html for markup in ALIVE), url


def one_of_each():
    return [model.objects.first() for model in MODELS]


def test_a_hostile_reason_is_shown_as_text(root, record):
    url = reverse("admin:plans_completion_reopen", args=[record.completion.pk])
    assert root.post(url, {"reason": HOSTILE[0]}).status_code == 302
    shown = [
        read(root, record.completion),
        root.get(reverse("admin:index")).content.decode(),
        root.get(reverse(url_of(Action, "history"), args=[record.action.pk])).content.decode(),
    ]
    assert escape(HOSTILE[0]) in shown[0]
    assert not any(markup in html for markup in ALIVE for html in shown)


def test_no_text_is_declared_safe():
    sources = [
        *BASE_DIR.glob("*/admin.py"),
        *BASE_DIR.glob("[jp]*/admin/*.py"),
        *(BASE_DIR / "templates/admin").rglob("*.html"),
    ]
    sources += [BASE_DIR / "plans/reopening.py", BASE_DIR / "judge/record.py"]
    assert len(sources) > 10
    for source in sources:
        text = source.read_text()
        assert not re.search(r"mark_safe|\|\s*safe\b|autoescape|SafeString\(", text), source
