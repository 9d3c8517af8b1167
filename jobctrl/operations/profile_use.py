"""What was made with the person's profile so far."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from jobctrl.store import statements

SQL = statements("jobctrl.operations", "profile_use.sql")


@dataclass(frozen=True)
class Made:
    """Jobs in sight that have a score, and those that have a resume."""

    scores: int
    materials: int


def made_with_profiles(connection: sqlite3.Connection) -> Made:
    """Counts over all versions of the profile."""
    return Made(*connection.execute(SQL["made"]).fetchone())
