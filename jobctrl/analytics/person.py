"""The person's profile as a desk shows it: evidence, versions, and what a change would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import polars as pl

from jobctrl.analytics.desk import plain
from jobctrl.profile.reach import EvidenceItem, in_words
from jobctrl.profile.rules import Problem
from jobctrl.profile.state import Version

_READ_FROM = {"pdf": "a resume PDF", "json_resume": "JSON Resume", "profile": "a profile file"}


class Draft(Protocol):
    """What trying a profile came to."""

    @property
    def problems(self) -> tuple[Problem, ...]: ...
    @property
    def sections(self) -> tuple[str, ...]: ...
    @property
    def touches(self) -> tuple[str, ...]: ...


def evidence(items: Sequence[EvidenceItem], versions: Sequence[Version]) -> pl.DataFrame:
    """What claims can rest on, in the order of the profile.

    Columns: of (the position), kind (bullet or achievement), text, strength (null of a bullet), confidence (0 to 1,
    null of a bullet), confirmed (only what is confirmed may be printed), came_with (the version of the profile, and the
    kind of file it was read from), tools, metrics, id. Empty: the profile has none.
    """
    source = {version.version: version.source for version in versions}
    rows = [
        (
            item.of, item.kind, item.text, item.strength, item.confidence, item.confirmed,
            _came_with(item.since_version, source), ", ".join(item.tools), ", ".join(item.metrics), item.id,
        )
        for item in items
    ]  # fmt: skip
    schema = {
        "of": pl.String, "kind": pl.String, "text": pl.String, "strength": pl.String, "confidence": pl.Float64,
        "confirmed": pl.Boolean, "came_with": pl.String, "tools": pl.String, "metrics": pl.String, "id": pl.String,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def versions(known: Sequence[Version]) -> pl.DataFrame:
    """The versions of the profile, the newest first. Columns: version, since (UTC), changed, from. Empty: none yet."""
    rows = [
        (
            each.version,
            each.at[:16].replace("T", " "),
            in_words(each.sections),
            _READ_FROM.get(each.source or "", "here"),
        )
        for each in known
    ]
    schema = {"version": pl.Int64, "since": pl.String, "changed": pl.String, "from": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def told(draft: Draft) -> str:
    """What is wrong with a draft, or what saving it would do, as Markdown; empty when it changes nothing."""
    if draft.problems:
        lines = [f"- **{plain(each.path)}**: {plain(f'{each.wrong}; {each.write}.')}" for each in draft.problems]
        return "\n".join(["It cannot be saved yet:\n", *lines])
    if not draft.sections:
        return ""
    lines = [f"- {plain(touched)}" for touched in draft.touches]
    return "\n".join([f"Saving changes **{plain(in_words(draft.sections))}** and schedules nothing.\n", *lines])


def _came_with(version: int | None, source: dict[int, str | None]) -> str:
    if version is None:
        return "not saved yet"
    kind = _READ_FROM.get(source.get(version) or "")
    return f"version {version}, read from {kind}" if kind else f"version {version}, written here"
