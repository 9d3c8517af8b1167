"""The lines of a resume as the document of a profile: who, and which section is which."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from jobctrl.profile.resume_entries import read_education, read_experience
from jobctrl.profile.text import language_code, sentences, slug

SUMMARY_LINES = 5
SUMMARY_CHARACTERS = 900
PERSONAL_LINES = 30
NAME_LINES = 8

_HEADINGS = {
    "summary": "summary|profile|about|about me|professional summary|executive summary|objective|profil|über mich|"
    "kurzprofil|résumé|à propos|perfil|resumen|profilo|podsumowanie",
    "experience": "experience|work experience|professional experience|employment|employment history|work history|"
    "career|career history|berufserfahrung|beruflicher werdegang|expérience|expériences|expérience professionnelle|"
    "experiencia|experiencia laboral|experiencia profesional|esperienza|esperienze professionali|werkervaring|"
    "doświadczenie|doświadczenie zawodowe|職歴|工作经历|工作經歷",
    "education": "education|academic background|education and training|academic education|ausbildung|bildung|"
    "bildungsweg|studium|formation|éducation|educación|formación|istruzione|formazione|opleiding|wykształcenie|学歴|教育",
    "skills": "skills|technical skills|core skills|key skills|technologies|competencies|core competencies|kenntnisse|"
    "fähigkeiten|compétences|competencias|habilidades|competenze|vaardigheden|umiejętności|スキル|技能",
    "languages": "languages|sprachen|sprachkenntnisse|langues|idiomas|lingue|talen|języki|語学|语言",
    "other": "projects|personal projects|selected projects|publications|patents|honors|selected honors|awards|"
    "honors and awards|certifications|certificates|licenses|invited talks|talks|volunteering|volunteer|"
    "volunteer experience|interests|hobbies|references|courses|conferences|memberships|activities|projekte|"
    "publikationen|zertifikate|ehrenamt|interessen|referenzen|projets|publications et conférences|loisirs|proyectos|"
    "certificaciones|progetti|interessi|projecten|projekty|certyfikaty|zainteresowania",
}
_SECTION_OF = {alias: section for section, aliases in _HEADINGS.items() for alias in aliases.split("|")}
_FURNITURE = re.compile(
    r"(?:.{0,60}\s[–—|-]\s*)?\d{1,2}\s*/\s*\d{1,2}|page \d+(?: of \d+)?|(?:last )?updated(?: in| on)? .{0,30}|\d{1,2}",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+")
_URL = re.compile(r"(?:https?://)?(?:www\.)?[a-z0-9\-]+(?:\.[a-z0-9\-]+)+(?:/[\w\-./%#?=&~]*)?", re.IGNORECASE)


def clean_lines(text: str) -> list[str]:
    """The lines of *text* as written: ligatures resolved, icons and page furniture gone. A trailing space is kept,
    since it tells that the line goes on."""
    lines = []
    for raw in text.splitlines():
        shown = "".join(
            unicodedata.normalize("NFKC", c) if "\ufb00" <= c <= "\ufb06" else c
            for c in unicodedata.normalize("NFC", raw)
            if unicodedata.category(c) not in ("Co", "Cf", "Cc", "Cs")
        )
        line = " ".join(shown.split())
        if line and not _FURNITURE.fullmatch(line):
            lines.append(line + (" " if shown.endswith(" ") else ""))
    return lines


def document_from_lines(lines: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """The profile document that *lines* give, and what we could not read. Nothing is made up to fill a gap."""
    head, sections = _sections(lines)
    personal, headline = _personal(head)
    notes = []
    if not personal.get("full_name"):
        notes.append("we could not read your name: write it as personal.full_name")
    experience, unread = read_experience(sections.get("experience", []))
    notes += unread
    if not experience:
        notes.append("we could not read any position: add them under resume.experience")
    education, unread = read_education(sections.get("education", []))
    resume = {
        "summary_sentences": _summary(sections.get("summary", [])),
        "experience": experience,
        "education": education,
        "skills": _skills(sections.get("skills", [])),
        "languages": _languages(sections.get("languages", [])),
    }
    return {"personal": personal, "headline": headline, "resume": resume}, notes + unread


def _sections(lines: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    head: list[str] = []
    sections: dict[str, list[str]] = {}
    current = head
    for line in lines:
        section = _heading(line)
        if section:
            current = sections.setdefault(section, [])
            continue
        inline = re.match(r"(?:technical |core |key )?skills\s*:\s*(.+)", line, re.IGNORECASE)
        if inline and current is not sections.get("skills"):
            sections.setdefault("skills", []).append(inline[1])
            continue
        current.append(line)
    return head, sections


def _heading(line: str) -> str | None:
    text = re.sub(r"^[\W\d_]+|[\W_]+$", "", line).casefold().replace("&", "and")
    return _SECTION_OF.get(" ".join(text.split())) if len(text.split()) <= 4 else None


# --- the person ----------------------------------------------------------------------------------------------------


def _personal(head: Sequence[str]) -> tuple[dict[str, str], str]:
    top = [line.strip() for line in head[:PERSONAL_LINES]]
    text = "\n".join(top)
    personal: dict[str, str] = {}
    name_at = next((at for at, line in enumerate(top[:NAME_LINES]) if _is_name(line)), None)
    if name_at is not None:
        personal["full_name"] = top[name_at]
    if email := _EMAIL.search(text):
        personal["email"] = email[0]
    personal.update(_links(_EMAIL.sub(" ", text)))
    if phone := _phone(text):
        personal["phone"] = phone
    personal.update(_place(top, skip=name_at))
    return personal, _headline(top, name_at)


def _is_name(line: str) -> bool:
    words = line.split()
    if not 1 <= len(words) <= 5 or re.search(r"[\d@|:/]", line):
        return False
    if line.casefold() in ("resume", "curriculum vitae", "cv", "lebenslauf", "résumé", "currículum", "履歴書", "简历"):
        return False
    return sum(c.isalpha() for c in line) >= 2 and words[0][0] == words[0][0].upper()


def _links(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _URL.finditer(text):
        url = match[0].rstrip("./")
        host = re.sub(r"^(?:https?://)?(?:www\.)?", "", url).split("/")[0].casefold()
        if not re.fullmatch(r"[a-z0-9\-.]+\.[a-z]{2,24}", host):
            continue
        full = url if "://" in url else f"https://{url}"
        kind = {"linkedin.com": "linkedin_url", "github.com": "github_url"}.get(host, "website_url")
        if "/" in url or kind == "website_url":
            found.setdefault(kind, full)
    return found


def _phone(text: str) -> str | None:
    import phonenumbers

    for region in (None, "US"):
        for match in phonenumbers.PhoneNumberMatcher(text, region):
            return str(match.raw_string)
    return None


def _place(top: Sequence[str], *, skip: int | None) -> dict[str, str]:
    """City and country of the contact line, when they stand there as `City, Country` or `City, XX`."""
    for at, line in enumerate(top):
        if at == skip:
            continue
        for part in re.split(r"\s*[|•·◦]\s*|\s{2,}|(?<=\w)\s+(?=\S+@)", line):
            match = re.fullmatch(r"([^\W\d][^\d@,()]{1,40}),\s*([^\W\d][^\d@,()]{1,40})(?:\s*\(.*\))?", part.strip())
            if match is None:
                continue
            city, region = match[1].strip(), match[2].strip()
            country = _country(region)
            if country:
                return {"city": city, "country": country}
            if re.fullmatch(r"[A-Z]{2}", region):
                return {"city": city, "region": region}
    return {}


def _country(name: str) -> str | None:
    """The code of a country by its English name, or by its code unless that is a state of the US as well."""
    from babel import Locale

    territories = {label.casefold(): code for code, label in Locale("en").territories.items() if len(code) == 2}
    if re.fullmatch(r"[A-Z]{2}", name):
        return name if name in territories.values() and name not in _US_STATES else None
    known = territories.get(name.casefold()) or {"usa": "US", "uk": "GB", "turkey": "TR"}.get(name.casefold())
    return str(known) if known else None


_STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA "
    "RI SC SD TN TX UT VT VA WA WV WI WY DC"
)
_US_STATES = frozenset(_STATES.split())


def _headline(top: Sequence[str], name_at: int | None) -> str:
    """The line below the name, when it says what the person is."""
    if name_at is None or name_at + 1 >= len(top):
        return ""
    line = top[name_at + 1]
    contact = re.search(r"[@|•]|\d{3}|\.(?:com|org|net|io|dev)\b", line) or _place([line], skip=None)
    return "" if contact or len(line) > 90 else line


# --- the simple sections -------------------------------------------------------------------------------------------


def _summary(lines: Sequence[str]) -> list[str]:
    text = " ".join(line.strip() for line in lines[:SUMMARY_LINES])
    if len(text) > SUMMARY_CHARACTERS:
        text = text[:SUMMARY_CHARACTERS].rsplit(" ", 1)[0]
    return sentences(text)


def _skills(lines: Sequence[str]) -> list[dict[str, Any]]:
    """`Label: a, b` is a category; items without a label are the category Skills."""
    groups: dict[str, list[str]] = {}
    label = "Skills"
    for line in lines:
        text = re.sub(r"^[•◦▪‣●○■\-*–]\s*", "", line).strip()
        match = re.match(r"([^:,;|]{2,40}):\s+(.+)", text)
        if match:
            label, text = match[1].strip(), match[2]
        items = groups.setdefault(label, [])
        items += [item for part in re.split(r"[,;|•·]\s*(?![^()]*\))", text) if (item := part.strip(" ."))]
    taken: set[str] = set()
    return [{"id": slug(name, taken), "label": name, "items": items} for name, items in groups.items() if items]


def _languages(lines: Sequence[str]) -> list[dict[str, str]]:
    found = []
    for part in re.split(r"[,;|•·\n]\s*(?![^()]*\))", "\n".join(line.strip() for line in lines)):
        match = re.match(r"([^\W\d]+(?: [^\W\d]+)?)\s*(?:[(:–—-]\s*(.*?)\)?)?$", part.strip())
        code = language_code(match[1]) if match else None
        if match is None or code is None:
            continue
        said = match[2] or ""
        cefr = re.search(r"\b[ABC][12]\b", said)
        native = re.search(r"native|mother|mutter|matern|nativ|ojczyst", said, re.IGNORECASE)
        found.append({"name": code, "level": cefr[0] if cefr else "native" if native else ""})
    return found
