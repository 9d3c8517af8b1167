"""Writes a report: a page that opens without network, a notebook that makes its tables again, and its data."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from importlib.resources import files
from json import dumps
from pathlib import Path
from typing import Any, Literal

import polars as pl

from jobctrl.analytics import charts
from jobctrl.analytics.reports import REPORTS, Report, Section, moment_of
from jobctrl.analytics.warehouse import Warehouse
from jobctrl.errors import InvalidRequest, WorkspaceError

FORMATS = ("html", "ipynb", "parquet", "csv")
ROWS_ON_PAGE = 15
_MOMENT = "%Y-%m-%dT%H:%M:%S%.3fZ"


def write_report(
    warehouse: Warehouse, name: str, folder: Path, formats: Iterable[Literal["html", "ipynb", "parquet", "csv"] | str]
) -> list[Path]:
    """Write the report *name* into *folder* and return its files; the data goes to `data/` with its dictionary.

    Raises InvalidRequest for an unknown report or format, NotFound without a workspace, WorkspaceError when the folder
    cannot be written. Names, mail, notes and the texts of postings are in none of it.
    """
    wanted = set(formats)
    if name not in REPORTS:
        raise InvalidRequest(f"There is no report {name!r}.", hint=f"These are: {', '.join(REPORTS)}.")
    if unknown := wanted - set(FORMATS):
        raise InvalidRequest(f"Reports are not written as {', '.join(sorted(unknown))}.", hint=f"{', '.join(FORMATS)}.")
    warehouse.refresh()
    db = warehouse.connect()
    try:
        report, (position, at) = REPORTS[name](db), moment_of(db)
    finally:
        db.close()
    as_of = f"As of fact {position}" + (f", {at:%Y-%m-%d %H:%M} UTC." if at else ": nothing is recorded yet.")
    content: dict[str, bytes] = {
        "data/dictionary.md": _dictionary_text(report).encode(),
        "data/dictionary.json": dumps(_dictionary(report), indent=1, ensure_ascii=False).encode(),
    }
    if "html" in wanted:
        content[f"{name}.html"] = _page(report, as_of).encode()
    if "ipynb" in wanted:
        content[f"{name}.ipynb"] = _notebook(report, as_of).encode()
    for section in report.sections:
        if wanted & {"parquet", "ipynb"}:
            content[f"data/{section.key}.parquet"] = _parquet(section.frame)
        if "csv" in wanted:
            content[f"data/{section.key}.csv"] = section.frame.write_csv(datetime_format=_MOMENT).encode()
    return _write(folder, content)


def _write(folder: Path, content: dict[str, bytes]) -> list[Path]:
    try:
        (folder / "data").mkdir(parents=True, exist_ok=True)
        for name, data in content.items():
            (folder / name).write_bytes(data)
    except OSError as error:
        raise WorkspaceError(
            f"The report cannot be written to {folder}: {error.strerror}.", hint="Choose another folder with --to."
        ) from error
    return sorted((folder / name for name in content), key=lambda path: (path.parent != folder, path.name))


def _parquet(frame: pl.DataFrame) -> bytes:
    from io import BytesIO

    buffer = BytesIO()
    frame.write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


def _page(report: Report, as_of: str) -> str:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(
        files("jobctrl.analytics").joinpath("templates/report.html").read_text(encoding="utf-8")
    )
    sections = [
        {
            "title": section.title,
            "says": section.says,
            "empty": section.empty if section.frame.is_empty() else "",
            "picture": Markup(charts.svg(section.chart)) if section.chart is not None else "",
            "columns": _shown(section).columns,
            "rows": [
                [_cell(value, column) for column, value in row.items()]
                for row in _shown(section).head(ROWS_ON_PAGE).iter_rows(named=True)
            ],
            "more": max(0, len(section.frame) - ROWS_ON_PAGE),
            "key": section.key,
        }
        for section in report.sections
    ]
    made_up = any(_made_up(section.frame) for section in report.sections)
    return template.render(
        title=report.title, says=report.says, as_of=as_of, sections=sections, made_up=charts.MADE_UP if made_up else ""
    )


def _shown(section: Section) -> pl.DataFrame:
    return section.frame.select(section.shown) if section.shown else section.frame


def _made_up(frame: pl.DataFrame) -> bool:
    return "simulated" in frame.columns and bool(frame["simulated"].any())


def _cell(value: Any, column: str) -> str:
    """A value in words a person reads; a missing one is a dash, never a zero."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
        case date():
            return value.isoformat()
        case float() if "usd" in column:
            return f"${value:,.4f}" if abs(value) < 1 else f"${value:,.2f}"
        case float() if column in ("rate", "low", "high", "probability", "share", "before", "now") or "_rate" in column:
            return f"{value:.1%}"
        case float():
            return f"{value:,.3f}"
        case int() if "position" not in column:
            return f"{value:,}"
        case _:
            return str(value)


def _notebook(report: Report, as_of: str) -> str:
    import nbformat

    v4: Any = nbformat.v4
    keys = [section.key for section in report.sections]
    loaded = [f"{key} = pl.read_parquet('data/{key}.parquet')" for key in keys]
    cells = [
        v4.new_markdown_cell(f"# {report.title}\n\n{report.says}\n\n{as_of} Data and its dictionary lie in `data/`."),
        v4.new_code_cell("\n".join(["import polars as pl", "", *loaded])),
    ]
    for section in report.sections:
        cells.append(v4.new_markdown_cell(f"## {section.title}\n\n{section.says}"))
        cells.append(v4.new_code_cell(section.key))
        if section.redo and section.ground in keys:
            cells.append(v4.new_code_cell(section.redo))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = v4.new_notebook(cells=cells, metadata=kernel)
    nbformat.validate(notebook)
    return str(v4.writes(notebook)) + "\n"


def _dictionary(report: Report) -> list[dict[str, Any]]:
    return [
        {
            "file": f"data/{section.key}.parquet",
            "title": section.title,
            "says": section.explained,
            "rows": len(section.frame),
            "columns": [{"name": name, "type": str(kind)} for name, kind in section.frame.schema.items()],
        }
        for section in report.sections
    ]


def _dictionary_text(report: Report) -> str:
    parts = [f"# {report.title}: the data", "Moments are UTC; rates lie between 0 and 1; an empty cell is not known."]
    for entry in _dictionary(report):
        rows = "\n".join(f"| {column['name']} | {column['type']} |" for column in entry["columns"])
        parts.append(f"## {entry['file']}\n\n{entry['says']}\n\n| column | type |\n| --- | --- |\n{rows}")
    return "\n\n".join(parts) + "\n"
