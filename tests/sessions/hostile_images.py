"""Hostile picture files by name, each with the status it is refused with, or None when it is taken
harmlessly. Built by hand, so that none needs much memory; must not import the product."""

import functools
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable

from PIL import Image

PNG = b"\x89PNG\r\n\x1a\n"
WEBP_CANVAS = b"WEBPVP8X\x0a\0\0\0\0\0\0\0"
PAGE = b"<html><script>alert(1)</script></html>"


def encode(image: Image.Image, form: str, **options) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, *extra: bytes, packed: bytes | None = None, bits: int = 8):
    """A grey PNG; its pixels are `packed`, or black ones."""
    if packed is None:
        packed = zlib.compress(bytes((1 + (width * bits + 7) // 8) * height))
    head = struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0)
    body = [chunk(b"IHDR", head), *extra, chunk(b"IDAT", packed), chunk(b"IEND", b"")]
    return PNG + b"".join(body)


def plain(form: str, **options) -> bytes:
    return encode(Image.new("RGB", (200, 100), "teal"), form, **options)


def animated(form: str) -> bytes:
    return plain(form, save_all=True, append_images=[Image.new("RGB", (200, 100), "red")])


def jpeg_of_sides(width: int, height: int) -> bytes:
    """A small JPEG whose head claims another size."""
    data = plain("JPEG")
    at = data.index(b"\xff\xc0")
    return data[: at + 5] + struct.pack(">HH", height, width) + data[at + 9 :]


def webp_of_sides(width: int, height: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = WEBP_CANVAS + sides + plain("WEBP")[12:]
    return b"RIFF" + struct.pack("<I", len(body)) + body


def scans_without_end(count: int) -> bytes:
    """A progressive JPEG that goes over its picture `count` times more."""
    data = encode(Image.new("L", (2000, 1500), 90), "JPEG", progressive=True)
    last = list(re.finditer(rb"\xff\xda", data))[-1].start()
    end = data.rindex(b"\xff\xd9")
    return data[:end] + data[last:end] * count + data[end:]


def broken(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("screen.png", plain("PNG"))
        packed.writestr("bomb", bytes(20_000_000))
    return out.getvalue()


def camera_note(entries: int) -> bytes:
    """Exif data whose directory claims 65,535 entries and has so many, each of them a gigabyte."""
    entry = struct.pack(">HHII", 0x9286, 7, 1_000_000_000, 8)
    body = struct.pack(">H", 65_535) + entry * entries
    return b"Exif\0\0MM\0*\0\0\0\x08" + body


def note_segment(note: bytes) -> bytes:
    return b"\xff\xe1" + struct.pack(">H", len(note) + 2) + note


def with_note(note: bytes) -> bytes:
    """A JPEG with this note of a camera in it, before anything else."""
    return b"\xff\xd8" + note_segment(note) + plain("JPEG")[2:]


@functools.cache
def build(name: str) -> bytes:
    return HOSTILE[name][0]()


def packed_text(size: int) -> bytes:
    return chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(size)))


HOSTILE: dict[str, tuple[Callable[[], bytes], int | None]] = {
    "a bomb of 20 KiB": (lambda: png(20_000, 8_900, bits=1), 413),
    "a PNG of four billion pixels": (lambda: png(65_535, 65_535, packed=b""), 413),
    "a JPEG of four billion pixels": (lambda: jpeg_of_sides(65_500, 65_500), 413),
    "a WebP of 268 million pixels": (lambda: webp_of_sides(16_384, 16_384), 413),
    "just over the pixel limit": (lambda: png(10_000_001, 1, bits=1), 413),
    "more than 8 MB": (lambda: plain("JPEG") + bytes(8 * 1024 * 1024), 413),
    "a GIF": (lambda: plain("GIF"), 415),
    "a BMP": (lambda: plain("BMP"), 415),
    "a TIFF": (lambda: plain("TIFF"), 415),
    "an SVG": (lambda: b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 415),
    "a PDF": (lambda: plain("PDF"), 415),
    "a PostScript file": (lambda: plain("EPS"), 415),
    "a page": (lambda: PAGE, 415),
    "an archive with a picture and a bomb": (archive, 415),
    "zero bytes, two million of them": (lambda: bytes(2_000_000), 415),
    "a PNG packed once more": (lambda: zlib.compress(plain("PNG")), 415),
    "a page with a picture behind it": (lambda: PAGE + plain("PNG"), 415),
    "half a JPEG": (lambda: plain("JPEG")[:-300], 422),
    "half a PNG": (lambda: plain("PNG")[:120], 422),
    "half a WebP": (lambda: plain("WEBP")[:40], 422),
    "nothing": (lambda: b"", 422),
    "a signature alone": (lambda: PNG, 422),
    "noise behind a JPEG's start": (lambda: b"\xff\xd8\xff\xe0" + bytes(range(256)) * 50, 422),
    "a wrong checksum in the head": (lambda: broken(plain("PNG"), 30), 422),
    "a wrong checksum in the pixels": (lambda: broken(plain("PNG"), 50), 422),
    "no width": (lambda: png(0, 10, packed=b""), 422),
    "an animated PNG": (lambda: animated("PNG"), 422),
    "an animated WebP": (lambda: animated("WEBP"), 422),
    "a text that unpacks to 50 MB": (lambda: png(9, 9, packed_text(50_000_000)), 422),
    "sixty texts of 1 MB": (lambda: png(9, 9, packed_text(1_000_000) * 60), 422),
    "600,000 chunks": (lambda: png(9, 9, chunk(b"abCd", b"") * 600_000), 422),
    "1,900,000 segments": (lambda: b"\xff\xd8" + b"\xff\xe1\0\2" * 1_900_000, 422),
    "8 MB of padding that lead nowhere": (lambda: b"\xff\xd8" + b"\xff" * 8_000_000 + b"\0", 422),
    "8 MB of nothing in a JPEG": (lambda: b"\xff\xd8\xff" + bytes(8_000_000), 422),
    "a scan behind a segment that ends in padding": (
        lambda: scans_without_end(200).replace(b"\xff\xda", b"\xff\xfe\0\3\xff\xff\xda"),
        422,
    ),
    "8 MB of padding": (lambda: b"\xff\xd8" + b"\xff" * 8_000_000 + plain("JPEG")[2:], 422),
    "2,000 scans": (lambda: scans_without_end(2_000), 422),
    "2,000 scans behind a marker without length": (
        lambda: scans_without_end(2_000).replace(b"\xff\xda", b"\xff\x01\xff\xda"),
        422,
    ),
    "6,000 notes of a camera": (
        lambda: b"\xff\xd8" + note_segment(camera_note(2)) * 6_000 + plain("JPEG")[2:],
        422,
    ),
    "a note of a camera that claims gigabytes": (lambda: with_note(camera_note(5_000)), None),
    "one pixel": (lambda: png(1, 1), None),
    "ten million pixels wide": (lambda: png(9_999_999, 1), None),
    "a JPEG of 65,500 by 1": (lambda: encode(Image.new("L", (65_500, 1)), "JPEG"), None),
    "pixels that unpack to 90 MB": (
        lambda: png(10, 10, packed=zlib.compress(bytes(90_000_000), 1)),
        None,
    ),
    "a JPEG that is a page too": (lambda: plain("JPEG", comment=PAGE) + PAGE, None),
    "a PNG that is an archive too": (lambda: plain("PNG") + b"PK\x03\x04" + PAGE, None),
}
