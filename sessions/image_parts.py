"""The parts of a picture file, counted before a decoder sees them: its time and memory grow with
their number, and a small file can hold a hundred thousand. Decodes nothing."""

import re

MOST_SEGMENTS = 2_000
MOST_SCANS = 64  # a progressive JPEG has about ten, and each costs a pass over the whole picture
MOST_JUNK = 64  # bytes before a segment
MOST_CHUNKS = 20_000

# Without a repeat, or a long run of padding would be gone over from each of its bytes.
_MARKER = re.compile(rb"\xff([^\x00\xd0-\xd7\xff])")
_SCAN, _END = b"\xda", b"\xd9"
_WITHOUT_LENGTH = frozenset({b"\x01", b"\xd8"})


def has_few_parts(data: bytes) -> bool:
    """Whether a JPEG or PNG has no more parts than an honest one may have. Of other data it knows
    nothing, and says yes."""
    if data.startswith(b"\xff\xd8"):
        return _has_few_segments(data)
    if data.startswith(b"\x89PNG"):
        return _has_few_chunks(data)
    return True


def _has_few_segments(data: bytes) -> bool:
    at, scans = 2, 0
    for _ in range(MOST_SEGMENTS):
        marker = _MARKER.search(data, at)
        if marker is None or marker[1] == _END:
            return scans > 0
        if not scans and marker.end() - at > MOST_JUNK:
            return False
        scans += marker[1] == _SCAN
        if scans > MOST_SCANS:
            return False
        at = marker.end()
        if marker[1] not in _WITHOUT_LENGTH:
            at += int.from_bytes(data[at : at + 2], "big")
    return False


def _has_few_chunks(data: bytes) -> bool:
    at = 8
    for _ in range(MOST_CHUNKS):
        if at >= len(data) or data[at + 4 : at + 8] == b"IEND":
            return True
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    return False
