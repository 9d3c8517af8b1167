"""SQL that a person types, put to sealed snapshots: an answer that Polars can hold, or an error with its place."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from itertools import count

import duckdb
import polars as pl
import polars.selectors as cs
from duckdb import DuckDBPyConnection, DuckDBPyRelation, StatementType

from jobctrl.analytics.ask import in_utc
from jobctrl.analytics.snapshots import Snapshots
from jobctrl.analytics.tables import tables
from jobctrl.errors import InvalidRequest

MOMENT = "%Y-%m-%dT%H:%M:%S%.3fZ"
_PAGE = "docs/warehouse.md lists every table and column; `DESCRIBE jobs` those of one table."
_AS_TEXT = ("INTERVAL", "BIT", "TIME WITH TIME ZONE", "JSON")
"""Types that a frame has nothing for."""


def answer_to(snapshots: Snapshots, sql: str) -> pl.DataFrame:
    """The answer to *sql*, moments in UTC. Raises InvalidRequest, with line and column where DuckDB knows them.

    It reads the tables of the warehouse and nothing else: no other file, no network, no extension, no setting.
    """
    db = snapshots.connect_sealed()
    try:
        _check(db, sql)
        return in_utc(pl.DataFrame(_holdable(db.sql(sql))))
    except duckdb.Error as error:
        raise _told(db, sql, error) from error
    finally:
        db.close()


def encoded(answer: pl.DataFrame, form: str) -> bytes:
    """*answer* as csv, json or parquet. Raises InvalidRequest for what CSV has no notation for."""
    if form == "csv":
        if nested := answer.select(cs.nested() | cs.binary()).columns:
            raise InvalidRequest(
                f"CSV has no notation for {', '.join(nested)}.", hint="Take json or parquet, or unnest() them."
            )
        return answer.write_csv(datetime_format=MOMENT).encode()
    if form == "json":
        rows = answer.with_columns(cs.datetime().dt.strftime(MOMENT), cs.decimal().cast(pl.Float64)).to_dicts()
        return (json.dumps(rows, ensure_ascii=False, indent=1, default=str) + "\n").encode("utf-8", "replace")
    buffer = io.BytesIO()
    answer.write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


def _check(db: DuckDBPyConnection, sql: str) -> None:
    found = db.extract_statements(sql)
    if len(found) != 1 or found[0].type is not StatementType.SELECT:
        raise InvalidRequest(
            "One SELECT is asked for; the warehouse is only read.",
            hint='As in `jobctrl sql "SELECT source_id, count(*) FROM jobs GROUP BY ALL"`.',
        )


def _holdable(answer: DuckDBPyRelation) -> DuckDBPyRelation:
    """*answer* with every column under a name of its own, in a type that a frame can hold."""
    names, types = _names(answer.columns), [str(each) for each in answer.types]
    texts = [any(word in each for word in _AS_TEXT) for each in types]
    if names == answer.columns and not any(texts):
        return answer
    places = [f"c{number}" for number in range(len(names))]
    shown = (
        f"{f'CAST({place} AS VARCHAR)' if text else place} AS {_quoted(name)}"
        for place, text, name in zip(places, texts, names, strict=True)
    )
    mended = answer.query("answer", f"SELECT {', '.join(shown)} FROM answer AS answer({', '.join(places)})")
    assert mended is not None
    return mended


def _names(columns: Sequence[str]) -> list[str]:
    names: list[str] = []
    for column in columns:
        again = (f"{column}_{number}" for number in count(1))
        names.append(column if column not in names else next(name for name in again if name not in (*names, *columns)))
    return names


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _told(db: DuckDBPyConnection, sql: str, error: duckdb.Error) -> InvalidRequest:
    """What is wrong with the query, and where."""
    said = _said(error)
    if "position" not in said:
        # A relation forgets the place; explaining the query binds it again and remembers.
        try:
            db.execute(f"EXPLAIN {sql}")
        except duckdb.Error as again:
            said = {**said, **_said(again)}
            if "position" in said:
                said["position"] = str(int(said["position"]) - len("EXPLAIN "))
    message, *more = said["exception_message"].splitlines()
    place = ""
    if "position" in said:
        before = sql.encode()[: max(0, int(said["position"]))].decode("utf-8", "ignore")
        place = f" at line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"
    hint = _PAGE
    if said.get("type") == "Table":
        hint = f"The tables are {', '.join(each.name for each in tables())}."
    elif more and more[0].startswith("Candidate bindings: "):
        hint = f"Nearest to it: {more[0].removeprefix('Candidate bindings: ')}. {_PAGE}"
    return InvalidRequest(f"The query fails{place}: {message.rstrip('!.')}.", hint=hint)


def _said(error: duckdb.Error) -> dict[str, str]:
    """The parts of a DuckDB error; its text alone where it does not come in parts."""
    kind, _, rest = str(error).partition(": ")
    try:
        parts = json.loads(rest)
    except json.JSONDecodeError:
        return {"exception_message": rest or kind}
    return {name: str(value) for name, value in parts.items()}
