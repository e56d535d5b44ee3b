"""Every list of the admin: it opens, searches, filters and sorts by each of its columns."""

import pytest
from django.contrib import admin
from django.urls import reverse

from elivio.admin import ReadOnlyAdmin
from judge.models import Appeal, CheckRun, RowDecision
from plans.models import (
    Action,
    ActionEdit,
    Completion,
    DailyUse,
    FollowUp,
    ModelSwitch,
    Plan,
    Reopening,
    Requirement,
    Week,
)
from sessions import transcript
from sessions.models import CopilotSession, MemorySummary, ProgressReport, Turn
from tests.admin.records import MODELS, WORDLESS, add_record, admin_of, complete, url_of

pytestmark = pytest.mark.django_db
PLAN = "week__plan__title"
DATED = [Plan, ActionEdit, Completion, Reopening, CheckRun, Appeal, RowDecision]
DATED += [CopilotSession, DailyUse]
SEARCHES = ["STATION", "' OR 1=1 -- %_\\", "{{ 7 }} ünï \u202e", "a\x00b"]
WRONG = [
    {"e": "1"},
    {"o": "99"},
    {"o": "1.x.-2"},
    {"p": "0"},
    {"p": "99999"},
    {"p": "x"},
    {"all": ""},
    {"_facets": "True"},
    {"id__exact": "not-an-id"},
    {"pk__in": "1,2"},
    {"nonsense": "1"},
    {"created_at__gte": "yesterday"},
    {"q": "x" * 5000},
]


def get_list(client, model, **query):
    response = client.get(reverse(url_of(model, "changelist")), query, follow=True)
    assert response.status_code == 200, (model, query, response.redirect_chain)
    return response


def ids_in(response):
    return [row.pk for row in response.context["cl"].result_list]


def test_every_model_is_registered_and_read_only():
    registered = {model: type(one) for model, one in admin.site._registry.items()}
    for model in MODELS:
        assert issubclass(registered[model], ReadOnlyAdmin), model
        assert registered[model].actions is None and not registered[model].inlines
    assert {model for model in MODELS if registered[model].date_hierarchy} == set(DATED)


def test_it_opens_and_has_a_page_for_each_row(root, record):
    for model in MODELS:
        rows = ids_in(get_list(root, model))
        assert rows, model
        for pk in rows:
            page = root.get(reverse(url_of(model, "change"), args=[pk]))
            assert page.status_code == 200, model
            assert page.context["adminform"].form.fields == {}
            history = root.get(reverse(url_of(model, "history"), args=[pk]))
            assert history.status_code == 200
        missing = root.get(reverse(url_of(model, "change"), args=["not-an-id"]))
        assert missing.status_code == 302


def test_it_sorts_by_every_column(root, record):
    """All columns of the list at once, from the first to the last and the other way."""
    for model in MODELS:
        columns = range(len(get_list(root, model).context["cl"].list_display))
        for order in (".".join(map(str, columns)), ".".join(f"-{number}" for number in columns)):
            assert ids_in(get_list(root, model, o=order)), model


def test_a_column_at_the_end_of_relations_really_sorts(root):
    plans = [add_record(title).plan for title in ("Beta", "Alpha", "Gamma")]
    columns = get_list(root, Action).context["cl"].list_display
    number = next(at for at, one in enumerate(columns) if getattr(one, "__name__", "") == PLAN)
    wanted = [plans[1], plans[0], plans[2]]
    for order, plan_order in ((f"{number}", wanted), (f"-{number}", wanted[::-1])):
        rows = get_list(root, Action, o=order).context["cl"].result_list
        assert [row.week.plan for row in rows] == plan_order


def test_choices_stand_in_words(root, record):
    for model in (Action, Completion):
        assert "Checked by plain rules (demo)" in get_list(root, model).content.decode()
    html = get_list(root, Reopening).content.decode()
    assert '<td class="field-completion__how">Checked</td>' in html
    html = get_list(root, Appeal).content.decode()
    assert '<td class="field-check_run__outcome">Failed</td>' in html


def test_a_long_turn_is_cut(root, record):
    session = record.session
    transcript.add_student_turn(session.pk, "x" * 160, None)
    transcript.add_student_turn(session.pk, "y" * 161, None)
    html = get_list(root, Turn).content.decode()
    assert ">" + "x" * 160 + "<" in html and ">" + "y" * 160 + "…<" in html


def test_every_choice_of_every_filter(root, record):
    for model in MODELS:
        changelist = get_list(root, model).context["cl"]
        links = [
            choice["query_string"]
            for spec in changelist.filter_specs
            for choice in spec.choices(changelist)
        ]
        assert links or not admin_of(model).list_filter
        for link in links:
            response = root.get(reverse(url_of(model, "changelist")) + link)
            assert response.status_code == 200, (model, link)


