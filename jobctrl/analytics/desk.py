"""What every desk does alike: look at a fresh snapshot, carry out one action, and say what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.warehouse import Warehouse
from jobctrl.errors import JobCtrlError


@dataclass(frozen=True)
class Desk:
    """A snapshot to ask, or what stands in the way of one."""

    db: DuckDBPyConnection | None
    says: str


def open_desk(workspace: Path) -> Desk:
    """The workspace's snapshots, brought in step with the log. Never raises for a workspace that cannot be read."""
    warehouse = Warehouse(workspace)
    try:
        refreshed = warehouse.refresh()
        return Desk(warehouse.connect(), f"As of fact {refreshed.position:,} of {workspace}.")
    except JobCtrlError as error:
        return Desk(None, _sentence(error))


@dataclass(frozen=True)
class Done:
    """What came of an action. `keys` are the jobs it was carried out on, to be undone."""

    says: str
    ok: bool = True
    keys: tuple[str, ...] = ()


def act(action: Callable[..., Any], *arguments: Any) -> Done:
    """Carry out one action of the Operator; its own words, or what went wrong and what to do."""
    try:
        answer = action(*arguments)
    except JobCtrlError as error:
        return Done(_sentence(error), ok=False)
    return Done(answer if isinstance(answer, str) else "Done.")


def act_on_each(action: Callable[..., str], keys: Iterable[str], *arguments: Any) -> Done:
    """The same action on each job; stops at the first that fails, and says how far it came."""
    done: list[str] = []
    words = ""
    for key in keys:
        try:
            words = action(key, *arguments)
        except JobCtrlError as error:
            return Done(f"{_sentence(error)} {len(done)} were done before.", ok=False, keys=tuple(done))
        done.append(key)
    return Done(words if len(done) == 1 else f"{words} {len(done)} jobs in all.", keys=tuple(done))


def place_of(frame: pl.DataFrame, done: Done | None) -> int:
    """The row of the job that the last action was carried out on; the first when it is not in *frame*."""
    rows = frame["job_id"].is_in(done.keys if done else ()).arg_true()
    return int(rows[0]) if len(rows) else 0


def _sentence(error: JobCtrlError) -> str:
    return f"{error.message} {error.hint}" if error.hint else error.message


def tidy(frame: pl.DataFrame) -> pl.DataFrame:
    """*frame* as a desk shows it: whole minutes, four digits behind the point."""
    moments = pl.selectors.datetime(time_zone="*").dt.strftime("%Y-%m-%d %H:%M")
    return frame.with_columns(moments, pl.selectors.float().round(4))


_FORMATS = (
    (re.compile(r"(.*_)?(rate|low|high|share|probability)"), "{:.1%}"),
    (re.compile(r".*usd(_.*)?"), "${:,.4f}"),
    (re.compile(r".*seconds"), "{:,.1f}"),
    (re.compile(r"mean_score"), "{:.1f}"),
)


def look(frame: pl.DataFrame, **more: Any) -> dict[str, Any]:
    """How the table of *frame* looks on a desk: arguments for `mo.ui.table`, *more* put over them."""
    formats = {
        column: shape
        for column, kind in frame.schema.items()
        for name, shape in _FORMATS
        if kind.is_float() and name.fullmatch(column)
    }
    plain = {"show_data_types": False, "show_column_summaries": False, "show_download": False, "show_search": False}
    return {"format_mapping": formats, "selection": None, **plain, **more}
