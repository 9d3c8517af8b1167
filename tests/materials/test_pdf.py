"""What is printed is what was written, and a machine can read it."""

from __future__ import annotations

import io
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from jobctrl.errors import MaterialRejected
from jobctrl.materials import pdf
from jobctrl.materials.layout import Printed, month, period, plain, resume_page
from jobctrl.materials.letter import write_letter
from jobctrl.materials.model import Paper, Pdf, Style
from jobctrl.materials.pdf import render_letter, render_resume
from jobctrl.materials.readback import ReadPage, read_pages, require_readable
from jobctrl.materials.tailor import tailor
from jobctrl.profile.model import Profile
from tests.materials.people import NEEDS, NOW, person


def rendered(profile: Profile, style: Style | None = None) -> Pdf:
    return render_resume(tailor(profile, NEEDS, now=NOW), profile, style=style or Style())


def with_bullet(text: str) -> Profile:
    profile = person()
    profile.resume.experience[0].bullets[3].text = text
    return profile


def read(content: bytes) -> str:
    """The text as another library finds it, on one line."""
    pages = PdfReader(io.BytesIO(content)).pages
    return " ".join(unicodedata.normalize("NFKC", " ".join(page.extract_text() for page in pages)).split())


@pytest.mark.parametrize(
    "text",
    [
        "Łódź, Göksu, Yıldız ğ ş ı İ, é è ő ű ř ț",
        "你好 世界, 繁體中文, 日本語カタカナ, 한국어",
        "Привет, Київ, Ελληνικά, Tiếng Việt",
        "efficient office workflow, flow, affluent",
        "→ ≥ ≤ ≈ × ± € £ ¥ ₹ ₩ … “quotes” ‘single’ – — • ✓ ★ №",
        "#panic(1) *bold* _it_ $x$ @ref <lab> `raw` \\n // /* { [b] -- ---",
        "Cafe\u0301 and soft\u00adhyphen and zero\u200bwidth",
    ],
)
def test_every_character_is_found_again_as_it_was_written(text):
    made = rendered(with_bullet(f"Kafka {text} end"))

    wanted = unicodedata.normalize("NFKC", plain(f"Kafka {text} end"))
    assert wanted in read(made.content)
    assert "\x00" not in made.text


def test_the_text_stands_in_the_order_of_the_page():
    text = read(rendered(person()).content)

    wanted = [
        "Zoë Łukasiewicz",
        "zoe@example.org",
        "Summary",
        "Experience",
        "Senior Data Engineer",
        "Göksu Analytics GmbH",
    ]
    wanted += [
        "Mar 2021 – Present",
        "Kafka ingestion",
        "Data Analyst",
        "Education",
        "AGH University",
        "Skills",
        "Polish (native)",
    ]
    places = [text.index(words) for words in wanted]
    assert places == sorted(places)


def test_a_character_without_a_glyph_is_refused_by_field_and_name():
    with pytest.raises(MaterialRejected) as refused:
        rendered(with_bullet("Kafka rocket \U0001f680 man"))

    assert "gok-4" in str(refused.value)
    assert "U+1F680 ROCKET" in str(refused.value)


def test_the_file_is_tagged_has_a_language_a_title_and_embedded_fonts_only():
    reader = PdfReader(io.BytesIO(rendered(person(), Style(language="pl")).content))

    assert reader.trailer["/Root"]["/Lang"] == "pl"
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert reader.metadata is not None
    assert (reader.metadata.title, reader.metadata.author) == (
        "Resume of Zoë Łukasiewicz-Yıldırım",
        "Zoë Łukasiewicz-Yıldırım",
    )
    fonts = reader.pages[0]["/Resources"]["/Font"]
    assert all("NotoSans" in fonts[f]["/BaseFont"] for f in fonts)


def test_the_same_resume_gives_the_same_bytes():
    assert rendered(person()).sha256 == rendered(person()).sha256


@pytest.mark.parametrize(("paper", "width"), [(Paper.A4, 595), (Paper.LETTER, 612)])
def test_paper_is_a4_or_letter(paper, width):
    made = rendered(person(), Style(paper=paper))

    assert int(PdfReader(io.BytesIO(made.content)).pages[0].mediabox.width) == width


def long_resume(bullets: int) -> Profile:
    raw = person().model_dump()
    entry = raw["resume"]["experience"][0]
    raw["resume"]["experience"] = [
        {
            **entry,
            "id": f"e{k}",
            "achievement_evidence": [],
            "bullets": [
                {"id": f"e{k}-{i}", "text": f"Moved part {k} of {i} " + "with care and much patience " * 5}
                for i in range(4)
            ],
        }
        for k in range(bullets)
    ]
    return Profile.model_validate(raw)


