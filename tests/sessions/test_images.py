"""Pictures from outside: what is taken, what is made of it, and what hostile files can do."""

import base64
import io
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image, ImageDraw, PngImagePlugin

from sessions import images
from sessions.image_parts import has_few_parts
from sessions.images import ImageRefused, clean_base64, clean_image
from tests.sessions.hostile_images import (
    HOSTILE,
    PAGE,
    build,
    encode,
    plain,
    scans_without_end,
)

# Pillow remarks on what is wrong with these files; that is the point of them.
pytestmark = pytest.mark.filterwarnings("ignore")

CANARY = "the-canary-sings"
ORIENTATION, GPS = 0x112, 0x8825
NEAR = 8
# What undoes each orientation, told backwards: the upright picture as a phone would store it.
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def read(data: bytes) -> Image.Image:
    """The picture that is made of `data`."""
    return Image.open(io.BytesIO(clean_image(data).jpeg))


def assert_near(found, wanted) -> None:
    assert all(abs(one - two) <= NEAR for one, two in zip(found, wanted, strict=True)), found


def middle(image: Image.Image):
    return image.getpixel((image.width // 2, image.height // 2))


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_the_three_formats_become_jpeg(form):
    made = read(plain(form))
    assert (made.format, made.mode, made.size) == ("JPEG", "RGB", (200, 100))
    assert_near(middle(made), (0, 128, 128))


def test_a_large_picture_is_made_small():
    assert read(encode(Image.new("RGB", (3200, 1800)), "JPEG")).size == (1600, 900)
    assert read(encode(Image.new("RGB", (1000, 2000)), "PNG")).size == (800, 1600)


def metadata() -> dict[str, dict]:
    """Options that put the canary into each place a format has for words."""
    exif = Image.Exif()
    exif[0x010E] = CANARY
    exif[GPS] = {1: "N", 2: (52.0, 31.0, 12.0), 29: CANARY}
    words = PngImagePlugin.PngInfo()
    words.add_text("Author", CANARY)
    words.add_text("Packed", CANARY * 9, zip=True)
    words.add_itxt("Title", CANARY)
    profile = CANARY.encode() * 20
    shared = {"exif": exif, "icc_profile": profile, "xmp": f"<x>{CANARY}</x>".encode()}
    return {
        "JPEG": {**shared, "comment": CANARY},
        "WEBP": shared,
        "PNG": {"exif": exif, "icc_profile": profile, "pnginfo": words},
    }


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_no_metadata_goes_on(form):
    source = plain(form, **metadata()[form]) + CANARY.encode()
    assert CANARY.encode() in source
    assert {"exif", "icc_profile"} <= Image.open(io.BytesIO(source)).info.keys()
    made = clean_image(source).jpeg
    image = Image.open(io.BytesIO(made))
    assert CANARY.encode() not in made
    assert not image.getexif()
    assert not {"exif", "icc_profile", "xmp", "comment"} & image.info.keys()


def test_control_a_converted_picture_would_carry_its_comment_on():
    source = Image.open(io.BytesIO(plain("JPEG", comment=CANARY)))
    assert CANARY.encode() in encode(source.convert("RGB"), "JPEG")


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", STORED)
def test_a_phone_picture_is_upright(form, orientation):
    upright = Image.new("RGB", (200, 100), "white")
    upright.paste("red", (0, 0, 80, 40))
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    method = STORED[orientation]
    stored = upright.transpose(method) if method is not None else upright
    made = read(encode(stored, form, exif=exif))
    assert made.size == (200, 100)
    assert_near(made.getpixel((20, 15)), (254, 0, 0))
    # Control: the same pixels without the note stay as they lie.
    turned = read(encode(stored, form))
    same = turned.size == (200, 100) and turned.getpixel((20, 15))[1] < 100
    assert same == (orientation == 1)


@pytest.mark.parametrize("note", [b"", b"QQ*\0", b"MM\0*\0\0\0\x08\xff\xff\x01\x12"])
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_a_damaged_camera_note_costs_no_picture(form, note):
    assert read(plain(form, exif=b"Exif\0\0" + note)).size == (200, 100)


def test_of_a_phones_two_pictures_the_first_counts():
    """Phones put a depth or gain map behind the picture; Pillow calls such a JPEG an MPO."""
    hidden = [Image.new("RGB", (200, 100), "red")]
    data = plain("MPO", save_all=True, append_images=hidden)
    assert Image.open(io.BytesIO(data)).n_frames == 2
    assert_near(middle(read(data)), (0, 128, 128))


CLEAR = Image.new("RGBA", (90, 90), (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("image", "form", "options"),
    [
        (CLEAR, "PNG", {}),
        (CLEAR, "WEBP", {"lossless": True}),
        (Image.new("LA", (90, 90), (0, 0)), "PNG", {}),
        (CLEAR.quantize(), "PNG", {}),
        (Image.new("L", (90, 90)).quantize(), "PNG", {"transparency": 0}),
        (Image.new("RGB", (90, 90)), "PNG", {"transparency": (0, 0, 0)}),
        (Image.new("L", (90, 90)), "PNG", {"transparency": 0}),
    ],
)
def test_transparent_is_white(image, form, options):
    data = encode(image, form, **options)
    assert_near(middle(read(data)), (255, 255, 255))
    assert not clean_image(data).is_black
    # Control: a plain conversion shows what lies under the transparency, here black.
    assert_near(middle(Image.open(io.BytesIO(data)).convert("RGB")), (0, 0, 0))


def test_half_transparent_is_mixed_with_white():
    data = encode(Image.new("RGBA", (90, 90), (255, 0, 0, 128)), "PNG")
    assert_near(middle(read(data)), (255, 127, 127))


@pytest.mark.parametrize(
    ("image", "form", "colour"),
    [
        (Image.new("I;16", (90, 90), 32_768), "PNG", (128, 128, 128)),
        (Image.new("I;16", (90, 90), 65_535), "PNG", (255, 255, 255)),
        (Image.new("CMYK", (90, 90), (0, 255, 255, 0)), "JPEG", (254, 0, 0)),
        (Image.new("RGB", (90, 90), "olive").quantize(), "PNG", (128, 128, 0)),
        (Image.new("1", (90, 90), 1), "PNG", (255, 255, 255)),
        (Image.new("L", (90, 90), 77), "PNG", (77, 77, 77)),
        (Image.new("L", (90, 90), 77), "JPEG", (77, 77, 77)),
    ],
)
def test_every_kind_of_pixel_keeps_its_colour(image, form, colour):
    assert_near(middle(read(encode(image, form))), colour)


class TestBlack:
    def screen(self, ground, ink=None) -> bytes:
        image = Image.new("RGB", (1920, 1080), ground)
        if ink:
            ImageDraw.Draw(image).text((20, 20), "$ python manage.py test plans", fill=ink)
        return encode(image, "PNG")

    @pytest.mark.parametrize("ground", [(0, 0, 0), (9, 9, 9), (0, 0, 40)])
    def test_a_black_picture_is_found(self, ground):
        assert clean_image(self.screen(ground)).is_black

    def test_a_pointer_alone_shows_nothing(self):
        image = Image.new("RGB", (1920, 1080))
        ImageDraw.Draw(image).polygon([(500, 500), (500, 518), (511, 512)], fill="white")
        assert clean_image(encode(image, "PNG")).is_black

    @pytest.mark.parametrize(
        ("ground", "ink"),
        [
            ((0, 0, 0), (200, 200, 200)),
            ((12, 12, 12), (90, 90, 90)),
            ((13, 17, 23), (201, 209, 217)),
            ((30, 30, 30), None),
        ],
    )
    def test_a_dark_screen_is_not_black(self, ground, ink):
        assert not clean_image(self.screen(ground, ink)).is_black

    def test_control_a_mean_of_squares_would_call_a_terminal_black(self):
        image = Image.open(io.BytesIO(self.screen((12, 12, 12), (90, 90, 90))))
        assert image.convert("L").resize((64, 64)).getextrema()[1] < images.BRIGHT


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_or_taken_harmlessly(name):
    data, status = build(name), HOSTILE[name][1]
    started = time.process_time()
    if status is None:
        made = clean_image(data)
        assert PAGE not in made.jpeg
        assert max(read(data).size) <= images.LONGEST_SIDE
    else:
        with pytest.raises(ImageRefused) as refused:
            clean_image(data)
        assert refused.value.status == status
        assert re.fullmatch(r"[A-Z][^.]+\.( [A-Z][^.]+\.)?", str(refused.value))
    assert time.process_time() - started < 2


def test_control_scans_cost_time_when_they_are_not_counted():
    """Each costs about 30 bytes and a pass over the picture; 8 MB of them would take an hour."""

    def decode_for(scans: int) -> float:
        image = Image.open(io.BytesIO(scans_without_end(scans)))
        started = time.process_time()
        image.load()
        return time.process_time() - started

    assert not has_few_parts(scans_without_end(60))
    assert decode_for(60) > 2 * decode_for(0)


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_rows": 1}])
def test_an_honest_jpeg_has_few_parts(options):
    noise = Image.effect_noise((1200, 900), 90)
    assert has_few_parts(encode(noise, "JPEG", **options, **metadata()["JPEG"]))


def test_an_honest_png_has_few_parts():
    assert has_few_parts(encode(Image.effect_noise((1500, 2000), 90), "PNG", compress_level=1))


class TestBase64:
    def test_with_and_without_a_data_urls_head(self):
        body = base64.b64encode(plain("PNG")).decode()
        for text in (body, f"data:image/png;base64,{body}"):
            assert clean_base64(text).jpeg == clean_image(plain("PNG")).jpeg

    @pytest.mark.parametrize(
        "text", ["", "no base64!", "data:image/png;base64,", "é", "AAA", "x,y"]
    )
    def test_what_is_no_picture_is_refused(self, text):
        with pytest.raises(ImageRefused) as refused:
            clean_base64(text)
        assert refused.value.status in (415, 422)

    def test_more_than_8_mb_is_refused_before_it_is_decoded(self):
        with pytest.raises(ImageRefused) as refused:
            clean_base64("!" * (images.MOST_BYTES * 4 // 3 + 5))
        assert refused.value.status == 413


MEASURE = """
import resource, sys
from pathlib import Path
from PIL import Image
from sessions.images import ImageRefused, clean_image

def peak():
    # ru_maxrss begins with the parent's size on Linux, so it would hide what happens here.
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 * 1024)

how, *paths = sys.argv[1:]
clean_image(Path(paths[0]).read_bytes())
before = peak()
for path in paths[1:]:
    try:
        if how == "plain":
            Image.open(path).load()
        else:
            clean_image(Path(path).read_bytes())
    except ImageRefused:
        pass
print(peak() - before)
"""


def measure_growth(how: str, *paths: Path) -> int:
    """MiB by which the peak of a process of its own grows; the first picture is the start."""
    command = [sys.executable, "-W", "ignore", "-c", MEASURE, how, *map(str, paths)]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


class TestMemory:
    @pytest.fixture
    def files(self, tmp_path) -> dict[str, Path]:
        built = {"": plain("JPEG"), **{name: build(name) for name in HOSTILE}}
        for number, data in enumerate(built.values()):
            (tmp_path / str(number)).write_bytes(data)
        return {name: tmp_path / str(number) for number, name in enumerate(built)}

    def test_it_stays_flat_over_hostile_files(self, files):
        assert len(files) > 30
        assert measure_growth("guarded", *files.values()) < 64

    def test_control_without_the_guard_one_bomb_takes_it(self, files):
        assert measure_growth("plain", files[""], files["a bomb of 20 KiB"]) > 100

    def test_an_honest_picture_of_the_largest_size(self, tmp_path):
        start = tmp_path / "start"
        start.write_bytes(plain("JPEG"))
        large = Image.new("RGBA", (4000, 2500), (0, 90, 90, 200))
        (tmp_path / "PNG").write_bytes(encode(large, "PNG", compress_level=1))
        (tmp_path / "WEBP").write_bytes(encode(large, "WEBP", method=0))
        assert measure_growth("guarded", start, tmp_path / "PNG", tmp_path / "WEBP") < 220
