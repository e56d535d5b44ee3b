"""The public page leaks nothing: a value of its own in every column there is, and only those on the
allow-list come out. What has no value of its own, like a boolean, is found by a second world."""

import uuid
from typing import Any

import pytest
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from plans.models import Plan
from plans.passed_check import CheckedRow
from tests.canaries import CHECKLIST, MODELS, Canary, World, columns_of, find_shown
from tests.public_columns import PRIVATE, PRIVATE_PARTS, PUBLIC, PUBLIC_PARTS

pytestmark = pytest.mark.django_db
FINISHED = {"checked", "by_rules", "self_reported"}
# What the page shows of the world: which column of which rows.
SHOWN = {
    ("plan", "plans.Plan.title"),
    ("plan", "plans.Plan.goal"),
    ("week", "plans.Week.number"),
    ("week", "plans.Week.title"),
    *((row, "plans.Action.title") for row in FINISHED),
    *((row, "plans.Completion.confirmed_at") for row in FINISHED),
    *((row, f"{CHECKLIST}.title") for row in ("checked", "by_rules")),
}
# Private columns that two worlds cannot differ in, and why none of them can be told from the page.
SAME = {
    "plans.Completion.sequence",  # the database counts it: 1 for every task that was never reopened
    f"{CHECKLIST}.status",  # every row of a Completion is met
}
DJANGOS_OWN = {"django_migrations"}


@pytest.fixture
def world():
    return World(0)


def get_page(world, client=None):
    return (client or Client()).get(reverse("plans:proof", args=[world.token]))


def find_unclassified(public, private):
    """Columns that stand in no list, in both, or nowhere but in a list."""
    there = {f"{model._meta.label}.{name}" for model in MODELS for name in columns_of(model)}
    shown, hidden = (
        {f"{label}.{name}" for label, names in listed.items() for name in names}
        for listed in (public, private)
    )
    return (there ^ (shown | hidden)) | (shown & hidden)


def test_every_column_is_classified():
    """A new column fails here until somebody says whether the world may see it."""
    assert find_unclassified(PUBLIC, PRIVATE) == set()


def test_every_part_of_a_checklist_is_classified():
    parts = set(CheckedRow(id="", title="", status="", decision_id=uuid.uuid4()).as_json())
    assert parts == PUBLIC_PARTS | PRIVATE_PARTS and not PUBLIC_PARTS & PRIVATE_PARTS


@pytest.mark.parametrize("column", ["plans.Plan.goal", "auth.User.email", "judge.CheckRun.replies"])
def test_control_a_column_in_no_list_or_in_both_is_found(column):
    label, name = column.rsplit(".", 1)
    without = [{**listed, label: listed.get(label, set()) - {name}} for listed in (PUBLIC, PRIVATE)]
    assert find_unclassified(*without) == {column}
    both = [{**listed, label: listed.get(label, set()) | {name}} for listed in (PUBLIC, PRIVATE)]
    assert find_unclassified(*both) == {column}


def test_every_table_and_column_of_the_database_belongs_to_a_model():
    """So that nothing stands where the introspection of models does not look."""
    modelled = {
        (model._meta.db_table, field.column)
        for model in MODELS
        for field in model._meta.concrete_fields
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE table_schema = current_schema()"
        )
        assert {row for row in cursor.fetchall() if row[0] not in DJANGOS_OWN} == modelled


def test_a_value_of_its_own_stands_in_every_column(world):
    """Each column has a mark in some row, or holds words of a fixed vocabulary."""
    marked, unmarked = (
        {one.column for one in world.canaries if bool(one.mark) is wanted}
        for wanted in (True, False)
    )
    everywhere = {f"{model._meta.label}.{name}" for model in MODELS for name in columns_of(model)}
    everywhere |= {f"{CHECKLIST}.{part}" for part in PUBLIC_PARTS | PRIVATE_PARTS}
    assert marked | unmarked == everywhere - {CHECKLIST}
    for column in unmarked - marked - {f"{CHECKLIST}.status"}:
        label, name = column.rsplit(".", 1)
        [model] = [model for model in MODELS if model._meta.label == label]
        field = model._meta.get_field(name)
        assert field.choices or field.get_internal_type() == "BooleanField", column


def test_the_values_really_stand_in_the_database(world):
    models = {model._meta.label: model for model in MODELS}
    for _, column, value in world.canaries:
        if column.startswith(CHECKLIST) or column in SAME or value is None:
            continue
        label, name = column.rsplit(".", 1)
        assert models[label]._base_manager.filter(**{name: value}).exists(), column


def test_only_what_is_on_the_list_is_shown(world):
    page = get_page(world)
    assert page.status_code == 200
    assert find_shown(page, world.canaries) == SHOWN
    listed = {f"{label}.{name}" for label, names in PUBLIC.items() for name in names}
    listed |= {f"{CHECKLIST}.{part}" for part in PUBLIC_PARTS}
    assert {column for _, column in SHOWN} == listed - {CHECKLIST, "plans.Completion.how"}


def test_whoever_reads(world):
    """Neither the owner's own login nor a login that is not theirs changes a byte."""
    owner = Client()
    owner.force_login(Plan.objects.get(pk=world.plan).owner)
    with_a_cookie = Client()
    with_a_cookie.cookies["sessionid"] = world.value_of("login", "sessions.Session.session_key")
    pages = [get_page(world, client) for client in (Client(), owner, with_a_cookie)]
    assert len({page.content for page in pages}) == 1
    for page in pages:
        assert find_shown(page, world.canaries) == SHOWN and not page.cookies


def test_the_refusals_show_nothing_at_all(world):
    withdrawn = world.value_of("withdrawn", "plans.Proof.token")
    gone = Client().get(reverse("plans:proof", args=[withdrawn]))
    assert gone.status_code == 404 and find_shown(gone, world.canaries) == set()
    refused = Client().post(reverse("plans:proof", args=[world.token]))
    assert refused.status_code == 405 and find_shown(refused, world.canaries) == set()


def test_two_worlds_with_the_same_public_values_have_the_same_page(world):
    """Whatever is private, also a boolean or a status, cannot be read off the page."""
    other = World(1)
    private = {f"{label}.{name}" for label, names in PRIVATE.items() for name in names}
    private |= {f"{CHECKLIST}.{part}" for part in PRIVATE_PARTS}
    same = {column for column in private if values_in(world, column) == values_in(other, column)}
    assert same <= SAME, "these columns differ nowhere, so the pages would not show a leak of them"
    page, its_page = get_page(world), get_page(other)
    assert page.content == its_page.content
    assert page.headers == its_page.headers


def values_in(world, column) -> list[Any]:
    return [one.value for one in world.canaries if one.column == column]


def test_control_a_leak_of_any_column_is_found(world):
    """Each marked value in turn, printed as a template prints it, on the real page."""
    leaked = set()
    for canary in {one.column: one for one in world.canaries if one.mark}.values():
        assert find_shown(leak(world, canary), [canary]), canary.column
        leaked.add(canary.column)
    assert len(leaked) > 100 and "auth.User.email" in leaked


def test_control_a_leak_of_a_boolean_is_found_by_the_second_world(world):
    other = World(1)
    pages = [
        leak(each, Canary("", "", each.value_of("checked", "plans.Completion.audit_missing")))
        for each in (world, other)
    ]
    assert pages[0].content != pages[1].content


def leak(world: World, canary: Canary):
    """The page with a value on it that does not belong there."""
    printed = Template("{{ value }}").render(Context({"value": canary.value}))
    Plan.objects.filter(pk=world.plan).update(title=printed[:200])
    return get_page(world)
