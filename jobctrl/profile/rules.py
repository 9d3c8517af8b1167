"""What a profile must hold, what changed between two versions, and which changes concern materials. Pure."""

from __future__ import annotations

import difflib
import re
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from jobctrl.profile.model import (
    Compensation,
    Evidence,
    Experience,
    LetterSentence,
    Personal,
    Profile,
    Resume,
    TailoringRules,
    TargetSearch,
    WorkAuthorization,
)

SENIORITY = ("intern", "junior", "mid", "senior", "lead", "staff", "principal", "director", "vp", "c_level")
WORK_MODES = ("remote", "hybrid", "on_site")
LETTER_ROLES = ("opening", "body", "closing")
PERIODS = ("hour", "day", "week", "month", "year")


@dataclass(frozen=True)
class Problem:
    """One thing that keeps a profile from being used: where it is, what is wrong, and what to write."""

    path: str
    wrong: str
    write: str

    def __str__(self) -> str:
        return f"{self.path}: {self.wrong}; {self.write}"


def read_profile(raw: object) -> tuple[Profile | None, tuple[Problem, ...]]:
    """The profile *raw* stands for, or every problem it has."""
    if not isinstance(raw, Mapping):
        return None, (Problem("(top)", "this is not an object", "write an object with `personal` and `resume`"),)
    # All kinds are told at once, so that nobody has to mend a file twice.
    problems = [*_doubled_ids(raw), *_references(raw), *_values(raw), *_misspelt(raw)]
    try:
        profile = Profile.model_validate(dict(raw))
    except ValidationError as invalid:
        shape = [_problem(error) for error in invalid.errors(include_url=False) if error["loc"]]
        return None, (*shape, *problems)
    return (None, tuple(problems)) if problems else (profile, ())


# --- shape ---------------------------------------------------------------------------------------------------------

_WANTED = {
    "string": ("a text", "write a text in quotes"),
    "list": ("a list", 'write a list, as in ["..."]'),
    "bool": ("true or false", "write true or false"),
    "float": ("a number", "write a number"),
    "int": ("a whole number", "write a whole number"),
    "decimal": ("a number", "write a number"),
    "model": ("an object", "write an object with its fields"),
}
"""By the first word of pydantic's error type: what the field is, and what to write."""


def _problem(error: Any) -> Problem:
    kind, context = error["type"], error.get("ctx", {})
    path = _path(error["loc"])
    if kind == "missing":
        return Problem(path, "this field is missing", "add it")
    bounds = [f"{words} {context[key]}" for key, words in _BOUNDS if key in context]
    if bounds:
        return Problem(
            path, f"{reprlib.repr(error['input'])} is out of range", f"write a number {' and '.join(bounds)}"
        )
    if "expected" in context:
        return Problem(path, f"{reprlib.repr(error['input'])} is not one of its values", f"write {context['expected']}")
    if kind == "string_too_short":
        return Problem(path, "this is empty", "write at least one character")
    if kind == "too_short":
        return Problem(path, "this list is empty", "add at least one entry")
    wanted = _WANTED.get(kind.split("_")[0])
    if wanted:
        return Problem(path, f"{reprlib.repr(error['input'])} is not {wanted[0]}", wanted[1])
    message = error["msg"].removeprefix("Value error, ")
    return Problem(path, message[0].lower() + message[1:], "write another value")


_BOUNDS = (("ge", "from"), ("gt", "above"), ("le", "up to"), ("lt", "below"))


