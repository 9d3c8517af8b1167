"""JSON Resume (jsonresume.org) as a profile document. What has no place in a profile is kept under its own name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, TypeGuard

from jobctrl.profile.dates import read_date
from jobctrl.profile.text import language_code, sentences, slug

KEPT = ("volunteer", "awards", "certificates", "publications", "interests", "references", "projects")


def looks_like_json_resume(raw: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether *raw* is a JSON Resume document rather than a profile of ours."""
    return isinstance(raw, Mapping) and "personal" not in raw and ("basics" in raw or "work" in raw)


def from_json_resume(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The document of a profile. It is not validated: what the resume leaves out is left out here too."""
    basics = _mapping(raw.get("basics"))
    resume: dict[str, Any] = {
        "summary_sentences": sentences(_text(basics.get("summary"))),
        "experience": _experience(raw.get("work")),
        "education": _education(raw.get("education")),
        "skills": _skills(raw.get("skills")),
        "languages": _languages(raw.get("languages")),
    }
    resume.update({key: raw[key] for key in KEPT if raw.get(key)})
    return {"personal": _personal(basics), "headline": _text(basics.get("label")), "resume": resume}


def _personal(basics: Mapping[str, Any]) -> dict[str, Any]:
    location = _mapping(basics.get("location"))
    personal = {
        "full_name": _text(basics.get("name")),
        "email": _text(basics.get("email")),
        "phone": _text(basics.get("phone")),
        "website_url": _text(basics.get("url") or basics.get("website")),
        "city": _text(location.get("city")),
        "region": _text(location.get("region")),
        "country": _text(location.get("countryCode")).upper(),
    }
    for profile in _list(basics.get("profiles")):
        network = _text(profile.get("network")).casefold()
        if network in ("linkedin", "github"):
            user = _text(profile.get("username"))
            base = "https://www.linkedin.com/in/" if network == "linkedin" else "https://github.com/"
            personal[f"{network}_url"] = _text(profile.get("url")) or (base + user if user else "")
    return personal


def _experience(work: object) -> list[dict[str, Any]]:
    entries = []
    taken: set[str] = set()
    for item in _list(work):
        title, company = _text(item.get("position")), _text(item.get("name") or item.get("company"))
        key = slug(f"{company} {title}", taken)
        highlights = [text for text in map(_text, _sequence(item.get("highlights"))) if text]
        summary = _text(item.get("summary"))
        bullets = highlights or sentences(summary)
        entry: dict[str, Any] = {
            "id": key,
            "title": title,
            "company": company,
            "start": _month(item.get("startDate")),
            "end": _month(item.get("endDate")),
            "location": _text(item.get("location")),
            "bullets": [{"id": f"{key}.{n}", "text": text} for n, text in enumerate(bullets, start=1)],
        }
        if highlights and summary:
            entry["summary"] = summary
        entries.append(entry)
    return entries


def _education(education: object) -> list[dict[str, Any]]:
    entries = []
    taken: set[str] = set()
    for item in _list(education):
        kind, area, school = (_text(item.get(key)) for key in ("studyType", "area", "institution"))
        degree = ", ".join(part for part in (kind, area) if part)
        end = _month(item.get("endDate"))
        entries.append({"id": slug(f"{school} {degree}", taken), "degree": degree, "institution": school, "date": end})
    return entries


def _skills(skills: object) -> list[dict[str, Any]]:
    """Categories with their keywords; a skill without keywords joins the others of its kind."""
    groups = []
    taken: set[str] = set()
    single: list[str] = []
    for item in _list(skills):
        label = _text(item.get("name"))
        items = [text for text in map(_text, _sequence(item.get("keywords"))) if text]
        if items and label:
            groups.append({"id": slug(label, taken), "label": label, "items": items})
        else:
            single += [label] if label else items
    if single:
        groups.append({"id": slug("skills", taken), "label": "Skills", "items": single})
    return groups


def _languages(languages: object) -> list[dict[str, Any]]:
    found = []
    for item in _list(languages):
        name, fluency = _text(item.get("language")), _text(item.get("fluency"))
        code = language_code(name)
        if code is None:
            continue
        cefr = re.search(r"\b[ABC][12]\b", fluency)
        level = cefr[0] if cefr else "native" if re.search(r"native|mother", fluency, re.IGNORECASE) else ""
        found.append({"name": code, "level": level, "fluency": fluency})
    return found


def _month(value: object) -> str:
    """A date of any precision as `YYYY-MM` or `YYYY`; empty when there is none."""
    text = _text(value)
    if not text or text.casefold() in ("present", "current", "now"):
        return ""
    read = read_date(text)
    return read.start if read else text


def _text(value: object) -> str:
    return " ".join(unicodedata.normalize("NFC", value).split()) if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _sequence(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _list(value: object) -> list[Mapping[str, Any]]:
    return [item for item in _sequence(value) if isinstance(item, Mapping)]
