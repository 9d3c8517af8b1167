"""A profile as a file: JSON or TOML of our own, or JSON Resume. Reading tells every problem at once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jobctrl.errors import ConfigurationError, MissingInput
from jobctrl.profile.json_resume import from_json_resume as _convert
from jobctrl.profile.json_resume import looks_like_json_resume
from jobctrl.profile.model import Profile
from jobctrl.profile.rules import Problem, read_profile

MAX_BYTES = 4 * 1024 * 1024


def load_profile(path: Path) -> Profile:
    """The profile in a `.json` or `.toml` file; a JSON Resume file is read as such.

    Raises MissingInput when there is no such file, and ConfigurationError with every problem when it cannot be used.
    """
    raw = _parsed(_content(path), path.name)
    if looks_like_json_resume(raw):
        return from_json_resume(raw, name=path.name)
    return parse_profile(raw, name=path.name)


def read_document(content: bytes, name: str) -> tuple[dict[str, Any], str]:
    """The profile document that a file of this *name* holds, not validated, and what kind of file it is.

    Raises ConfigurationError when it is neither JSON nor TOML, or no profile at all.
    """
    raw = _parsed(content, name)
    if looks_like_json_resume(raw):
        return _convert(raw), "json_resume"
    if not isinstance(raw, Mapping) or "personal" not in raw:
        raise ConfigurationError(
            f"{name} holds no profile", hint="give a resume as PDF or JSON Resume, or what `jobctrl profile` writes"
        )
    return dict(raw), "profile"


def parse_profile(raw: object, *, name: str = "the profile") -> Profile:
    """The profile that *raw* stands for. Raises ConfigurationError with every problem it has."""
    profile, problems = read_profile(raw)
    if profile is None:
        raise _unusable(name, problems)
    return profile


def from_json_resume(raw: Mapping[str, Any], *, name: str = "the resume") -> Profile:
    """The profile a JSON Resume document stands for. Raises ConfigurationError with every problem it has."""
    profile, problems = read_profile(_convert(raw))
    if profile is None:
        raise _unusable(f"{name} (read as JSON Resume)", problems)
    return profile


def dump_profile(profile: Profile) -> str:
    """The profile as JSON text that `load_profile` reads back, keys it does not know included."""
    return json.dumps(profile.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def _unusable(name: str, problems: Sequence[Problem]) -> ConfigurationError:
    count = f"{len(problems)} problem{'' if len(problems) == 1 else 's'}"
    listed = "\n".join(f"  - {problem}" for problem in problems)
    return ConfigurationError(f"{name} cannot be used yet, {count}:\n{listed}", hint="mend these and load it again")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as missing:
        raise MissingInput(f"there is no file {path}", hint="give the path of a .json or .toml profile") from missing
    except OSError as failed:
        raise MissingInput(f"{path} cannot be read: {failed.strerror}", hint="check its permissions") from failed


def _parsed(content: bytes, name: str) -> object:
    if len(content) > MAX_BYTES:
        raise ConfigurationError(f"{name} is larger than {MAX_BYTES // 2**20} MB, too large for a profile")
    if content.startswith(b"%PDF"):
        raise ConfigurationError(f"{name} is a PDF", hint="read it with the PDF import, which makes a draft")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as failed:
        raise ConfigurationError(
            f"{name} is not UTF-8 text (byte {failed.start})", hint="save it with UTF-8 encoding"
        ) from failed
    try:
        return tomllib.loads(text) if name.lower().endswith(".toml") else json.loads(text)
    except json.JSONDecodeError as failed:
        where = f"line {failed.lineno}, column {failed.colno}"
        raise ConfigurationError(
            f"{name} is no valid JSON: {failed.msg} at {where}", hint="mend that place"
        ) from failed
    except tomllib.TOMLDecodeError as failed:
        raise ConfigurationError(f"{name} is no valid TOML: {failed}", hint="mend that place") from failed
    except RecursionError as failed:
        raise ConfigurationError(f"{name} is nested too deeply to be a profile") from failed
