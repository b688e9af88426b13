"""Packs a picture small: at most 256 colours and the best deflate can do, in place of a browser's haste."""

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGB = 2
INDEXED = 3
COLOURS = 256

Colour = bytes
"""Red, green and blue, a byte each."""


def packed(png: bytes) -> bytes:
    """The picture with a palette.

    Takes what Chromium makes, eight bits a channel, no alpha, not interlaced, and raises ValueError
    for anything else.
    """
    chunks = list(_chunks(png))
    width, height, depth, kind, *_, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    if (depth, kind, interlaced) != (8, RGB, 0):
        raise ValueError(f"expected 8 bits, RGB, not interlaced; the picture has {(depth, kind, interlaced)}")
    pixels = zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT"))
    rows = list(_rows(pixels, width * 3))
    counted: Counter[Colour] = Counter()
    for row in rows:
        counted.update(row[at : at + 3] for at in range(0, len(row), 3))
    palette = _palette(counted)
    index = {colour: _nearest(colour, palette) for colour in counted}
    lines = (b"\0" + bytes(index[row[at : at + 3]] for at in range(0, len(row), 3)) for row in rows)
    return SIGNATURE + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, INDEXED, 0, 0, 0)),
            (b"PLTE", b"".join(palette)),
            (b"IDAT", zlib.compress(b"".join(lines), 9)),
            (b"IEND", b""),
        )
    )


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    start = len(SIGNATURE)
    while start < len(png):
        (length,) = struct.unpack(">I", png[start : start + 4])
        yield png[start + 4 : start + 8], png[start + 8 : start + 8 + length]
        start += length + 12


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _rows(pixels: bytes, length: int) -> Iterator[bytes]:
    """The lines of the picture, each freed of the filter that its first byte names."""
    above = bytes(length)
    for start in range(0, len(pixels), length + 1):
        line = bytearray(pixels[start + 1 : start + 1 + length])
        _unfilter(pixels[start], line, above)
        above = bytes(line)
        yield above


def _unfilter(kind: int, line: bytearray, above: bytes) -> None:
    if kind == 0:
        return
    for at in range(len(line)):
        left = line[at - 3] if at >= 3 else 0
        up = above[at]
        corner = above[at - 3] if at >= 3 else 0
        line[at] = (line[at] + _predicted(kind, left, up, corner)) & 255


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 1:
        return left
    if kind == 2:
        return up
    if kind == 3:
        return (left + up) // 2
    across, down, both = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if across <= down and across <= both:
        return left
    return up if down <= both else corner


def _palette(counted: Counter[Colour]) -> list[Colour]:
    """The commonest colour of each of the commonest groups of like colours."""
    groups: dict[Colour, list[tuple[int, Colour]]] = {}
    for colour, count in counted.items():
        groups.setdefault(bytes(channel >> 3 for channel in colour), []).append((count, colour))
    largest = sorted(groups.values(), key=lambda group: -sum(count for count, _ in group))
    return [max(group)[1] for group in largest[:COLOURS]]


def _nearest(colour: Colour, palette: list[Colour]) -> int:
    def distance(index: int) -> int:
        return sum((one - other) ** 2 for one, other in zip(colour, palette[index], strict=True))

    return min(range(len(palette)), key=distance)
