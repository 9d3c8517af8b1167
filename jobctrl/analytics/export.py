"""A person's own data, to take away: each table of the warehouse as one Parquet file, with what its columns mean."""

from __future__ import annotations

import json
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from jobctrl.analytics.ask import ask, in_utc
from jobctrl.analytics.dictionary import dictionary_text
from jobctrl.analytics.manifest import put
from jobctrl.analytics.snapshots import Snapshots
from jobctrl.analytics.tables import data_dictionary, tables
from jobctrl.errors import InvalidRequest, WorkspaceError

DICTIONARY = "dictionary.json"


@dataclass(frozen=True)
class Exported:
    folder: Path
    position: int
    """How far into the log the data reaches."""
    rows: dict[str, int]
    """Rows of each table."""


def export_parquet(snapshots: Snapshots, folder: Path, *, replace: bool = False) -> Exported:
    """Write every table into *folder*, which is there in whole or not at all.

    Raises InvalidRequest when something stands there and *replace* is not set, or is no export; WorkspaceError when
    the folder cannot be written.
    """
    if folder.exists():
        _may_be_replaced(folder, replace)
    partial = folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:8]}.partial")
    try:
        partial.mkdir(parents=True)
        try:
            exported = _write(snapshots, partial, folder)
            if folder.exists():
                old = partial.with_suffix(".old")
                folder.rename(old)
                partial.rename(folder)
                shutil.rmtree(old)
            else:
                partial.rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise WorkspaceError(
            f"The data cannot be written to {folder}: {error.strerror}.", hint="Choose another folder with --parquet."
        ) from error
    return exported


def _may_be_replaced(folder: Path, replace: bool) -> None:
    ours = folder.is_dir() and (not any(folder.iterdir()) or (folder / DICTIONARY).exists())
    if not ours:
        raise InvalidRequest(f"{folder} holds something else than an export.", hint="Choose another folder.")
    if not replace and any(folder.iterdir()):
        raise InvalidRequest(f"{folder} holds an export already.", hint="Write over it with --replace.")


def _write(snapshots: Snapshots, partial: Path, folder: Path) -> Exported:
    db = snapshots.connect()
    rows: dict[str, int] = {}
    try:
        position, _ = ask(db, "newest_fact").row(0)
        for each in tables():
            frame = in_utc(pl.DataFrame(db.sql(f"SELECT * FROM {each.name} ORDER BY ALL")))
            frame.write_parquet(partial / f"{each.name}.parquet", compression="zstd")
            rows[each.name] = len(frame)
    finally:
        db.close()
    about = {"position": position, "tables": [{**each, "rows": rows[each["table"]]} for each in data_dictionary()]}
    put(partial, DICTIONARY, json.dumps(about, indent=1, ensure_ascii=False).encode())
    put(partial, "dictionary.md", f"# The data, as of fact {position}\n\n{dictionary_text()}\n".encode())
    return Exported(folder, position, rows)
