"""A PDF is shown as pictures of its pages; what is none is said in words."""

from __future__ import annotations

import struct
import zlib

import pytest

from jobctrl.analytics.pages import WIDTH, page_pictures
from jobctrl.errors import InvalidRequest


def made(pages: int) -> bytes:
    import typst

    return bytes(
        typst.compile(b"#set page(width: 200pt, height: 100pt, fill: red)\n" + b"#pagebreak()".join([b"A"] * pages))
    )


def test_every_page_is_a_picture_of_the_same_shape_and_colour():
    pictures = page_pictures(made(3))

    assert len(pictures) == 3
    for picture in pictures:
        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", picture[16:24])
        assert (width, height) == (WIDTH, WIDTH // 2)
        start = picture.index(b"IDAT")
        (length,) = struct.unpack(">I", picture[start - 4 : start])
        rows = zlib.decompress(picture[start + 4 : start + 4 + length])
        assert rows[1:4] == b"\xff\x41\x36"


def test_a_long_document_shows_its_first_pages():
    assert len(page_pictures(made(4), most=2)) == 2


@pytest.mark.parametrize("content", [b"", b"%PDF-1.4 cut off", b"a letter"])
def test_what_is_no_pdf_is_said_in_words(content):
    with pytest.raises(InvalidRequest, match="cannot be read"):
        page_pictures(content)
