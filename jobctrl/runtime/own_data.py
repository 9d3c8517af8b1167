"""The named workspace's data for its owner: an answer in SQL, an export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jobctrl.runtime.workspace import named_workspace

if TYPE_CHECKING:
    import polars as pl

    from jobctrl.analytics.export import Exported
    from jobctrl.analytics.snapshots import Snapshots


def asked(sql: str, as_of: str | None) -> pl.DataFrame:
    """The answer to *sql*. Raises InvalidRequest where it is wrong, NotFound without a workspace."""
    from jobctrl.analytics.typed_sql import answer_to

    return answer_to(_standing(as_of), sql)


def exported(folder: Path, as_of: str | None, *, replace: bool) -> Exported:
    """Every table in *folder*. Raises InvalidRequest when something stands there already."""
    from jobctrl.analytics.export import export_parquet

    return export_parquet(_standing(as_of), folder, replace=replace)


def _standing(as_of: str | None) -> Snapshots:
    """The snapshots that are meant, in step with the log or with an earlier position of it."""
    from jobctrl.analytics.as_of import read_when
    from jobctrl.analytics.warehouse import Warehouse

    warehouse = Warehouse(named_workspace().path)
    if as_of is not None:
        return warehouse.as_of(read_when(as_of))
    warehouse.refresh()
    return warehouse
