"""What there is to reach: one owner's rows of every kind, and the others who try."""

import secrets
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from judge.appeals import report_check
from judge.models import AppealFrame
from plans.examples import ROW_ID
from plans.models import Requirement
from plans.proof import share_plan
from sessions import pins, transcript
from sessions.images import CleanImage
from sessions.models import CopilotSession, MemorySummary
from tests import factories
from tests.access.routes import address_of
from tests.admin.records import APPS, JPEG, Record, add_record, add_run

TOKEN = "a" * 32
ADMIN = "admin/"


@dataclass
class World:
    """The owner's rows; `ids` are the values of the parameters that stand in the routes."""

    record: Record
    ids: dict[str, Any] = field(default_factory=dict)

    @property
    def owner(self) -> User:
        return self.record.student

    def address(self, path: str) -> str:
        return address_of(path, self.ids | self._admin_ids(path))

    def missing(self, path: str) -> str:
        """The address as it would be for rows that there are not."""
        return address_of(path, {name: _unlike(value) for name, value in self.ids.items()})

    def _admin_ids(self, path: str) -> dict[str, Any]:
        """A row of the model whose admin the route belongs to."""
        names = path.removeprefix(ADMIN).split("/")[:2]
        if not path.startswith(ADMIN) or names[0] not in apps.app_configs:
            return {}
        row = apps.get_model(*names).objects.order_by("pk").first() if len(names) == 2 else None
        return {"object_id": row.pk, "id": row.pk} if row else {}


def make_world() -> World:
    """A record of every model, and beside the completed action an open one in a session."""
    record = add_record()
    week = record.plan.weeks.create(number=2, title="Draw")
    rows = [("Shows the map", "shown"), ("Says what is missing", "written")]
    action = factories.make_action(week, "Draw the map", requirements=rows)
    factories.make_action(week, "Print the map")
    # The row that the examples of the API name; there is one world at a time.
    Requirement.objects.filter(pk=ROW_ID).delete()
    Requirement.objects.create(
        pk=ROW_ID, action=action, position=9, title="A row", evidence_kind="shown"
    )
    session = CopilotSession.objects.create(action=action, student=record.student)
    picture = pins.keep_picture(session, ROW_ID, CleanImage(JPEG, is_black=False))
    MemorySummary.objects.create(session=session, plan=record.plan, made="A sketch.")
    row = {"id": ROW_ID, "title": "A row", "status": "not_met", "note": "", "evidence": []}
    check = add_run(session, "Nothing yet.", checklist=[row])
    appeal = report_check(check.pk, by=record.student, requirement_id=uuid.UUID(ROW_ID))
    Group.objects.get_or_create(name="Readers")
    ids = {
        "plan_id": record.plan.pk,
        "action_id": action.pk,
        "week_id": week.pk,
        "session_id": session.pk,
        "check_id": check.pk,
        "turn_id": transcript.add_student_turn(session.pk, "My work.", None).pk,
        "picture_id": picture.pk,
        "draft_id": factories.make_draft(record.student).pk,
        "number": 1,
        "completion_id": record.completion.pk,
        "appeal_id": appeal.pk,
        "row_id": uuid.UUID(ROW_ID),
        "frame_id": AppealFrame.objects.get(appeal__student=record.student).pk,
        "token": share_plan(record.plan, by=record.student).token,
        "content_type_id": ContentType.objects.get_for_model(record.plan).pk,
        "object_id": record.plan.pk,
        "app_label": "plans",
        "rest": "nothing",
        "url": "nothing",
    }
    return World(record, ids)


def make_client(actor: str, world: World) -> Client:
    """A browser of this actor, with a CSRF cookie; the token beside it is for each request to send.
    But for the owner, who asks has no part in the world's rows."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies["csrftoken"] = TOKEN
    if actor == "guest":
        return client
    user = _make_user(actor, world)
    client.force_login(user)
    if actor == "off":
        User.objects.filter(pk=user.pk).update(is_active=False)
    return client


def _make_user(actor: str, world: World) -> User:
    match actor:
        case "owner":
            return world.owner
        case "off":
            # All rights and every row their own: only being switched off keeps them out.
            world.owner.is_staff = world.owner.is_superuser = True
            world.owner.save()
            return world.owner
        case "other":
            user = factories.make_student()
            factories.make_action(factories.make_plan(user))
            return user
        case "tutor":
            return _make_tutor()
        case "root":
            return factories.make_staff(is_superuser=True)
    return factories.make_staff()


def _make_tutor() -> User:
    """Staff with the rights to see every record, to reopen, and to decide appeals."""
    user = factories.make_staff()
    rights = Permission.objects.filter(content_type__app_label__in=APPS)
    views = rights.filter(codename__startswith="view_")
    acts = rights.filter(codename__in=("change_action", "add_rowdecision"))
    user.user_permissions.set([*views, *acts])
    return user


def _unlike(value: Any) -> Any:
    return uuid.uuid4() if isinstance(value, uuid.UUID) else secrets.token_urlsafe(24)