@pytest.mark.parametrize(("entries", "pages"), [(2, 1), (7, 2)])
def test_a_resume_takes_one_page_when_it_can_and_two_when_it_must(entries, pages):
    made = rendered(long_resume(entries))

    assert made.pages == pages
    assert made.size >= 8.5


def test_small_type_is_not_used_to_force_a_single_page():
    assert rendered(long_resume(7)).size == 10.5


def test_smaller_type_is_tried_only_when_it_could_save_the_second_page(monkeypatch):
    sizes = []
    compile = pdf._compile
    monkeypatch.setattr(pdf, "_compile", lambda *args: sizes.append(args[2]) or compile(*args))

    assert rendered(long_resume(7)).pages == 2
    assert sizes == [10.5]


def test_what_does_not_fit_two_pages_is_refused_with_what_to_do():
    with pytest.raises(MaterialRejected, match=r"needs \d pages even in 8\.5 pt") as refused:
        rendered(long_resume(18))

    assert "max_experience_bullets" in (refused.value.hint or "")


def test_a_word_that_runs_over_the_edge_is_refused():
    with pytest.raises(MaterialRejected, match="runs over the edge of page 1"):
        rendered(with_bullet("Kafka " + "W" * 120))


def test_a_long_address_is_not_clipped():
    profile = person()
    profile.personal.portfolio_url = "https://portfolio.example.org/" + "a-long-path/" * 5

    assert rendered(profile).pages == 1


def test_damage_in_the_text_layer_is_noticed():
    printed = (Printed("a", "efficient office"), Printed("b", "second line"))
    page = ReadPage(100, 100, "", (0, 0, 50, 50))

    assert require_readable([replace(page, text="e\ufb03cient\r\noffice second\nline")], printed)
    for text, says in [
        ("ef ficient office second line", "stray or lost spaces"),
        ("efficientoffice second line", "stray or lost spaces"),
        ("second line efficient office", "out of order"),
        ("efficient office", "missing or damaged"),
        ("efficient office s\x00cond line", "without a glyph"),
    ]:
        with pytest.raises(MaterialRejected, match=says):
            require_readable([replace(page, text=text)], printed)


def test_a_letter_is_one_page_in_order():
    profile = person()
    letter = write_letter(profile, NEEDS, title="Data Engineer", company="Łódź & Sons *Ltd*", now=NOW)

    made = render_letter(letter, profile)

    text = read(made.content)
    wanted = [
        "9 March 2026",
        "Application: Data Engineer",
        "Dear Łódź & Sons *Ltd* team,",
        *(line.text for line in letter.lines),
    ]
    places = [text.index(words) for words in [*wanted, "Kind regards,"]]
    assert places == sorted(places)
    assert made.pages == 1


@pytest.mark.parametrize(
    ("value", "language", "shown"),
    [
        ("2021-03", "en", "Mar 2021"),
        ("2021-03-31", "en", "Mar 2021"),
        ("2021-03", "de", "03/2021"),
        ("2021", "en", "2021"),
        ("2021-13", "en", "2021-13"),
    ],
)
def test_a_month_is_printed_as_people_write_it(value, language, shown):
    assert month(value, language) == shown


def test_a_period_without_dates_is_empty_and_an_open_one_is_the_present():
    assert [period("", "", "en"), period("2020", "", "de"), period("", "2020", "en")] == ["", "2020 – heute", "2020"]


def test_nothing_but_the_shipped_fonts_is_used():
    assert set(pdf._fonts().families()) == set(pdf.FAMILIES)


def test_every_printed_text_of_the_page_is_checked():
    profile = person()
    page = resume_page(tailor(profile, NEEDS, now=NOW), profile, Style())

    fields = [item.field for item in page.printed]

    assert {"personal.full_name", "gok-4", "gok.title", "agh.degree", "skills.Platforms", "languages"} <= set(fields)


def test_an_empty_page_has_no_ink():
    import typst

    assert read_pages(typst.compile(b""))[0].ink == (0.0, 0.0, 0.0, 0.0)


def test_many_threads_may_render_at_once():
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: rendered(person()).sha256, range(24)))

    assert len(set(made)) == 1


@pytest.mark.parametrize("words", range(4, 12))
def test_a_hyphen_at_the_end_of_a_line_is_found_again(words):
    made = rendered(with_bullet("Kafka " + "long words " * words + "multi-region-aware end\u2010to\u2010end data"))

    assert made.pages == 1


WRITTEN = [
    *("multi-region", "end-to-end", "C++", ".NET", "99.97%", "€18k", "$5", "(a16z)", "it’s", "and/or", "a@b.c"),
    *("—", "–", "你好", "ffi", "½", "…", "“x”", "\\", "<y>", "Łódź", "ğ"),
]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(WRITTEN), min_size=1, max_size=60))
def test_whatever_a_person_writes_is_found_again(words):
    assert rendered(with_bullet("Kafka " + " ".join(words))).pages == 1
