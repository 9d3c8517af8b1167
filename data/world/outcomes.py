"""Simulated applications: a better match raises the chance of a reply, and luck does the rest."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from world.boards import native_id
from world.compose import Employer, Row

SEED = 20260301
APPLICATIONS = 130
"""Enough for a reliability curve with honest, wide intervals."""
UNFIT = {"nurse", "sales", "lawyer", "accountant", "warehouse_worker", "support", "marketing", "recruiter"}
"""Work this person would not apply for."""
WORD = re.compile(r"[A-Za-z][A-Za-z+#.-]{2,}")
NOT_APPLIED_FOR = {
    "missing_id",
    "missing_title",
    "not_an_object",
    "unlisted",
    "repeat_of_first",
    "no_detail",
    "no_text",
    "short",
}
FIRST_DAY = datetime.fromisoformat("2026-03-02T08:00:00+00:00")
LAST_DAY = datetime.fromisoformat("2026-10-20T18:00:00+00:00")


def overlap(row: Row, skills: set[str]) -> float:
    """Share of the person's skills that the posting names, 0 to 1, a rough stand-in for fit."""
    words = {word.lower().strip(".-") for word in WORD.findall(row.text() + " " + row.title)}
    return min(1.0, len(words & skills) / 7)


def skills_of(profile: Mapping[str, Any]) -> set[str]:
    items = [item for category in profile["resume"]["skills"] for item in category["items"]]
    return {word.lower().strip(".-") for item in items for word in WORD.findall(item)}


def chance_of_reply(fit: float) -> float:
    """The planted curve: from one in a hundred without a match to one in two with all of it."""
    return 0.65 / (1 + math.exp(-6 * (fit - 0.75)))


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _course(fit: float, applied: datetime, draw: random.Random) -> list[dict[str, str]]:
    """What followed one application, in order of time."""
    outcomes: list[dict[str, str]] = []
    at = applied

    def then(kind: str, low: int, high: int) -> None:
        nonlocal at
        at += timedelta(days=draw.randint(low, high), minutes=draw.randint(0, 500))
        outcomes.append({"kind": kind, "at": _stamp(at)})

    if draw.random() >= chance_of_reply(fit):
        if draw.random() < 0.55:
            then("rejection", 3, 30)
        else:
            then("no_response", 30, 30)
        return outcomes
    then("recruiter_reply", 2, 12)
    if draw.random() < 0.4 + 0.35 * fit:
        if draw.random() < 0.4:
            then("assessment", 3, 8)
        then("interview", 4, 12)
        if draw.random() < 0.3 * fit:
            then("offer", 8, 18)
            return outcomes
    then("rejection", 5, 20)
    return outcomes


def outcomes(world: list[Employer], profile: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The applications and what became of them. Every line says that it is simulated."""
    draw = random.Random(SEED)
    skills = skills_of(profile)
    pool = [
        (overlap(row, skills), employer, row)
        for employer in world
        for row in employer.rows
        if row.role not in UNFIT
        and row.marks.get("wire") not in NOT_APPLIED_FOR
        and "page" not in row.marks
        and employer.key != "quorlmere_mirror"
    ]
    # People apply more where it fits, but not only there.
    keyed = sorted(pool, key=lambda entry: draw.random() ** (1 / (0.15 + entry[0])), reverse=True)
    lines = []
    for fit, employer, row in keyed[:APPLICATIONS]:
        # Posted long before: applied for within the window. Posted late: within days.
        earliest = max(FIRST_DAY, min(row.published, LAST_DAY - timedelta(days=35)))
        applied = min(earliest + timedelta(days=draw.randint(1, 21), minutes=draw.randint(0, 600)), LAST_DAY)
        course = [step for step in _course(fit, applied, draw) if step["at"] < "2026-11"]
        lines.append(
            {
                "source_id": employer.source_id,
                "native_id": native_id(row, employer.kind),
                "applied_at": _stamp(applied),
                "outcomes": course,
                "simulated": True,
            }
        )
    return sorted(lines, key=lambda line: (line["applied_at"], line["native_id"]))
