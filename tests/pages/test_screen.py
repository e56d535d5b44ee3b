"""The student's screen on the session page, without a script: age, kept pictures, marks."""

import io
import json
import time

import pytest
import redis
from django.conf import settings as django_settings
from django.urls import reverse
from PIL import Image

from judge.evidence import OLDEST_FRAME_SECONDS
from plans.models import Requirement
from sessions import frames, pins
from sessions.images import LONGEST_SIDE, CleanImage
from sessions.lifecycle import end_session
from sessions.models import CopilotSession, Picture, Turn
from sessions.transcript import MOST_PINS, add_student_turn
from tests import factories
from tests.api.calling import make_picture
from tests.pages.reading import ask, buttons_of, ids_of, text_of

pytestmark = pytest.mark.django_db
SCREEN = CleanImage(b"jpeg bytes", is_black=False)


@pytest.fixture
def page_url(session):
    return reverse("sessions:session", args=[session.pk])


@pytest.fixture
def pictures_url(session):
    return reverse("sessions:pictures", args=[session.pk])


@pytest.fixture
def row(action) -> Requirement:
    return action.requirements.get(evidence_kind="shown")


@pytest.fixture
def turn(session) -> Turn:
    return add_student_turn(session.pk, "My work.", None)


def store_aged(session, seconds: int) -> None:
    head = json.dumps({"isBlack": False, "receivedAt": time.time() - seconds})
    valkey = redis.Redis.from_url(django_settings.REDIS_URL)
    valkey.lpush(f"elivio:frames:{session.pk}", head.encode() + b"\njpeg")


def pin_url(turn) -> str:
    return reverse("sessions:pin", args=[turn.session_id, turn.pk])


class TestTheNewestPicture:
    def test_its_age_is_said(self, client, session, page_url):
        assert "data-newest hidden" in client.get(page_url).content.decode()
        store_aged(session, 200)
        page = client.get(page_url)
        assert "Newest picture of your screen: 3 minutes ago" in text_of(page)
        assert "data-newest>" in page.content.decode()
        assert "data-old hidden" in page.content.decode()

    def test_and_that_it_is_too_old(self, client, session, page_url):
        store_aged(session, OLDEST_FRAME_SECONDS + 5)
        assert "data-old>" in client.get(page_url).content.decode()

    def test_the_page_stands_without_valkey(self, client, session, page_url, settings):
        store_aged(session, 5)
        settings.REDIS_URL = "redis://127.0.0.1:1/0"
        page = client.get(page_url)
        assert page.status_code == 200 and "data-newest hidden" in page.content.decode()

    def test_what_the_script_needs_comes_from_the_server(self, client, session, page_url):
        page = client.get(page_url).content.decode()
        assert f'data-every="{frames.SHARE_SECONDS}"' in page and frames.SHARE_SECONDS == 15
        assert f'data-longest="{LONGEST_SIDE}"' in page
        assert f'data-frames="/api/v1/sessions/{session.pk}/frames"' in page
        assert "<noscript><p" in page
        assert page.count("data-fresh-frame") == 2

    def test_a_task_of_words_alone_asks_for_no_screen(self, client, action, page_url):
        assert "screen" in ids_of(client.get(page_url))
        Requirement.objects.filter(action=action).update(evidence_kind="written")
        assert "screen" not in ids_of(client.get(page_url))

    def test_an_ended_session_offers_nothing(self, client, session, page_url, turn):
        pins.pin_turn(session, turn.pk)
        end_session(session, CopilotSession.EndReason.STUDENT)
        page = client.get(page_url)
        assert "pictures" not in ids_of(page) and "Unmark" not in buttons_of(page)
        assert "Marked as my work" in text_of(page)


