"""Pictures of the shared screen: taken, refused with a reason, or sent when Valkey is away."""

import io
import time
import uuid

import pytest
from PIL import Image

from sessions import frames, images
from tests.api.calling import make_picture

pytestmark = pytest.mark.django_db


def make_file(data: bytes, name: str = "screen.png") -> io.BytesIO:
    file = io.BytesIO(data)
    file.name = name
    return file


def make_animation() -> io.BytesIO:
    out = io.BytesIO()
    first, *more = [Image.new("RGB", (9, 9), colour) for colour in ("red", "blue")]
    first.save(out, "PNG", save_all=True, append_images=more)
    return make_file(out.getvalue())


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_kept(caller, checks_path, session_id, kind):
    before = time.time()
    got = caller.upload(checks_path("frames"), image=make_picture(kind))
    assert (got.status_code, set(got.json())) == (201, {"receivedAt"})
    assert got.json()["receivedAt"].endswith("Z")
    (frame,) = frames.read_frames(uuid.UUID(session_id))
    assert before <= frame.received_at <= time.time()
    assert frame.jpeg.startswith(b"\xff\xd8")


def test_a_closed_session_takes_none(caller, checks_path, session_id):
    caller.post(checks_path("end"))
    got = caller.upload(checks_path("frames"), image=make_picture())
    assert (got.status_code, got.json()["code"]) == (409, "session_closed")
    assert frames.read_frames(uuid.UUID(session_id)) == []


@pytest.mark.parametrize(
    ("status", "file"),
    [
        (413, lambda: make_file(b"\x89PNG\r\n\x1a\n" + b"x" * images.MOST_BYTES)),
        (413, lambda: make_file(b"x" * (3 * images.MOST_BYTES))),
        (413, lambda: make_picture(size=(4000, 2501))),
        (415, lambda: make_file(b"plain text", "screen.png")),
        (415, lambda: make_file(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "screen.svg")),
        (415, lambda: make_picture("GIF")),
        (415, lambda: make_picture("BMP")),
        (422, lambda: make_file(b"", "empty.png")),
        (422, lambda: make_file(make_picture(size=(300, 300)).read()[:-300])),
        (422, make_animation),
    ],
)
def test_a_bad_picture_is_refused_with_a_reason(caller, checks_path, session_id, status, file):
    got = caller.upload(checks_path("frames"), image=file())
    assert (got.status_code, got.json()["code"]) == (status, "image_refused")
    assert got.json()["detail"].endswith(".")
    assert frames.read_frames(uuid.UUID(session_id)) == []


def test_the_field_is_image_and_a_file(caller, checks_path):
    path = checks_path("frames")
    answers = [
        caller.upload(path),
        caller.upload(path, picture=make_picture()),
        caller.upload(path, image="text"),
        caller.post(path, {"image": "text"}),
        caller.post(path),
        caller.send("POST", path, b"\0\xff", "application/octet-stream"),
    ]
    for got in answers:
        assert got.status_code == 422
        assert got.json()["fields"] == {"image": "image is missing."}


def test_valkey_away_is_said(caller, checks_path, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    got = caller.upload(checks_path("frames"), image=make_picture())
    assert (got.status_code, got.json()["code"]) == (503, "frames_unavailable")
    assert got.json()["detail"].endswith(".")


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=", b"x"),
        ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data"),
        ("multipart/form-data; boundary=b", b"--b\r\n\r\n\r\n--b--"),
        (
            "multipart/form-data; boundary=b; charset=hex",
            b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b--\r\n',
        ),
        ("multipart/form-data; boundary=\xe9", b"x"),
        ("multipart/form-data; boundary=" + "b" * 3000, b"x"),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="image"; filename="\0.png"\r\n'
            b"Content-Transfer-Encoding: base64\r\n\r\n!!!!\r\n--b--\r\n",
        ),
        (
            "multipart/form-data; boundary=b",
            b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n' * 1200 + b"--b--\r\n",
        ),
    ],
)
def test_a_broken_form_is_refused(caller, checks_path, kind, raw):
    got = caller.send("POST", checks_path("frames"), raw, kind)
    assert got.status_code in (400, 415, 422), got.content
    assert set(got.json()) >= {"detail", "code"}
