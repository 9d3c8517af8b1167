"""One question put to the warehouse: a file of SQL, its parameters bound, a Polars frame back."""

from __future__ import annotations

from typing import Any

import polars as pl
import polars.selectors as cs
from duckdb import DuckDBPyConnection

from jobctrl.store import script


def ask(db: DuckDBPyConnection, name: str, **parameters: Any) -> pl.DataFrame:
    """The answer to `sql/<name>.sql` with *parameters* bound, on a cursor of its own."""
    cursor = db.cursor()
    try:
        answer = pl.DataFrame(cursor.sql(script("jobctrl.analytics", f"sql/{name}.sql"), params=parameters))
    finally:
        cursor.close()
    return in_utc(answer)


def in_utc(answer: pl.DataFrame) -> pl.DataFrame:
    """DuckDB counts in microseconds of a zone it calls Etc/UTC; the warehouse in milliseconds of UTC."""
    return answer.with_columns(cs.datetime(time_zone="*").dt.convert_time_zone("UTC").dt.cast_time_unit("ms"))
