"""Pictures from outside: opened with care, made small, drawn anew. Nothing of the original file
goes on, so neither does its metadata."""

import base64
import binascii
import io
from dataclasses import dataclass
from typing import Protocol

from PIL import Image, ImageOps, PngImagePlugin

from plans.errors import Refused
from sessions.image_parts import has_few_parts

PngImagePlugin.MAX_TEXT_MEMORY = 4 * 1024 * 1024  # unpacked text, which nobody here reads
MOST_BYTES = 8 * 1024 * 1024
MOST_PIXELS = 10_000_000
LONGEST_SIDE = 1600
FORMATS = ("JPEG", "PNG", "WEBP")
# A pixel this bright shows something; a mouse pointer alone on a black screen has fewer of them
# than one in ten thousand, and one line of a terminal has more.
BRIGHT = 24
LEAST_BRIGHT_SHARE = 0.0001

TOO_LARGE = "This picture is larger than 8 MB. Send a smaller one."
TOO_MANY_PIXELS = "This picture has too many pixels. Send a smaller one."
WRONG_FORMAT = "Send the picture as JPEG, PNG or WebP."
ANIMATED = "Send a still picture, not an animation."
UNREADABLE = "This picture could not be read. Take it again."


class ImageRefused(Refused):
    """A picture that is not taken: 413 too large, 415 not a picture we read, 422 broken."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class CleanImage:
    """A JPEG of at most LONGEST_SIDE pixels a side. `is_black`: it shows nothing."""

    jpeg: bytes
    is_black: bool


def clean_image(data: bytes) -> CleanImage:
    """Read a still picture, upright and on white. Raises ImageRefused."""
    if len(data) > MOST_BYTES:
        raise ImageRefused(TOO_LARGE, 413)
    if data and not _has_known_start(data):
        raise ImageRefused(WRONG_FORMAT, 415)
    if not has_few_parts(data):
        raise ImageRefused(UNREADABLE, 422)
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise ImageRefused(TOO_MANY_PIXELS, 413) from error
    except Exception as error:
        # A decoder may raise anything on a hostile file.
        raise ImageRefused(UNREADABLE, 422) from error
    if image.width * image.height > MOST_PIXELS:
        raise ImageRefused(TOO_MANY_PIXELS, 413)
    # Phones put a second, hidden picture behind the first one of a JPEG (MPO); the first counts.
    if image.format != "MPO" and getattr(image, "n_frames", 1) != 1:
        raise ImageRefused(ANIMATED, 422)
    try:
        return _draw_anew(image)
    except Exception as error:
        raise ImageRefused(UNREADABLE, 422) from error


def clean_upload(upload: Readable) -> CleanImage:
    """Read a picture from an uploaded file. Raises ImageRefused."""
    # One byte more than allowed says that it is too large, without reading all of it.
    return clean_image(upload.read(MOST_BYTES + 1))


def clean_base64(text: str) -> CleanImage:
    """Read a picture from base64, with or without a data URL's head. Raises ImageRefused."""
    head, comma, tail = text.partition(",")
    body = tail if comma and head.startswith("data:") else text
    if len(body) > MOST_BYTES * 4 // 3 + 4:
        raise ImageRefused(TOO_LARGE, 413)
    try:
        data = base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ImageRefused(UNREADABLE, 422) from error
    return clean_image(data)


def _has_known_start(data: bytes) -> bool:
    is_webp = data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    return is_webp or data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"))


def _draw_anew(image: Image.Image) -> CleanImage:
    image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    image.load()
    small = _with_eight_bits(image)
    # Made small before anything else, so that the full size is in memory as seldom as can be.
    small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    small = _turn_upright(small)
    sheet = Image.new("RGB", small.size, "white")
    sheet.paste(small, mask=small if small.mode == "RGBA" else None)
    out = io.BytesIO()
    sheet.save(out, "JPEG", quality=82)
    return CleanImage(out.getvalue(), is_black=_is_black(sheet))


def _with_eight_bits(image: Image.Image) -> Image.Image:
    """The picture as L, RGB or RGBA."""
    if image.mode.startswith("I"):
        # A plain conversion would cut everything above 255 of 65,535 to white.
        return image.point(lambda value: value / 256).convert("L")
    modes = ("RGBA",) if image.has_transparency_data else ("RGB", "L")
    return image if image.mode in modes else image.convert(modes[0])


def _turn_upright(image: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(image)
    except Exception:
        # A damaged note of the camera's says nothing about the picture itself.
        return image


def _is_black(image: Image.Image) -> bool:
    bright = sum(image.convert("L").histogram()[BRIGHT:])
    return bright < image.width * image.height * LEAST_BRIGHT_SHARE
