"""Profiles as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jobctrl.errors import ConfigurationError, MissingInput
from jobctrl.profile.document import dump_profile, from_json_resume, load_profile, parse_profile
from jobctrl.profile.text import sentences, slug
from tests.profile.test_rules import document

JSON_RESUME = {
    "basics": {
        "name": "Ada Example",
        "label": "Engineer",
        "email": "ada@example.org",
        "summary": "Builds things. Likes tests.",
        "location": {"city": "Berlin", "countryCode": "de"},
        "profiles": [{"network": "GitHub", "username": "ada"}, {"network": "Mastodon", "username": "ada"}],
    },
    "work": [
        {"name": "Acme", "position": "Engineer", "startDate": "2020-03-01", "summary": "Did this. Did that."},
        {
            "company": "Acme",
            "position": "Engineer",
            "startDate": "2018",
            "endDate": "2020-02",
            "highlights": ["Built C."],
        },
    ],
    "education": [{"institution": "Some University", "area": "Physics", "studyType": "BSc", "endDate": "2017-06-30"}],
    "skills": [{"name": "Languages", "keywords": ["Python"]}, {"name": "Patience"}],
    "languages": [{"language": "German", "fluency": "Native speaker"}, {"language": "Klingon"}],
    "projects": [{"name": "a tool"}],
}


def test_json_resume_becomes_a_profile():
    profile = from_json_resume(JSON_RESUME)

    first, second = profile.resume.experience
    assert (profile.personal.full_name, profile.personal.country) == ("Ada Example", "DE")
    assert profile.personal.github_url == "https://github.com/ada"
    assert profile.resume.summary_sentences == ["Builds things.", "Likes tests."]
    assert (first.start, first.end, [b.text for b in first.bullets]) == ("2020-03", "", ["Did this.", "Did that."])
    assert (second.company, second.start, second.end) == ("Acme", "2018", "2020-02")
    assert first.id != second.id
    assert [(e.degree, e.date) for e in profile.resume.education] == [("BSc, Physics", "2017-06")]
    assert [(g.label, g.items) for g in profile.resume.skills] == [("Languages", ["Python"]), ("Skills", ["Patience"])]
    assert [(x.name, x.level) for x in profile.resume.languages] == [("de", "native")]


def test_what_json_resume_has_and_a_profile_does_not_is_kept():
    assert json.loads(dump_profile(from_json_resume(JSON_RESUME)))["resume"]["projects"] == [{"name": "a tool"}]


def test_an_incomplete_json_resume_names_what_is_missing():
    with pytest.raises(ConfigurationError) as refused:
        from_json_resume({"basics": {}, "work": [{"name": "Acme"}]})

    assert "personal.full_name: this is empty" in str(refused.value)
    assert "resume.experience[0].title: this is empty" in str(refused.value)


@pytest.mark.parametrize("raw", [{"basics": None, "work": "x"}, {"work": [None, 3]}, {"basics": {"location": []}}])
def test_a_json_resume_of_any_shape_is_a_clear_error(raw):
    with pytest.raises(ConfigurationError):
        from_json_resume(raw)


def test_a_file_is_read_as_what_it_is(tmp_path: Path):
    files = {
        "ours.json": json.dumps(document()),
        "bom.json": "\ufeff" + json.dumps(document()),
        "resume.json": json.dumps(JSON_RESUME),
        "ours.toml": 'personal.full_name = "Ada Example"\n[[resume.experience]]\nid = "a"\ntitle = "T"\ncompany = "C"',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert {load_profile(tmp_path / name).personal.full_name for name in files} == {"Ada Example"}


def test_a_round_trip_keeps_everything_unknown_keys_included(tmp_path: Path):
    profile = parse_profile(document(hobbies=["chess"], compensation={"minimum": "60000.50", "currency": "EUR"}))
    (tmp_path / "p.json").write_text(dump_profile(profile), encoding="utf-8")

    assert load_profile(tmp_path / "p.json") == profile


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.json", b'{"personal": }', "no valid JSON: Expecting value at line 1, column 14"),
        ("a.toml", b"[personal", "no valid TOML"),
        ("a.json", b"\xff\xfe{", "not UTF-8 text"),
        ("a.json", b"%PDF-1.7", "is a PDF"),
        ("a.json", b"[1]", "(top): this is not an object"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.json", b" " * (4 * 2**20 + 1), "larger than 4 MB"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, name, content, says):
    (tmp_path / name).write_bytes(content)

    with pytest.raises(ConfigurationError) as refused:
        load_profile(tmp_path / name)

    assert says in str(refused.value)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(MissingInput, match="there is no file"):
        load_profile(tmp_path / "none.json")


def test_recorded_json_resumes_become_profiles(corpus: Path):
    for path in sorted((corpus / "profiles").glob("jsonresume-*.json")):
        raw = json.loads(path.read_text(encoding="utf-8"))
        profile = load_profile(path)

        assert profile.personal.full_name == raw["basics"]["name"]
        assert [e.title for e in profile.resume.experience] == [w["position"] for w in raw["work"]]
        assert [len(e.bullets) for e in profile.resume.experience] == [len(w["highlights"]) for w in raw["work"]]


def test_an_abbreviation_ends_no_sentence():
    text = "Worked with Dr. Smith on e.g. Tests. Did it! Then v2. \u201cYes.\u201d"

    assert sentences(text) == ["Worked with Dr. Smith on e.g. Tests.", "Did it!", "Then v2.", "\u201cYes.\u201d"]


def test_an_id_is_short_readable_and_its_own():
    taken: set[str] = set()

    assert [slug("Łódź & Söhne!", taken), slug("łódź söhne", taken), slug("???", taken)] == [
        "łódź-söhne",
        "łódź-söhne-2",
        "entry",
    ]
    assert len(slug("x" * 200, taken)) == 72
