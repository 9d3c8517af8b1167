"""Which postings say some words in their own text. The texts are read through; no second copy of them is kept."""

from __future__ import annotations

import sqlite3

from jobctrl.store import statements

SQL = statements("jobctrl.operations", "posting_words.sql")


def jobs_saying(connection: sqlite3.Connection, words: str) -> frozenset[str]:
    """The jobs, not dismissed, whose text has all of *words* somewhere; capital or small letters count the same."""
    wanted = words.casefold().split()
    if not wanted:
        return frozenset()
    return frozenset(job_id for job_id, text in connection.execute(SQL["texts"]) if _says(text, wanted))


def _says(text: bytes, wanted: list[str]) -> bool:
    folded = text.decode("utf-8", "replace").casefold()
    return all(word in folded for word in wanted)
