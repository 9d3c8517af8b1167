"""The list of what the fonts can draw is what the fonts can draw."""

from __future__ import annotations

import msgspec
import pytest

from jobctrl.materials.glyphs import fonts_folder, missing


def test_the_coverage_file_is_what_the_font_files_hold():
    font_tools = pytest.importorskip("fontTools.ttLib", reason="fonttools is needed to read the font files")
    drawn = set()
    for path in fonts_folder().glob("*.ttf"):
        if "Bold" not in path.name:
            drawn |= {code for code in font_tools.TTFont(path).getBestCmap() if code >= 0x20}

    listed = msgspec.json.decode((fonts_folder() / "coverage.json").read_bytes(), type=list[tuple[int, int]])

    assert {code for first, last in listed for code in range(first, last + 1)} == drawn


def test_the_bold_type_draws_what_the_regular_one_draws():
    font_tools = pytest.importorskip("fontTools.ttLib", reason="fonttools is needed to read the font files")
    regular, bold = (
        set(font_tools.TTFont(fonts_folder() / f"NotoSans-{style}.ttf").getBestCmap()) for style in ("Regular", "Bold")
    )

    assert regular == bold


@pytest.mark.parametrize("encoding", ["gb2312", "big5", "shift_jis", "euc_kr", "cp1250", "iso8859_5", "iso8859_7"])
def test_the_letters_of_a_common_character_set_are_covered(encoding):
    letters = set()
    for high in range(0x20, 0x100):
        for code in [bytes([high]), *(bytes([high, low]) for low in range(0x40, 0xFF))]:
            letters.update(c for c in code.decode(encoding, "ignore") if c.isalpha())

    assert [c for c in letters if missing(c)] == []


def test_what_cannot_be_drawn_is_named_once():
    assert missing("a\U0001f680b\U0001f680 שלום") == ("\U0001f680", "ש", "ל", "ו", "ם")


def test_the_fonts_stay_small_and_carry_their_licences():
    files = list(fonts_folder().iterdir())

    assert sum(file.stat().st_size for file in files) < 6_000_000
    assert {"LICENSE-Noto.txt", "LICENSE-DroidSansFallback.txt"} <= {file.name for file in files}
