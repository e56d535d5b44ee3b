"""Pictures of case files, made what the product makes of a picture before a judge sees it.

The files are the operator's own, so this only refuses what is no picture.
"""

import io
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

LONGEST_SIDE = 1600
FORMATS = ("JPEG", "PNG", "WEBP")
BRIGHT = 24
LEAST_BRIGHT_SHARE = 0.0001


class PictureRefused(Exception):
    """Not a JPEG, PNG or WebP picture that can be opened."""


@dataclass(frozen=True, slots=True)
class Picture:
    jpeg: bytes
    is_black: bool


def read_picture(data: bytes) -> Picture:
    """The picture as a JPEG of at most LONGEST_SIDE pixels a side. Raises PictureRefused."""
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            small = _draw_on_white(ImageOps.exif_transpose(image))
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError) as error:
        raise PictureRefused(str(error)) from error
    small.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    out = io.BytesIO()
    small.save(out, "JPEG", quality=82)
    return Picture(out.getvalue(), _is_black(small))


def _draw_on_white(image: Image.Image) -> Image.Image:
    if not image.has_transparency_data:
        return image.convert("RGB")
    sheet = Image.new("RGB", image.size, "white")
    clear = image.convert("RGBA")
    sheet.paste(clear, mask=clear)
    return sheet


def _is_black(image: Image.Image) -> bool:
    bright = sum(image.convert("L").histogram()[BRIGHT:])
    return bright < image.width * image.height * LEAST_BRIGHT_SHARE