@pytest.mark.parametrize("model", DATED, ids=lambda model: model._meta.label)
def test_the_dates_drill_down(root, record, model):
    name = admin_of(model).date_hierarchy
    moment = getattr(model.objects.first(), name)
    query = {f"{name}__year": moment.year}
    assert ids_in(get_list(root, model, **query))
    query |= {f"{name}__month": moment.month, f"{name}__day": moment.day}
    assert ids_in(get_list(root, model, **query))
    for wrong in ("0", "x", "9" * 30):
        for part in ("year", "month", "day"):
            get_list(root, model, **query | {f"{name}__{part}": wrong})
        get_list(root, model, **{f"{name}__year": wrong})


def test_any_search_answers(root, record):
    for model in MODELS:
        for term in SEARCHES:
            get_list(root, model, q=term)


@pytest.mark.parametrize("model", [CheckRun, ProgressReport])
def test_any_wrong_address_answers(root, record, model):
    for query in WRONG:
        get_list(root, model, **query)


def test_an_unstorable_character_in_any_filter(root, record):
    for model in MODELS:
        changelist = get_list(root, model).context["cl"]
        names = {name for spec in changelist.filter_specs for name in spec.expected_parameters()}
        for name in names:
            get_list(root, model, **{name: "\x00"})


def test_it_finds_by_id_and_by_the_students_email(root, record):
    add_record()
    for model in MODELS:
        first = model.objects.order_by("pk").first()
        assert ids_in(get_list(root, model, q=f" {first.pk} ")) == [first.pk], model
        if model is ModelSwitch:  # is nobody's in particular
            continue
        found = ids_in(get_list(root, model, q=record.student.email))
        assert 0 < len(found) < model.objects.count(), model


def test_it_finds_by_the_titles(root):
    """Searching by what only one record's action, plan and texts say."""
    add_record("Alpha")
    add_record("Omega")
    for model in (model for model in MODELS if model not in WORDLESS):
        found = get_list(root, model, q="omega").context["cl"].result_list
        assert 0 < len(found) < model.objects.count(), model
        assert ids_in(get_list(root, model, q="omega alpha")) == [], model


def test_an_id_of_something_near_finds_too(root):
    """A plan's id finds its actions and checks, an action's id its turns and completions."""
    add_record()
    wanted = add_record()
    for row, models in {
        wanted.plan: (Week, Action, Completion, CheckRun, CopilotSession, MemorySummary, FollowUp),
        wanted.action: (Requirement, Completion, Reopening, CheckRun, Appeal, Turn, MemorySummary),
        wanted.session: (Turn, CheckRun),
        wanted.run: (Completion, Appeal),
    }.items():
        for model in models:
            found = ids_in(get_list(root, model, q=str(row.pk)))
            assert 0 < len(found) < model.objects.count(), (row, model)


def test_a_lookup_into_an_account_is_refused(root, record):
    list_url = reverse(url_of(Completion, "changelist"))
    response = root.get(list_url, {"confirmed_by__password__startswith": "m"})
    assert response.status_code == 400


def test_completions_without_audit_row_are_counted(root, superuser, record):
    assert "Every checked completion has its audit row." in str(get_list(root, Completion).content)
    action = Action.objects.get()
    action.reopen(by=superuser, reason="Again.")
    missing = complete(action, None)
    response = get_list(root, Completion, audit_missing__exact="1")
    assert ids_in(response) == [missing.pk]
    assert "<strong>1</strong> checked completion has no audit row." in response.content.decode()


def test_current_and_reopened_completions_are_told_apart(root, record):
    assert ids_in(get_list(root, Completion, state="current")) == [record.completion.pk]
    reopened = Completion.objects.exclude(pk=record.completion.pk).get()
    assert ids_in(get_list(root, Completion, state="reopened")) == [reopened.pk]
    assert len(ids_in(get_list(root, Completion, state="other"))) == 2


def test_a_list_leaves_long_columns_in_the_database(root, record, monkeypatch):
    """Control: without `list_defer` the same list loads them."""
    for deferred in ({"evidence", "request", "replies", "summary"}, set()):
        row = get_list(root, CheckRun).context["cl"].result_list[0]
        assert row.get_deferred_fields() == deferred
        monkeypatch.setattr(admin_of(CheckRun), "list_defer", ())


def test_autocomplete_takes_no_unstorable_character(root, record):
    query = {"app_label": "plans", "model_name": "week", "field_name": "plan", "term": "a\x00"}
    response = root.get(reverse("admin:autocomplete"), query)
    assert (response.status_code, response.json()["results"]) == (200, [])
