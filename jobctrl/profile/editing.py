"""A profile taken apart into fields that a person fills in, and put together again. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from types import UnionType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from jobctrl.profile.model import Experience, Profile
from jobctrl.profile.rules import LETTER_ROLES, PERIODS, SENIORITY, WORK_MODES
from jobctrl.profile.text import slug

Kind = Literal["text", "words", "lines", "number", "choice", "several", "switch"]
PARTS: Mapping[str, tuple[str, ...]] = {
    "you": ("personal", "headline", "years_of_experience"),
    "what you look for": ("target", "compensation", "work_authorization"),
    "experience": ("resume.experience",),
    "education, skills, languages": ("resume.education", "resume.skills", "resume.languages"),
    "summary and letters": ("resume.summary_sentences", "resume.letter_sentences", "resume.tailoring"),
}
"""What is edited together, and where it stands in the profile."""
MORE = ".bullets[+]"
"""Behind the path of an experience: lines that become bullets of it."""
KEPT = ("target", "compensation", "work_authorization", "resume.letter_sentences", "resume.tailoring")
"""What a resume does not speak of."""
_CHOICES = {"seniority_floor": ("", *SENIORITY), "period": ("", *PERIODS), "role": LETTER_ROLES}
_SEVERAL = {"work_modes": WORK_MODES}
_LONG = ("text", "source_text")
_YES_NO = {"": None, "yes": True, "no": False}


@dataclass(frozen=True)
class Field:
    """One thing to fill in. `group` names the entry of a list that it belongs to; it is empty outside of lists."""

    path: str
    label: str
    kind: Kind
    value: Any
    choices: tuple[str, ...] = ()
    group: str = ""


def fields(profile: Profile, part: str) -> list[Field]:
    """What can be filled in of one of PARTS."""
    return [field for path in PARTS[part] for field in _at(profile, path)]


def entries(profile: Profile, part: str) -> list[str]:
    """The entries of the lists of one of PARTS, in their order; none where it has no lists."""
    return list(dict.fromkeys(field.group for field in fields(profile, part) if field.group))


def edited(profile: Profile, typed: Mapping[str, Any]) -> dict[str, Any]:
    """The document of *profile* with what was typed, by path. What was left as it is stays so, unknown keys too.

    A bullet whose text was emptied is taken out, and new lines get ids of their own. It is not validated.
    """
    document = profile.model_dump(mode="json")
    known = {field.path: field for part in PARTS for field in fields(profile, part)}
    for path, value in typed.items():
        if path.endswith(MORE):
            _add_bullets(document, path.removesuffix(MORE), _lines(value))
        elif path in known and value != known[path].value:
            holder, key = _holder(document, path)
            holder[key] = _stored(known[path], value, holder[key])
    for entry in document["resume"]["experience"]:
        entry["bullets"] = [bullet for bullet in entry["bullets"] if bullet["text"].strip()]
    return document


def merged(current: Profile | None, document: Mapping[str, Any]) -> dict[str, Any]:
    """An imported resume, with what it does not speak of as it stands in *current*. It is not validated."""
    new = deepcopy(dict(document))
    if current is None:
        return new
    old = current.model_dump(mode="json")
    for path in KEPT:
        holder, key = _holder(new, path)
        if not holder.get(key):
            kept, _ = _holder(old, path)
            holder[key] = kept[key]
    rules, experience = new["resume"]["tailoring"], new["resume"].get("experience", [])
    entries = {entry.get("id") for entry in experience}
    bullets = {bullet.get("id") for entry in experience for bullet in entry.get("bullets", [])}
    for name, there in (("required_experience_ids", entries), ("pinned_bullet_ids", bullets)):
        rules[name] = [key for key in rules.get(name, []) if key in there]
    return new


# --- taking apart --------------------------------------------------------------------------------------------------


def _at(profile: Profile, path: str) -> Iterator[Field]:
    part: BaseModel = profile
    *above, name = path.split(".")
    for key in above:
        part = getattr(part, key)
    yield from _fields(part, name, path)


def _fields(part: BaseModel, name: str, path: str, group: str = "") -> Iterator[Field]:
    value, annotation = getattr(part, name), type(part).model_fields[name].annotation
    if isinstance(value, BaseModel):
        for inner in type(value).model_fields:
            yield from _fields(value, inner, f"{path}.{inner}", group)
    elif isinstance(value, list) and issubclass(get_args(annotation)[0], BaseModel):
        for number, item in enumerate(value):
            here, named = f"{path}[{number}]", group or _named(item, number)
            for inner in type(item).model_fields:
                # What is known by an id elsewhere keeps it.
                if inner != "id":
                    yield from _fields(item, inner, f"{here}.{inner}", named)
            if isinstance(item, Experience):
                yield Field(here + MORE, "more bullets", "lines", "", group=named)
    else:
        yield _leaf(name, path, annotation, value, group)


def _leaf(name: str, path: str, annotation: Any, value: Any, group: str) -> Field:
    label = _label(path)
    kinds = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    if name in _SEVERAL:
        return Field(path, label, "several", list(value), _SEVERAL[name], group)
    if name in _CHOICES:
        return Field(path, label, "choice", value or "", _CHOICES[name], group)
    if get_origin(annotation) is list:
        return Field(path, label, "lines", "\n".join(value), group=group)
    if isinstance(value, StrEnum):
        return Field(path, label, "choice", value.value, tuple(each.value for each in type(value)), group)
    if bool in kinds:
        if type(None) not in kinds:
            return Field(path, label, "switch", value, group=group)
        said = next(word for word, meant in _YES_NO.items() if meant == value)
        return Field(path, label, "choice", said, tuple(_YES_NO), group)
    if {int, float, Decimal} & set(kinds):
        return Field(path, label, "number", None if value is None else float(value), group=group)
    return Field(path, label, "words" if name in _LONG else "text", value or "", group=group)


def _named(item: BaseModel, number: int) -> str:
    words = [str(getattr(item, name)) for name in ("title", "company", "degree", "institution", "label", "name")
             if getattr(item, name, "")]  # fmt: skip
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(item).__name__).capitalize()
    return ", ".join(words) if words else f"{kind} {number + 1}"


def _label(path: str) -> str:
    """`resume.experience[0].bullets[1].text` is "bullet 2: text"; what is above an entry says its group."""
    *above, name = path.split(".")
    inner = re.fullmatch(r"(\w+?)s?\[(\d+)\]", above[-1]) if len(above) > 2 else None
    words = name.replace("_", " ")
    return f"{inner[1].replace('_', ' ')} {int(inner[2]) + 1}: {words}" if inner else words


# --- putting together ----------------------------------------------------------------------------------------------


def _holder(document: dict[str, Any], path: str) -> tuple[Any, str]:
    """What holds the last key of *path*, and that key; a mapping that is missing on the way is made."""
    *above, key = path.split(".")
    holder: Any = document
    for step in above:
        name, _, number = step.rstrip("]").partition("[")
        holder = holder[name][int(number)] if number else holder.setdefault(name, {})
    return holder, key


def _stored(field: Field, value: Any, before: Any) -> Any:
    if field.kind == "lines":
        return _lines(value)
    if field.kind == "number":
        # Whole numbers are written as such: 4 bullets, not 4.0.
        return value if value is None or value != int(value) else int(value)
    if field.choices == tuple(_YES_NO):
        return _YES_NO[value]
    if value == "" and before is not None and field.kind == "choice":
        return None
    return value


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _add_bullets(document: dict[str, Any], path: str, lines: list[str]) -> None:
    holder, key = _holder(document, f"{path}.bullets")
    ids = [part["id"] for entry in document["resume"]["experience"] for part in (entry, *entry["bullets"])]
    taken = set(ids)
    holder[key] += [{"id": slug(line, taken), "text": line, "confirmed": True} for line in lines]
