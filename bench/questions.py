"""Every question of docs/warehouse.md, against DuckDB alone running the same SQL over the same Parquet files."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

from duckdb import DuckDBPyConnection, DuckDBPyRelation

from bench.measure import Row, Scale, ms, side_by_side
from bench.world import made_up
from jobctrl.analytics.dictionary import BEGIN
from jobctrl.analytics.reports import moment_of
from jobctrl.analytics.warehouse import Warehouse

PAGE = Path(__file__).resolve().parents[1] / "docs" / "warehouse.md"
_LINE = re.compile(r"^\| `(\w+)` \| (\w+) \|", re.MULTILINE)
MOST = 5
"""Times the bare query; below one hundredth of a second nobody waits, and clocks are too coarse for a ratio."""


class Recording:
    """A connection that remembers what it was asked."""

    def __init__(self, db: DuckDBPyConnection, asked: list[tuple[str, Any]]) -> None:
        self._db = db
        self._asked = asked

    def cursor(self) -> Recording:
        return Recording(self._db.cursor(), self._asked)

    def sql(self, query: str, *, params: Any = None) -> DuckDBPyRelation | None:
        self._asked.append((query, params))
        return self._db.sql(query, params=params)

    def execute(self, query: str, parameters: Any = None) -> DuckDBPyConnection:
        self._asked.append((query, parameters))
        return self._db.execute(query, parameters)

    def close(self) -> None:
        self._db.close()


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    made = made_up(scratch, scale.of(50_000, 2_000))
    warehouse = Warehouse(made.folder)
    warehouse.refresh()
    db = warehouse.connect()
    for name, question in questions():
        yield _measured(db, name, question, _arguments(db, question), goal=not scale.quick)


def questions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Those of the page, in its order: a new line there is a new line here."""
    page = PAGE.read_text(encoding="utf-8")
    for name, module in _LINE.findall(page[: page.index(BEGIN)]):
        yield name, getattr(import_module(f"jobctrl.analytics.{module}"), name)


def _arguments(db: DuckDBPyConnection, question: Callable[..., Any]) -> dict[str, Any]:
    """What a question cannot do without, or has no answer without."""
    _, newest = moment_of(db)
    [(workflow_id, run_id)] = db.sql("SELECT workflow_id, run_id FROM pipeline_steps LIMIT 1").fetchall()
    needed = {"now": newest, "ceiling_usd": 25.0, "workflow_id": workflow_id, "run_id": run_id}
    told = {"asked": Decimal(70_000), "currency": "EUR", "period": "year"}
    wanted = inspect.signature(question).parameters.values()
    return {
        each.name: {**needed, **told}[each.name]
        for each in wanted
        if each.name in told or (each.default is each.empty and each.name in needed)
    }


def _measured(
    db: DuckDBPyConnection, name: str, question: Callable[..., Any], arguments: dict[str, Any], *, goal: bool
) -> Row:
    asked: list[tuple[str, Any]] = []
    question(Recording(db, asked), **arguments)

    def bare() -> None:
        for query, parameters in asked:
            cursor = db.cursor()
            cursor.sql(query, params=parameters).materialize()
            cursor.close()

    ours, theirs = side_by_side([lambda: question(db, **arguments), bare], rounds=3)
    ratio = ours / theirs
    return Row(
        f"`{name}`", ms(ours), ms(theirs), ratio, goal=f"< {MOST}x" if goal else "", met=ratio < MOST if goal else None
    )
