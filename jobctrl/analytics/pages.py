"""A PDF as pictures of its pages, so that a desk shows one without a viewer and without a network."""

from __future__ import annotations

import struct
import zlib
from typing import Any

from jobctrl.errors import InvalidRequest

WIDTH = 900
"""Points of a picture: sharp on a page of half that width."""


def page_pictures(pdf: bytes, *, most: int = 6) -> list[bytes]:
    """The first *most* pages as PNG. Raises InvalidRequest for what is no PDF."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(pdf) as document:
            return [_picture(document[number]) for number in range(min(len(document), most))]
    except pypdfium2.PdfiumError as error:
        raise InvalidRequest(
            "This PDF cannot be read.", hint="Save it and look, or prepare the job again with `jobctrl retry`."
        ) from error


def _picture(page: Any) -> bytes:
    bitmap = page.render(scale=WIDTH / page.get_width(), rev_byteorder=True, prefer_bgrx=False)
    pixels = bitmap.to_numpy()
    return _png(pixels.shape[1], pixels.shape[0], [row.tobytes() for row in pixels[:, :, :3]])


def _png(width: int, height: int, rows: list[bytes]) -> bytes:
    """Rows of red, green and blue bytes as a PNG."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
