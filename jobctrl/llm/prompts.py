"""Prompt files: the words sent to a model live in a `.md` beside the context that owns them."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from jobctrl.errors import ConfigurationError
from jobctrl.ids import sha256
from jobctrl.llm.model import Prompt

_FRONT_MATTER = re.compile(r"\A---\s*\n(?P<head>.*?)\n---\s*\n(?P<body>.*)\Z", re.DOTALL)
_VERSION = re.compile(r"^version:\s*(\S+)\s*$", re.MULTILINE)


@lru_cache(maxsize=64)
def load_prompt(package: str, name: str) -> Prompt:
    """The prompt `prompts/NAME.md` of *package*. Its version is what the file says plus a hash of its words, so an
    edit that forgot the number is still another version."""
    file = files(package) / "prompts" / f"{name}.md"
    try:
        source = file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError) as missing:
        raise ConfigurationError(f"there is no prompt {name!r} in {package}") from missing
    parts = _FRONT_MATTER.match(source)
    version = _VERSION.search(parts["head"]) if parts else None
    if parts is None or version is None:
        raise ConfigurationError(f"the prompt {name!r} of {package} does not start with front matter and a version")
    text = parts["body"].strip()
    return Prompt(name=name, version=f"{version[1]}-{sha256(text)[:8]}", text=text)
