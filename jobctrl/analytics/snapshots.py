"""A folder of Parquet files that belong together, asked by an in-memory DuckDB with a view for each table."""

from __future__ import annotations

from pathlib import Path

from duckdb import DuckDBPyConnection, connect

from jobctrl.analytics.manifest import Keyed, Manifest, load
from jobctrl.analytics.tables import Table, table
from jobctrl.errors import NotFound


class Snapshots:
    """The files that stand in one folder. Any number of processes may read them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def position(self) -> int:
        """How far into the log they reach; 0 before the first."""
        manifest = load(self.folder)
        return manifest.position if manifest else 0

    def connect(self) -> DuckDBPyConnection:
        """An in-memory DuckDB with a view for each table of the warehouse, as of the snapshots that stand now.

        Connect again after a refresh. Raises NotFound before the first one.
        """
        return self._views(self._standing())

    def connect_sealed(self) -> DuckDBPyConnection:
        """The same for questions that a person types: it reaches no other file, no network and no extension."""
        manifest = self._standing()
        db = self._views(manifest)
        files = ", ".join(self._quoted(name) for name in sorted(manifest.files))
        db.execute(f"SET allowed_paths = [{files}]")
        for name in ("enable_external_access", "autoinstall_known_extensions", "autoload_known_extensions"):
            db.execute(f"SET {name} = false")
        db.execute("SET errors_as_json = true")
        db.execute("SET lock_configuration = true")
        return db

    def _standing(self) -> Manifest:
        manifest = load(self.folder)
        if manifest is None:
            raise NotFound(f"There are no snapshots at {self.folder} yet.", hint="Call `refresh()` first.")
        return manifest

    def _views(self, manifest: Manifest) -> DuckDBPyConnection:
        db = connect(":memory:")
        db.execute("SET GLOBAL TimeZone = 'UTC'")
        for name, kept in manifest.keyed.items():
            db.execute(f"CREATE VIEW {name} AS {self._rows_of(table(name), kept)}")
        for name, parts in manifest.facts.items():
            files = ", ".join(self._quoted(part.file) for part in parts)
            db.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet([{files}])")
        return db

    def _rows_of(self, of: Table, kept: Keyed) -> str:
        base = f"SELECT * FROM read_parquet({self._quoted(kept.base)})"
        if kept.delta is None or kept.touched is None:
            return base
        touched = f"SELECT {of.kept} FROM read_parquet({self._quoted(kept.touched)})"
        return (
            f"{base} WHERE {of.kept} NOT IN ({touched})"
            f" UNION ALL SELECT * FROM read_parquet({self._quoted(kept.delta)})"
        )

    def _quoted(self, name: str) -> str:
        path = str(self.folder / name).replace("'", "''")
        return f"'{path}'"
