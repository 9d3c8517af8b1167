"""What every desk does alike: look at a fresh snapshot, carry out one action, and say what came of it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.warehouse import Warehouse
from jobctrl.errors import JobCtrlError, where

log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True)
class Desk:
    """A snapshot to ask, or what stands in the way of one."""

    db: DuckDBPyConnection | None
    says: str
    position: int = 0
    """How many facts of the log it holds."""


def open_desk(workspace: Path) -> Desk:
    """The workspace's snapshots, brought in step with the log. Never raises for a workspace that cannot be read."""
    warehouse = Warehouse(workspace)
    try:
        refreshed = warehouse.refresh()
        return Desk(warehouse.connect(), f"As of fact {refreshed.position:,} of {workspace}.", refreshed.position)
    except Exception as error:
        return Desk(None, wrong(error))


@dataclass(frozen=True)
class Done:
    """What came of an action. `keys` are the jobs it was carried out on, to be undone."""

    says: str
    ok: bool = True
    keys: tuple[str, ...] = ()


def looked(question: Callable[..., T], *arguments: Any) -> tuple[T | None, str]:
    """The answer to a look that may fail, or None and what stands in the way. Never raises."""
    try:
        return question(*arguments), ""
    except Exception as error:
        return None, wrong(error)


def act(action: Callable[..., Any], *arguments: Any, says: Callable[[Any], str] | None = None) -> Done:
    """Carry out one action of the Operator; its own words, or what went wrong and what to do. Never raises.

    *says* puts an answer that is no words into some.
    """
    try:
        answer = action(*arguments)
        return Done(says(answer) if says else answer if isinstance(answer, str) else "Done.")
    except Exception as error:
        return Done(wrong(error), ok=False)


def act_on_each(action: Callable[..., str], keys: Iterable[str], *arguments: Any) -> Done:
    """The same action on each job; stops at the first that fails, and says how far it came. Never raises."""
    done: list[str] = []
    words = ""
    for key in keys:
        try:
            words = action(key, *arguments)
        except Exception as error:
            return Done(f"{wrong(error)} {len(done)} were done before.", ok=False, keys=tuple(done))
        done.append(key)
    return Done(words if len(done) == 1 else f"{words} {len(done)} jobs in all.", keys=tuple(done))


def wrong(error: Exception) -> str:
    """What went wrong, for the person at the desk. Of an error that nobody foresaw only its kind and place are logged:
    its words may quote a posting."""
    if isinstance(error, JobCtrlError):
        return f"{error.message} {error.hint}" if error.hint else error.message
    log.error("A desk met something unexpected:\n%s", where(error))
    return (
        f"Something unexpected happened ({type(error).__name__}). Where is said in the log of what serves this desk. "
        "What was recorded before stands; reload, and look before you try again."
    )


_CODE = re.compile(r"(`[^`\n]+`)")
_MARKUP = str.maketrans({sign: f"&#{ord(sign)};" for sign in "&<>*_[]$`\\#|~:@."})


def plain(text: str) -> str:
    """*text* as Markdown that shows just these words, whoever wrote them: no markup, link or formula; `code` stays."""
    parts = _CODE.split(text)
    return "".join(part if number % 2 else part.translate(_MARKUP) for number, part in enumerate(parts))


def tidy(frame: pl.DataFrame) -> pl.DataFrame:
    """*frame* as a desk shows it: whole minutes, four digits behind the point."""
    moments = pl.selectors.datetime(time_zone="*").dt.strftime("%Y-%m-%d %H:%M")
    return frame.with_columns(moments, pl.selectors.float().round(4))


_SHARES = ("rate", "share", "probability", "now")
_FORMATS = (
    (re.compile(rf"(.*_)?({'|'.join(_SHARES)})"), "{:.1%}"),
    (re.compile(r".*usd(_.*)?"), "${:,.4f}"),
    (re.compile(r".*(seconds|hours|days)"), "{:,.1f}"),
    (re.compile(r"mean_score"), "{:.1f}"),
)


def look(frame: pl.DataFrame, **more: Any) -> dict[str, Any]:
    """How the table of *frame* looks on a desk: arguments for `mo.ui.table`, *more* put over them."""
    formats = {
        column: shape
        for column, kind in frame.schema.items()
        for name, shape in _FORMATS
        if kind.is_float() and name.fullmatch(_measured(column, frame.columns))
    }
    plain = {"show_data_types": False, "show_column_summaries": False, "show_download": False, "show_search": False}
    return {"format_mapping": formats, "selection": None, **plain, **more}


def _measured(column: str, columns: Collection[str]) -> str:
    """The column whose interval ends at *column*: it says what both ends are. Any other column is its own."""
    stem, _, end = column.rpartition("_")
    if end not in ("low", "high"):
        return column
    names = [stem, *(f"{stem}_{share}" if stem else share for share in _SHARES)]
    return next((name for name in names if name in columns), column)


def links(to: Iterable[tuple[str, str, str]]) -> str:
    """Cards that lead to other desks: name, title and a line about it, in the colours of the page's theme."""
    cards = "".join(
        f'<a href="../{escape(name)}/" style="display:block;border:1px solid var(--border);border-radius:8px;'
        f'padding:10px 14px;text-decoration:none;color:var(--foreground)"><strong>{escape(title)}</strong><br>'
        f'<span style="color:var(--muted-foreground);font-size:0.875rem">{escape(says)}</span></a>'
        for name, title, says in to
    )
    return (
        '<nav aria-label="Desks" style="display:grid;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));'
        f'gap:12px">{cards}</nav>'
    )


def bar(share: float, *, label: str, full: float = 0.9) -> str:
    """How much of something is used, 0 to 1 and more; in a warning colour from *full* on."""
    width, colour = f"{min(max(share, 0), 1):.1%}", "#d55e00" if share >= full else "#0072b2"
    return (
        f'<div role="progressbar" aria-label="{escape(label)}" aria-valuemin="0" aria-valuemax="100" '
        f'aria-valuenow="{share * 100:.0f}" style="height:14px;border-radius:7px;background:var(--border);'
        f'overflow:hidden"><div style="width:{width};height:100%;background:{colour}"></div></div>'
    )
