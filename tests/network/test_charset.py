from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.network.charset import decode

TEXT = "Vereiste: één jaar – 東京 €"


@pytest.mark.parametrize(
    ("body", "content_type", "want"),
    [
        (TEXT.encode(), "text/html; charset=utf-8", TEXT),
        (TEXT.encode(), "text/html", TEXT),
        (TEXT.encode("utf-8-sig"), "text/html; charset=iso-8859-1", TEXT),
        (TEXT.encode("utf-16"), "text/html; charset=utf-8", TEXT),
        (TEXT.encode(), "text/html; charset=ISO-8859-1", TEXT),
        (TEXT.encode(), "text/html; charset=no-such-thing", TEXT),
        (TEXT.encode(), "text/html; charset=utf-16", TEXT),
        (TEXT.encode(), "text/html; charset=hex", TEXT),
        ("ingénieur – 5 €".encode("cp1252"), "text/html", "ingénieur – 5 €"),
        ("ingénieur “x”".encode("cp1252"), "text/html; charset=iso-8859-1", "ingénieur “x”"),
        ("инженер".encode("cp1251"), "text/html; charset=windows-1251", "инженер"),
        ("正社員の募集".encode("shift_jis"), "text/html; charset=Shift_JIS", "正社員の募集"),
        ("正社員の募集".encode("iso2022_jp"), "text/html; charset=iso-2022-jp", "正社員の募集"),
        ("<meta charset='windows-1251'>инженер".encode("cp1251"), "text/html", "<meta charset='windows-1251'>инженер"),
        ("<meta charset='latin1'>é".encode(), "", "<meta charset='latin1'>é"),
        (b"", "", ""),
    ],
)
def test_text_survives_wrong_declarations(body, content_type, want):
    assert decode(body, content_type) == want


def test_a_page_cut_inside_a_letter_stays_utf8():
    body = ("prénom élève été " * 20).encode()[:-1] + "é".encode()[:1]

    assert decode(body, "text/html; charset=utf-8").startswith("prénom élève été")


@given(
    st.binary(max_size=300), st.text(max_size=40) | st.sampled_from(["charset=utf-16", "charset=idna", "charset=gbk"])
)
def test_any_bytes_give_some_text(body, content_type):
    assert isinstance(decode(body, content_type), str)


@given(st.text())
def test_utf8_comes_back_as_it_was_sent(text):
    if not text.startswith("\ufeff"):
        assert (
            decode(text.encode("utf-8", "ignore"), "text/html; charset=utf-8")
            == text.encode("utf-8", "ignore").decode()
        )