class TestPictures:
    def test_kept_by_a_plain_form(self, client, page_url, pictures_url, row):
        sent = {"image": make_picture(), "requirement": row.pk}
        response = client.post(pictures_url, sent)
        assert response["Location"] == f"{page_url}#screen"
        page = client.get(page_url)
        assert "Kept. Every check sees this picture" in text_of(page)
        assert "Pictures for a row (1)" in text_of(page)
        kept = Picture.objects.get()
        assert (kept.requirement, kept.jpeg[:2]) == (row, b"\xff\xd8")

    def test_under_htmx_the_list_is_swapped(self, client, page_url, pictures_url, row):
        sent = {"image": make_picture(), "requirement": row.pk}
        response = ask(client, "post", pictures_url, sent, page=page_url)
        assert response.status_code == 200
        assert response.content.lstrip().startswith(b'<details id="pictures"')
        assert b"open>" in response.content[:80] and "live" in ids_of(response)
        assert f"Your picture for “{row.title}”" in response.content.decode()

    @pytest.mark.parametrize(
        ("sent", "sentence"),
        [
            ({}, "Choose a picture first."),
            ({"image": "text"}, "Choose a picture first."),
            ({"image": lambda: make_picture("GIF")}, "Send the picture as JPEG, PNG or WebP."),
            ({"image": lambda: make_picture(colour="black")}, "This picture is black."),
            ({"image": make_picture, "requirement": "x"}, "no longer part of the task"),
            ({"image": make_picture, "requirement": "written"}, "asks for your own words"),
        ],
    )
    def test_what_is_refused_is_said(
        self, client, action, page_url, pictures_url, row, sent, sentence
    ):
        sent = {"requirement": row.pk, **sent}
        if sent["requirement"] == "written":
            sent["requirement"] = action.requirements.get(evidence_kind="written").pk
        values = {name: value() if callable(value) else value for name, value in sent.items()}
        response = ask(client, "post", pictures_url, values, page=page_url)
        assert response.status_code == 422 and sentence in text_of(response)
        again = {name: value() if callable(value) else value for name, value in sent.items()}
        page = client.post(pictures_url, again, follow=True)
        assert sentence in text_of(page) and not Picture.objects.exists()

    def test_a_row_that_went_meanwhile(self, client, pictures_url, row):
        sent = {"image": make_picture(), "requirement": row.pk}
        row.delete()
        assert "no longer part of the task" in text_of(ask(client, "post", pictures_url, sent))

    def test_shown_to_their_student_alone(self, client, session, row):
        picture = pins.keep_picture(session, row.pk, SCREEN)
        url = reverse("sessions:picture", args=[session.pk, picture.pk])
        shown = client.get(url)
        assert (shown.status_code, shown.content) == (200, SCREEN.jpeg)
        assert shown["Content-Type"] == "image/jpeg"
        assert shown["X-Content-Type-Options"] == "nosniff"
        assert shown["Cache-Control"] == "private, no-store"
        assert shown["Cross-Origin-Resource-Policy"] == "same-origin"
        client.force_login(factories.make_staff(is_superuser=True))
        assert client.get(url).status_code == 404
        client.logout()
        assert "/login/" in client.get(url)["Location"]

    def test_removed(self, client, session, row, page_url):
        picture = pins.keep_picture(session, row.pk, SCREEN)
        url = reverse("sessions:remove_picture", args=[session.pk, picture.pk])
        for _ in range(2):
            response = ask(client, "post", url, page=page_url)
            assert response.status_code == 200 and "Picture removed." in text_of(response)
        assert not Picture.objects.exists()

    def test_an_ended_session_keeps_none(self, client, session, pictures_url, page_url, row):
        end_session(session, CopilotSession.EndReason.STUDENT)
        sent = {"image": make_picture(), "requirement": row.pk}
        response = ask(client, "post", pictures_url, sent, page=page_url)
        assert response["HX-Redirect"] == page_url and not Picture.objects.exists()
        assert "This session has ended" in text_of(client.get(page_url))

    def test_nothing_of_the_file_goes_on(self, client, pictures_url, row):
        exif = Image.Exif()
        exif[0x010E] = "Taken at home"
        file = io.BytesIO()
        Image.new("RGB", (40, 30), "teal").save(file, "JPEG", exif=exif, comment=b"at home")
        assert file.getvalue().count(b"at home") == 2  # the control: it was there
        file.seek(0)
        file.name = "home.jpg"
        client.post(pictures_url, {"image": file, "requirement": row.pk})
        assert b"at home" not in bytes(Picture.objects.get().jpeg)


class TestMarks:
    def test_by_a_plain_form(self, client, turn, page_url):
        response = client.post(pin_url(turn), {"mark": "1"})
        assert response["Location"] == f"{page_url}#turn-1"
        page = client.get(page_url)
        assert "Marked. Every check reads this message." in text_of(page)
        assert "Unmark" in buttons_of(page) and "Mark as my work" not in buttons_of(page)
        client.post(pin_url(turn), {"mark": "0"})
        assert "Mark as my work" in buttons_of(client.get(page_url))

    def test_under_htmx_the_button_alone_is_swapped(self, client, turn, page_url):
        response = ask(client, "post", pin_url(turn), {"mark": "1"}, page=page_url)
        assert response.content.lstrip().startswith(b'<form class="pin"')
        assert buttons_of(response)["Unmark"]["id"] == "pin-1"
        turn.refresh_from_db()
        assert turn.pinned_at

    def test_there_is_an_end_to_it(self, client, session, turn, page_url):
        for _ in range(MOST_PINS):
            pins.pin_turn(session, add_student_turn(session.pk, "More.", None).pk)
        response = ask(client, "post", pin_url(turn), {"mark": "1"}, page=page_url)
        assert response.status_code == 409 and "Unmark something first" in text_of(response)
        assert "Mark as my work" in buttons_of(response)

    def test_the_copilots_words_have_no_button(self, client, session, turn, page_url):
        reply = Turn.objects.create(session=session, number=2, role="copilot", text="Nice.")
        assert {"pin-1"} == {name for name in ids_of(client.get(page_url)) if "pin" in name}
        assert client.post(pin_url(reply), {"mark": "1"}).status_code == 404

    def test_what_it_is_for_is_said_once(self, client, turn, session, page_url):
        add_student_turn(session.pk, "More.", None)
        assert text_of(client.get(page_url)).count("that you mark as your work") == 1
