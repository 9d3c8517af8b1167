"""A report as a notebook: it loads the data beside it, makes its tables again, and holds what came of that here."""

from __future__ import annotations

import ast
from typing import Any

import nbformat
import polars as pl

from jobctrl.analytics.sections import Report
from jobctrl.errors import WorkspaceError

WIDTH = 120
"""Of a table in text: without it a notebook would say something else in another window."""


def notebook(report: Report, stands: str, notice: str) -> str:
    """The notebook with its outputs. Raises WorkspaceError when a table does not follow from the data beside it."""
    v4: Any = nbformat.v4
    frames = {section.key: section.frame for section in report.sections}
    loaded = [f"{key} = pl.read_parquet('data/{key}.parquet')" for key in frames]
    cells = [
        v4.new_markdown_cell(f"# {report.title}\n\n{report.says}\n\n{stands} {notice} The data lies in `data/`."),
        v4.new_code_cell("\n".join(["import polars as pl", "", f"pl.Config.set_tbl_width_chars({WIDTH})", *loaded])),
    ]
    for section in report.sections:
        cells.append(v4.new_markdown_cell(f"## {section.title}\n\n{section.says}"))
        cells.append(v4.new_code_cell(section.key))
        if section.redo and section.ground in frames:
            cells.append(v4.new_code_cell(section.redo))
    with pl.Config(restore_defaults=True, tbl_width_chars=WIDTH):
        _run(cells, frames)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    made = v4.new_notebook(cells=cells, metadata=kernel)
    nbformat.validate(made)
    return str(v4.writes(made)) + "\n"


def _run(cells: list[Any], frames: dict[str, pl.DataFrame]) -> None:
    """Give every cell its id, and every code cell its number and what it shows."""
    names: dict[str, Any] = {"pl": pl, **frames}
    count = 0
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
        if cell["cell_type"] != "code":
            continue
        count += 1
        cell["execution_count"] = count
        # The first one reads the files that are written from these very frames.
        answer = _answer(cell["source"], names) if count > 1 else None
        if answer is not None:
            data = {"text/plain": repr(answer), "text/html": answer._repr_html_()}
            v4: Any = nbformat.v4
            cell["outputs"] = [v4.new_output("execute_result", data=data, execution_count=count)]


def _answer(source: str, names: dict[str, Any]) -> pl.DataFrame | None:
    """What a cell shows: the value of its last line."""
    *before, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        before.append(last)
    try:
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None
    except AssertionError as error:
        raise WorkspaceError(
            f"A table of the report does not follow from its data: {source.splitlines()[0]}",
            hint="Bring the warehouse up to date with `jobctrl rebuild` and write the report again.",
        ) from error
    return shown