def _path(location: Sequence[str | int]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path or "(top)"


# --- meaning -------------------------------------------------------------------------------------------------------


def _doubled_ids(raw: Mapping[str, Any]) -> Iterator[Problem]:
    experience = list(_items(_at(raw, "resume.experience")))
    bullets = [bullet for entry in experience for bullet in _items(_at(entry, "bullets"))]
    evidence = [item for entry in experience for item in _items(_at(entry, "achievement_evidence"))]
    groups: list[tuple[str, Sequence[object]]] = [
        ("resume.experience", [*experience, *bullets]),
        ("resume.experience[].achievement_evidence", evidence),
        *(
            (path, list(_items(_at(raw, path))))
            for path in ("resume.education", "resume.skills", "resume.letter_sentences")
        ),
    ]
    for path, items in groups:
        ids = [str(key) for item in items if (key := _at(item, "id"))]
        for doubled in sorted({key for key in ids if ids.count(key) > 1}):
            yield Problem(path, f"the id {doubled!r} is used twice", "give each entry and each bullet its own id")


def _references(raw: Mapping[str, Any]) -> Iterator[Problem]:
    experience = list(_items(_at(raw, "resume.experience")))
    bullets = [bullet for entry in experience for bullet in _items(_at(entry, "bullets"))]
    for name, known in (("required_experience_ids", experience), ("pinned_bullet_ids", bullets)):
        ids = [str(_at(item, "id")) for item in known]
        for key in map(str, _items(_at(raw, f"resume.tailoring.{name}"))):
            if key not in ids:
                near = difflib.get_close_matches(key, ids, 1)
                write = f"write {near[0]!r}" if near else "write an id that stands in resume.experience"
                yield Problem(f"resume.tailoring.{name}", f"there is no {key!r}", write)


_CODES = {
    "country": (r"[A-Z]{2}", "no country code", "write the two letters of ISO 3166, as in `DE`"),
    "currency": (r"[A-Z]{3}", "no currency code", "write three letters, as in `EUR`"),
    "language": (r"[a-z]{2}", "no language code", "write the ISO 639-1 code, as in `en`"),
    "seniority": ("|".join(SENIORITY), "not one of its values", f"write {' or '.join(SENIORITY)}"),
    "mode": ("|".join(WORK_MODES), "not one of its values", f"write {' or '.join(WORK_MODES)}"),
    "role": ("|".join(LETTER_ROLES), "not one of its values", f"write {' or '.join(LETTER_ROLES)}"),
    "period": ("|".join(PERIODS), "not one of its values", f"write {' or '.join(PERIODS)}"),
}
_CODED = (
    ("personal.country", "country"),
    ("target.countries[]", "country"),
    ("work_authorization.authorized_countries[]", "country"),
    ("compensation.currency", "currency"),
    ("compensation.period", "period"),
    ("target.seniority_floor", "seniority"),
    ("target.work_modes[]", "mode"),
    ("resume.languages[].name", "language"),
    ("resume.letter_sentences[].role", "role"),
)


def _values(raw: Mapping[str, Any]) -> Iterator[Problem]:
    for path, kind in _CODED:
        pattern, wrong, write = _CODES[kind]
        for place, value in _each(raw, path):
            if isinstance(value, str) and value and not re.fullmatch(pattern, value):
                yield Problem(place, f"{value!r} is {wrong}", write)
    for place, entry in _each(raw, "resume.experience[]"):
        yield from _dates(place, _at(entry, "start"), _at(entry, "end"))


def _dates(path: str, start: object, end: object) -> Iterator[Problem]:
    for name, value in (("start", start), ("end", end)):
        if isinstance(value, str) and value and not re.fullmatch(r"(?:19|20)\d{2}(?:-(?:0[1-9]|1[0-2]))?", value):
            write = "write `YYYY-MM` or `YYYY`" + (", or leave it empty for the present" if name == "end" else "")
            yield Problem(f"{path}.{name}", f"we could not read {value!r} as a date", write)
            return
    if isinstance(start, str) and isinstance(end, str) and start and end and end < start[: len(end)]:
        yield Problem(f"{path}.end", f"{end} lies before the start, {start}", "check which of the two is right")


def _each(raw: object, path: str, at: str = "") -> Iterator[tuple[str, object]]:
    """Every value at *path*, where `[]` stands for each item of a list, with its own path."""
    head, many, rest = path.partition("[]")
    value, place = _at(raw, head), f"{at}.{head}" if at else head
    if not many:
        yield place, value
        return
    for number, item in enumerate(_items(value)):
        here = f"{place}[{number}]"
        yield from _each(item, rest.removeprefix("."), here) if rest else [(here, item)]


_PARTS: Mapping[str, type[BaseModel]] = {
    "": Profile,
    "personal": Personal,
    "work_authorization": WorkAuthorization,
    "compensation": Compensation,
    "target": TargetSearch,
    "resume": Resume,
    "resume.tailoring": TailoringRules,
}
_LISTS: Mapping[str, type[BaseModel]] = {
    "resume.letter_sentences": LetterSentence,
}


def _misspelt(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """Unknown keys are kept, unless they look like a known one: a filter nobody reads would be worse than an error."""
    for path, part in _PARTS.items():
        yield from _near_misses(_at(raw, path), path, part)
    for path, part in _LISTS.items():
        for at, item in enumerate(_items(_at(raw, path))):
            yield from _near_misses(item, f"{path}[{at}]", part)
    for at, entry in enumerate(_items(_at(raw, "resume.experience"))):
        yield from _near_misses(entry, f"resume.experience[{at}]", Experience)
        for number, evidence in enumerate(_items(_at(entry, "achievement_evidence"))):
            yield from _near_misses(evidence, f"resume.experience[{at}].achievement_evidence[{number}]", Evidence)


def _at(raw: object, path: str) -> object:
    for key in filter(None, path.split(".")):
        raw = raw.get(key) if isinstance(raw, Mapping) else None
    return raw


def _items(raw: object) -> Iterable[object]:
    return raw if isinstance(raw, list) else ()


def _near_misses(raw: object, path: str, part: type[BaseModel]) -> Iterator[Problem]:
    if not isinstance(raw, Mapping):
        return
    known = list(part.model_fields)
    for key in raw:
        if key in known:
            continue
        near = [name for name in difflib.get_close_matches(str(key), known, 1, 0.75) if name not in raw]
        if near:
            where = f"{path}.{key}" if path else str(key)
            yield Problem(where, "this field is not known", f"write `{near[0]}` if that is what you mean")


# --- versions ------------------------------------------------------------------------------------------------------

SECTIONS = (
    "personal",
    "headline",
    "years_of_experience",
    "work_authorization",
    "compensation",
    "target",
    "resume.summary_sentences",
    "resume.experience",
    "resume.education",
    "resume.skills",
    "resume.languages",
    "resume.letter_sentences",
    "resume.tailoring",
)


def changed_sections(old: Profile | None, new: Profile) -> list[str]:
    """The sections in which two versions differ; of a first version, all that say something."""
    after = new.model_dump(mode="json")
    before = old.model_dump(mode="json") if old is not None else {}
    extra = sorted({key for key in (*before, *after) if key not in Profile.model_fields})
    sections = (*SECTIONS, *extra)
    if old is None:
        return [path for path in sections if _says_something(_at(after, path))]
    return [path for path in sections if _at(before, path) != _at(after, path)]


def _says_something(value: object) -> bool:
    return any(map(_says_something, value.values())) if isinstance(value, Mapping) else value not in (None, "", [])
