"""Resume PDFs read into drafts."""

from __future__ import annotations

import io
import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.errors import InvalidRequest
from jobctrl.materials.model import Paper, Style
from jobctrl.materials.pdf import render_resume
from jobctrl.materials.tailor import tailor
from jobctrl.profile.import_pdf import read_resume_pdf
from jobctrl.profile.model import TailoringRules
from jobctrl.profile.resume_text import clean_lines, document_from_lines
from tests.materials.people import NOW, person


def printed(style: Style | None = None) -> bytes:
    profile = person()
    rules = TailoringRules(max_experience_bullets=5)
    return render_resume(tailor(profile, [], rules=rules, now=NOW), profile, style=style or Style()).content


def test_a_resume_of_our_own_comes_back_as_it_was():
    draft = read_resume_pdf(printed())
    own = person()

    assert draft.profile is not None
    assert draft.notes == ()
    read = draft.profile
    for name in ("full_name", "email", "phone", "city", "country"):
        assert getattr(read.personal, name) == getattr(own.personal, name)
    assert read.headline == own.headline
    assert read.resume.summary_sentences == own.resume.summary_sentences[:3]
    assert [(e.title, e.company, e.location, e.start, e.end) for e in read.resume.experience] == [
        (e.title, e.company, e.location, e.start, e.end) for e in own.resume.experience
    ]
    assert [b.text for b in read.resume.experience[0].bullets] == [
        b.text for b in own.resume.experience[0].bullets if b.confirmed
    ]
    assert [(e.degree, e.institution, e.date) for e in read.resume.education] == [
        ("M.Sc. Computer Science", "AGH University", "2014")
    ]
    assert [(g.label, g.items) for g in read.resume.skills] == [(g.label, g.items) for g in own.resume.skills]
    assert [(x.name, x.level) for x in read.resume.languages] == [("pl", "native"), ("en", "C1")]


@pytest.mark.parametrize("paper", [Paper.A4, Paper.LETTER])
def test_the_paper_is_noticed(paper):
    assert read_resume_pdf(printed(Style(paper=paper))).paper == paper.value


def blank_pdf(**encryption: str) -> bytes:
    from pypdf import PdfWriter

    writer = PdfWriter()
    writer.add_blank_page(600, 800)
    if encryption:
        writer.encrypt(**encryption)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"hello", "could not find a PDF"),
        (b"x" * 1025 + b"%PDF-1.7", "could not find a PDF"),
        (b"%PDF-1.7\nnothing", "could not read this PDF"),
        (b"%PDF" + b"\x00" * (12 * 2**20), "up to 12 MiB"),
        (blank_pdf(), "seems to be a scan"),
        (blank_pdf(user_password="secret"), "asks for a password"),
    ],
)
def test_a_file_we_cannot_read_says_so_and_blames_nobody(content, says):
    with pytest.raises(InvalidRequest) as refused:
        read_resume_pdf(content)

    assert says in str(refused.value)
    assert refused.value.hint
    assert not re.search(r"\byour (?:format|file)|you (?:must|are)\b|invalid", str(refused.value))


def test_a_truncated_pdf_is_read_or_refused_but_never_breaks():
    content = printed()

    for length in range(200, len(content), len(content) // 12):
        with suppress(InvalidRequest):
            read_resume_pdf(content[:length])


TEXTS = {
    "dates beside the title, employer behind a dash": """
        Sam Sample
        sam@example.org | Lisbon, Portugal
        EXPERIENCE
        Senior Engineer — Acme Foods | Jan 2020 to date
        Acme Foods sells soup to supermarkets in nine countries.
        - Built a thing that
        works.
        - Ran it.
        Engineer — Initech | 2017 – 2019
        - Wrote reports.""",
    "employer first, dates below the bullets": """
        Sam Sample
        Experience
        Acme Foods, Senior Engineer
        • Built a thing that
        works.
        • Ran it.
        Lisbon, PT
        Jan 2020 – present
        5 years 2 months
        Initech, Engineer
        • Wrote reports.
        Porto, PT
        2017 – 2019""",
    "German, three lines of header": """
        Sam Sample
        Berufserfahrung
        01/2020 – heute
        Senior Engineer
        Acme Foods
        • Built a thing that works.
        • Ran it.
        2017 – 2019
        Engineer
        Initech
        • Wrote reports.""",
    "bullets whose mark stands alone": """
        Sam Sample
        Work Experience
        Senior Engineer at Acme Foods
        January 2020 - Present
        •
        Built a thing that works.
        •
        Ran it.
        Engineer at Initech
        2017 - 2019
        •
        Wrote reports.""",
}


@pytest.mark.parametrize("layout", TEXTS)
def test_positions_are_read_from_every_common_layout(layout):
    document, notes = document_from_lines(clean_lines(TEXTS[layout]))

    read = [
        (e["title"], e["company"], e["start"], e["end"], [b["text"] for b in e["bullets"]])
        for e in document["resume"]["experience"]
    ]
    start = "2020-01"
    assert read == [
        ("Senior Engineer", "Acme Foods", start, "", ["Built a thing that works.", "Ran it."]),
        ("Engineer", "Initech", "2017", "2019", ["Wrote reports."]),
    ]
    assert notes == []


def test_what_cannot_be_read_is_noted_and_not_made_up():
    document, notes = document_from_lines(["12345", "Experience", "Engineer", "- did it"])

    assert "full_name" not in document["personal"]
    assert document["resume"]["experience"][0]["company"] == ""
    assert document["resume"]["experience"][0]["start"] == ""
    assert all("we could not read" in note for note in notes)
    assert len(notes) == 3


def test_icons_page_numbers_and_ligatures_do_not_get_into_the_text():
    assert clean_lines("\uf3c5 Berlin\nSam Sample – 1/2\nPage 2 of 3\ne\ufb03cient\n\n7") == ["Berlin", "efficient"]


def test_a_word_broken_by_the_typesetter_is_whole_again():
    document, _ = document_from_lines(
        ["A B", "Experience", "Engineer, X", "• Lower memory for mod-", "eling tasks", "2020 – 2021"]
    )

    assert document["resume"]["experience"][0]["bullets"][0]["text"] == "Lower memory for modeling tasks"


@given(st.text(max_size=400))
def test_reading_lines_never_raises(text):
    document_from_lines(clean_lines(f"Name\nExperience\n{text}\nEducation\n{text}\nSkills\n{text}\nLanguages\n{text}"))


def test_recorded_resumes_are_read(corpus: Path):
    for path in sorted((corpus / "profiles").glob("*.pdf")):
        draft = read_resume_pdf(path.read_bytes())

        assert draft.profile is not None, path.name
        assert len(draft.profile.resume.experience) == 5, path.name
        assert all(e.start and e.title and e.company and e.bullets for e in draft.profile.resume.experience), path.name
        assert len(draft.profile.resume.education) == 2, path.name
        assert draft.profile.personal.email, path.name


def test_recorded_texts_are_read_as_people_read_them(corpus: Path):
    for path in sorted((corpus / "profiles").glob("*.cv.txt")):
        truth = json.loads(path.with_name(path.name.replace(".cv.txt", ".ground_truth.json")).read_text("utf-8"))
        document, _ = document_from_lines(clean_lines(path.read_text("utf-8")))

        assert (document["personal"]["full_name"], document["personal"]["email"]) == (
            truth["full_name"],
            truth["email"],
        )
        assert [e["title"] for e in document["resume"]["experience"]] == [w["role"] for w in truth["work_history"]]
        for entry, work in zip(document["resume"]["experience"], truth["work_history"], strict=True):
            assert entry["company"].startswith(work["company"].split(" (")[0])
