"""Rows of a workspace file as Parquet: a table in whole, its changed rows beside it, facts in parts."""

from __future__ import annotations

import io
import json
import sqlite3
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from jobctrl.analytics.manifest import Keyed, Part, put
from jobctrl.analytics.tables import Table
from jobctrl.store import script, statements

SQL = statements("jobctrl.analytics", "reading.sql")
OPEN_PART_ROWS = 50_000
"""A part of a fact table takes new rows until it holds so many; then the next begins."""
SMALL_DELTA = 2_000
"""Changed keys that are kept beside a base of any size; beyond it, a tenth of the base."""
_CHUNK = 100_000


class ParquetFolder:
    """Each method returns what the manifest says of the table, and how many rows were read from the workspace."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def whole(
        self, log: sqlite3.Connection, of: Table, condition: str = "", parameters: Mapping[str, Any] | None = None
    ) -> tuple[Keyed, int]:
        """All rows of a table that the SQL *condition* keeps."""
        where = f" WHERE {condition}" if condition else ""
        frame = of.frame(log.execute(of.select + where, parameters or {}).fetchall())
        return Keyed(self._write(of.name, frame), len(frame)), len(frame)

    def changed(self, log: sqlite3.Connection, of: Table, kept: Keyed, after: int, upto: int) -> tuple[Keyed, int]:
        """*kept* brought up to *upto*: only rows are read that the facts after *after* name."""
        keys = [key for (key,) in log.execute(SQL[f"touched_{of.kept}"], {"after": after, "upto": upto})]
        if not keys:
            return kept, 0
        some = f"{of.select} WHERE {of.kept} IN (SELECT value FROM json_each(:keys))"
        fresh = of.frame(log.execute(some, {"keys": json.dumps(keys)}).fetchall())
        if fresh.is_empty() and not kept.base_rows and not kept.delta:
            return kept, 0
        touched = pl.DataFrame({of.kept: keys}, schema={of.kept: pl.String})
        delta = fresh
        if kept.delta and kept.touched:
            delta = pl.concat([self._read(kept.delta).join(touched, on=of.kept, how="anti"), fresh])
            touched = pl.concat([self._read(kept.touched), touched]).unique(maintain_order=True)
        if len(touched) > max(SMALL_DELTA, kept.base_rows // 10):
            base = pl.concat([self._read(kept.base).join(touched, on=of.kept, how="anti"), delta])
            return Keyed(self._write(of.name, base), len(base)), len(fresh)
        changed = Keyed(
            kept.base, kept.base_rows, self._write(f"{of.name}-delta", delta), self._write(f"{of.name}-keys", touched)
        )
        return changed, len(fresh)

    def facts(
        self, log: sqlite3.Connection, of: Table, parts: list[Part], after: int, upto: int
    ) -> tuple[list[Part], int]:
        """*parts* and the facts after *after*."""
        parts, read = list(parts), 0
        query = script("jobctrl.analytics", f"sql/facts/{of.name}.sql")
        while after < upto:
            end = min(after + _CHUNK, upto)
            frame = of.frame(log.execute(query, {"after": after, "upto": end}).fetchall())
            after = end
            read += len(frame)
            if frame.is_empty() and parts:
                continue
            if parts and parts[-1].rows + len(frame) <= OPEN_PART_ROWS:
                frame = pl.concat([self._read(parts.pop().file), frame])
            parts.append(Part(self._write(of.name, frame), len(frame)))
        if not parts:
            parts.append(Part(self._write(of.name, of.frame([])), 0))
        return parts, read

    def _read(self, name: str) -> pl.DataFrame:
        return pl.read_parquet(self._folder / name)

    def _write(self, name: str, frame: pl.DataFrame) -> str:
        content = io.BytesIO()
        frame.write_parquet(content, compression="zstd")
        file = f"{name}-{uuid.uuid4().hex[:12]}.parquet"
        put(self._folder, file, content.getvalue())
        return file
