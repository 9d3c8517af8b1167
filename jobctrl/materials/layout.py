"""What stands on the page: a resume or a letter as data for its template, and each printed text in order."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from jobctrl.materials.model import Letter, Style, TailoredResume
from jobctrl.profile.model import Personal, Profile

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

# summary, experience, education, skills, languages, present
LABELS = {
    "en": ("Summary", "Experience", "Education", "Skills", "Languages", "Present"),
    "de": ("Profil", "Berufserfahrung", "Ausbildung", "Kenntnisse", "Sprachen", "heute"),
    "fr": ("Profil", "Expérience", "Formation", "Compétences", "Langues", "aujourd’hui"),
    "es": ("Perfil", "Experiencia", "Formación", "Competencias", "Idiomas", "actualidad"),
}


@dataclass(frozen=True)
class Printed:
    """A field of the profile, and the text that must be read on the page."""

    field: str
    text: str


@dataclass(frozen=True)
class Page:
    """One document before rendering: the template's data, and what a reader must find, in order."""

    data: dict[str, Any]
    printed: tuple[Printed, ...]


def plain(text: str) -> str:
    """*text* as it can be printed: composed characters, single spaces, no invisible marks."""
    text = unicodedata.normalize("NFC", text)
    if not text.isascii():
        text = "".join(c for c in text if c.isspace() or unicodedata.category(c) != "Cf")
    return " ".join(text.split())


def month(value: str, language: str) -> str:
    """`2021-03` as a person writes it; anything else as it stands."""
    match = re.fullmatch(r"(\d{4})-(\d{2})(?:-\d{2})?", value)
    if match is None or not 1 <= int(match[2]) <= 12:
        return value
    return f"{MONTHS[int(match[2]) - 1]} {match[1]}" if language == "en" else f"{match[2]}/{match[1]}"


def period(start: str, end: str, language: str) -> str:
    """The dates of a position; an open end is the present, no dates at all are no dates."""
    present = LABELS.get(language, LABELS["en"])[5]
    if not start and not end:
        return ""
    if not start:
        return month(end, language)
    return f"{month(start, language)} – {month(end, language) or present}"


def contact(personal: Personal) -> list[dict[str, str]]:
    """How to reach the person, in the order it is printed."""
    place = ", ".join(part for part in (personal.city, personal.region, personal.country) if part)
    items = []
    if personal.email:
        items.append({"field": "personal.email", "text": personal.email, "url": f"mailto:{personal.email}"})
    if personal.phone:
        items.append({"field": "personal.phone", "text": personal.phone, "url": ""})
    if place:
        items.append({"field": "personal.city", "text": place, "url": ""})
    for name in ("linkedin_url", "github_url", "portfolio_url", "website_url"):
        url = getattr(personal, name)
        if url:
            text = re.sub(r"^https?://(?:www\.)?", "", url).rstrip("/")
            items.append({"field": f"personal.{name}", "text": text, "url": url if "://" in url else f"https://{url}"})
    return items


def resume_page(resume: TailoredResume, profile: Profile, style: Style) -> Page:
    """The resume as it is printed. Headings, names, dates and contact lines are added here and nowhere else."""
    labels = LABELS.get(style.language, LABELS["en"])
    summary = [line.text for line in resume.summary]
    experience = [
        {
            "title": entry.title,
            "place": ", ".join(part for part in (entry.company, entry.location) if part),
            "dates": period(entry.start, entry.end, style.language),
            "bullets": [line.text for line in entry.lines],
        }
        for entry in resume.experience
    ]
    education = [
        {
            "degree": item.degree,
            "place": ", ".join(part for part in (item.institution, item.location) if part),
            "date": month(item.date, style.language),
        }
        for item in resume.education
    ]
    skills = [{"label": group.label, "items": ", ".join(group.items)} for group in resume.skills if group.items]
    languages = ", ".join(
        f"{_language_name(item.name)} ({item.level})" if item.level else _language_name(item.name)
        for item in profile.resume.languages
    )
    contacts = contact(profile.personal)
    data = {
        **_document(profile, style, f"Resume of {profile.personal.full_name}"),
        "headline": resume.headline,
        "contact": contacts,
        "summary": summary,
        "experience": experience,
        "education": education,
        "skills": skills,
        "languages": languages,
        "labels": dict(zip(("summary", "experience", "education", "skills", "languages"), labels[:5], strict=True)),
    }
    printed = [Printed("personal.full_name", profile.personal.full_name), Printed("headline", resume.headline)]
    printed += [Printed(item["field"], item["text"]) for item in contacts]
    if summary:
        printed.append(Printed("heading", labels[0]))
        printed += [Printed(line.source_id, line.text) for line in resume.summary]
    if experience:
        printed.append(Printed("heading", labels[1]))
    for entry, shown in zip(resume.experience, experience, strict=True):
        printed += [Printed(f"{entry.experience_id}.{key}", str(shown[key])) for key in ("title", "place", "dates")]
        printed += [Printed(line.source_id, line.text) for line in entry.lines]
    if education:
        printed.append(Printed("heading", labels[2]))
    for item, line in zip(resume.education, education, strict=True):
        printed += [Printed(f"{item.education_id}.{key}", line[key]) for key in ("degree", "place", "date")]
    if skills:
        printed.append(Printed("heading", labels[3]))
        printed += [Printed(f"skills.{group['label']}", f"{group['label']}: {group['items']}") for group in skills]
    if languages:
        printed += [Printed("heading", labels[4]), Printed("languages", languages)]
    return _plain_page(data, printed)


def letter_page(letter: Letter, profile: Profile, style: Style) -> Page:
    """The letter as it is printed."""
    contacts = contact(profile.personal)
    paragraphs = [" ".join(line.text for line in paragraph) for paragraph in letter.paragraphs]
    data = {
        **_document(profile, style, letter.subject),
        "contact": contacts,
        "date": letter.date,
        "subject": letter.subject,
        "salutation": letter.salutation,
        "paragraphs": paragraphs,
        "sign_off": letter.sign_off,
        "signature": letter.signature,
    }
    printed = [Printed("personal.full_name", profile.personal.full_name)]
    printed += [Printed(item["field"], item["text"]) for item in contacts]
    printed += [Printed(name, data[name]) for name in ("date", "subject", "salutation")]
    printed += [Printed(line.source_id, line.text) for line in letter.lines]
    printed += [Printed(name, data[name]) for name in ("sign_off", "signature")]
    return _plain_page(data, printed)


def _plain_page(data: dict[str, Any], printed: list[Printed]) -> Page:
    return Page(_plain_values(data), tuple(Printed(item.field, plain(item.text)) for item in printed if item.text))


def _plain_values(value: Any) -> Any:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {key: _plain_values(item) for key, item in value.items()}
    return [_plain_values(item) for item in value] if isinstance(value, list) else value


def _document(profile: Profile, style: Style, title: str) -> dict[str, Any]:
    return {"title": title, "name": profile.personal.full_name, "paper": style.paper.value, "lang": style.language}


# Names of the languages people most often state; another code is printed as the person wrote it.
_LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "et": "Estonian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean",
    "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


def _language_name(code: str) -> str:
    return _LANGUAGES.get(code.casefold(), code)
